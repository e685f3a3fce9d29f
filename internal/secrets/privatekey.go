package secrets

import "strings"

var (
	// privateKeyBegin and privateKeyEnd are the first and the last line of one in PEM.
	privateKeyBegin = lazily(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----`)
	privateKeyEnd   = lazily(`^-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----`)
	// keyHeader is one of a private key with a password.
	keyHeader = lazily(`^(?:Proc-Type: [\w,]{1,40}|DEK-Info: [\w,-]{1,80})`)
	// lineBreak is one of the escapes that stand for it in texts.
	lineBreak = lazily(`^\\{1,32}[nrt]`)
	// keyBegin is how every private key without a password begins, and pathBegin what is a program more likely than a
	// part of a key.
	keyBegin  = lazily(`^(?:M|b3Bl|P2)`)
	pathBegin = lazily(`^/(?:[A-Za-z]{2,}[0-9]*)?/|^[a-z/]+$`)
)

// minKeyLine is the length of a line that is a part of a private key wherever it is. A shorter one is its last.
const minKeyLine = 16

// privateKeys are those in PEM, also if their end is missing. What cannot be a part of one is none: a shell may run
// it.
func privateKeys(text string) (found []span) {
	if !strings.Contains(text, "PRIVATE KEY-----") {
		return nil
	}
	for _, at := range privateKeyBegin().FindAllStringIndex(text, -1) {
		found = append(found, span{start: at[0], end: endOfPrivateKey(text, at[1])})
	}
	return found
}

// endOfPrivateKey is where the private key ends whose first line ends at a place.
func endOfPrivateKey(text string, at int) int {
	size, isEncrypted := 0, false
	for {
		next := at + breaksIn(text[at:])
		if end := atStart(privateKeyEnd, text[next:]); end > 0 {
			return next + end
		}
		if next == at {
			return at
		}
		if header := atStart(keyHeader, text[next:]); header > 0 {
			at, isEncrypted = next+header, true
			continue
		}
		line := base64In(text[next:])
		rest := text[next+len(line):]
		isLast := rest == "" || atStart(privateKeyEnd, rest[breaksIn(rest):]) > 0
		switch {
		case line == "" || pathBegin().MatchString(line):
			return at
		case size == 0 && !isEncrypted && !keyBegin().MatchString(line):
			return at
		case !isLast && len(line) < max(size, minKeyLine) || size > 0 && len(line) > size:
			return at
		}
		at, size = next+len(line), len(line)
	}
}

// atStart is the length of what an expression matches where a text starts.
func atStart(e expression, text string) int {
	const longest = 160
	if at := e().FindStringIndex(text[:min(len(text), longest)]); at != nil {
		return at[1]
	}
	return 0
}

// breaksIn is the length of the spaces and line breaks at the start of a text, also escaped.
func breaksIn(text string) (length int) {
	for {
		length = len(text) - len(strings.TrimLeft(text[length:], " \t\r\n"))
		escape := atStart(lineBreak, text[length:])
		if escape == 0 {
			return length
		}
		length += escape
	}
}

// base64In is the text in base64 at the start of a text.
func base64In(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune("+/=", r)
	})
	if end < 0 {
		return text
	}
	return text[:end]
}
