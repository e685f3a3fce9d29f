package secrets

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Mask stands for a secret.
const Mask = "***"

// Masked is a text without the secrets that can be told anywhere in it: values of names such as
// password=x, members of JSON, also escaped, headers, passwords in addresses, private keys, and tokens of
// a known form. The rest of it stays as it is.
func Masked(text string) string {
	spans := spansOf(text)
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for _, s := range spans {
		b.WriteString(text[from:s.start])
		b.WriteString(Mask)
		from = s.end
	}
	b.WriteString(text[from:])
	return b.String()
}

// span is where a secret is in a text, and its name, if that says that it is one.
type span struct {
	start, end int
	name       string
}

// beside are the characters one of which all have that is found by what is beside it, and not by its form.
const beside = ":=< \t\n\f\r"

// spansOf are the secrets that can be told anywhere in a text, in their order and apart.
func spansOf(text string) []span {
	var found []span
	lower := text
	if strings.ContainsAny(text, beside) {
		lower = inSmallLetters(text)
		for _, find := range []func(text, lower string) []span{members, arguments, assignments, variables, elements, commands, addresses, authorizations, cookies} {
			found = append(found, find(text, lower)...)
		}
	}
	found = inGroups(text, lower, append(found, tokens(text)...))
	if len(found) == 0 {
		return nil
	}
	slices.SortFunc(found, func(x, y span) int { return x.start - y.start })
	apart := found[:1]
	for _, s := range found[1:] {
		if last := &apart[len(apart)-1]; s.start <= last.end {
			last.end = max(last.end, s.end)
			continue
		}
		apart = append(apart, s)
	}
	return apart
}

var (
	// member is what begins a member of a JSON object with a text, or one with a longer number, at any level of
	// escapes, also as lenient parsers take it.
	member        = lazily(`([\w.\\ -]+)["']?\s*:[ \t]*(?:(-?[0-9][0-9.eE+-]{7,})|(\\*["']))`)
	escapedLetter = lazily(`\\+u00[0-7][0-9a-fA-F]`)
	// header is one in quotes, such as 'Token: x'.
	header = lazily("[\"']([\\w-]{1,100}):[ \t]*([^\\s\"'\\\\;|&`]+)\\\\*[\"']")
	// addressWithPassword is such as mysql://user:password@host. What a shell takes for another command is none.
	addressWithPassword = lazily("://[^/\\s:@\"']*:([^/\\s@{$<*\"';|&`]+)(?:[;|&`][^/\\s@\"']*)?@")
	// authorization has a scheme in front of what it needs.
	authorization = lazily(`(?i)(authorization\\*["']?\s*[:=]\s*\\*["']?)?\b(basic|bearer|token)[ \t]+([^\s"'\\,;|&<>]+)`)
	// bareAuthorization has none.
	bareAuthorization = lazily(`(?i)authorization\\*["']?\s*[:=][ \t]*\\*["']?([^\s"'\\,;|&<>]+)`)
	// token has a form that is known: of GitHub, GitLab, Slack, npm, PyPI, Hugging Face, OpenAI, Google, Stripe,
	// Vault, DigitalOcean, SendGrid and age and JSON Web Tokens.
	token = lazily(`\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abeprs]-[\w-]{10,}|npm_\w{30,}|pypi-[\w-]{40,}|hf_[A-Za-z0-9]{30,}|` +
		`sk-(?:[\w-]*-)?[A-Za-z0-9]{20,}[\w-]*|AIza[\w-]{35}|[rs]k_live_\w{20,}|hv[sb]\.[\w-]{20,}|dop_v1_\w{40,}|SG\.[\w-]{16,}\.[\w-]{16,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|eyJ[\w-]{10,}\.eyJ[\w-]{5,}\.[\w-]*)`)
	// webhook is the address of one of Slack, Feishu or WeCom, which is all that a sender needs.
	webhook = lazily(`\b(?:hooks\.slack\.com/services/|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=)[\w/-]{10,}`)
)

// signature is one of an address that is signed, as those of S3, OSS, Google and Azure, or in what connects to Azure.
var signature = lazily(`(?i)(?:(?:[?&]|\\u0026)(?:[\w-]{0,40}signature|sig)|\bSharedAccessSignature)=([\w%+/.~-][\w%+/=.~-]*)`)

// members are the values of members of JSON, and of headers in quotes, that are named like a secret.
func members(text, lower string) (found []span) {
	if isEscaped := strings.Contains(text, `\u`); !isEscaped && (!mayName(lower) || !mayHave(text, ":")) {
		return nil
	}
	last := 0
	for _, at := range member().FindAllStringSubmatchIndex(text, -1) {
		name := unescaped(text[at[2]:at[3]])
		if at[0] < last || !namesSecret(name) {
			continue
		}
		start, end := at[4], at[5] // a number
		if start < 0 {
			start, end, _ = quoted(text, at[6])
		}
		if last = end; isNamed(name, text[start:end]) {
			found = append(found, span{start, end, name})
		}
	}
	for _, at := range header().FindAllStringSubmatchIndex(text, -1) {
		if name, value := text[at[2]:at[3]], text[at[4]:at[5]]; !isWord(value) && isNamed(name, value) {
			found = append(found, span{at[4], at[5], name})
		}
	}
	return found
}

// unescaped is the name of a member without escapes of single letters.
func unescaped(name string) string {
	name = strings.TrimSpace(strings.TrimRight(name, `\`))
	if !strings.Contains(name, `\u`) {
		return name
	}
	return escapedLetter().ReplaceAllStringFunc(name, func(escape string) string {
		letter, err := strconv.ParseUint(escape[len(escape)-4:], 16, 16)
		if err != nil {
			return escape
		}
		return string(rune(letter))
	})
}

// mayHave reports whether the name of a secret is before one of some signs, which is much faster to tell than
// what the expressions find.
func mayHave(text, signs string) bool {
	for at := 0; ; at++ {
		next := strings.IndexAny(text[at:], signs)
		if next < 0 {
			return false
		}
		at += next
		before := strings.TrimRight(text[max(0, at-maxBefore):at], " \t\r\n\v\f")
		before = strings.TrimSuffix(strings.TrimSuffix(before, `"`), "'")
		before = strings.TrimRight(before, `\`)
		begin := strings.LastIndexFunc(before, func(r rune) bool { return r != ' ' && !isNameLetter(r) })
		if begin < 0 && at > maxBefore || namesSecret(before[begin+1:]) {
			return true
		}
	}
}

// maxBefore is how far before a colon a name is looked for. Only the expressions look further.
const maxBefore = 256

// isNameLetter reports whether the expressions take a letter for a part of a name.
func isNameLetter(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune("_.-", r)
}

// addresses are the passwords in addresses, and the signatures.
func addresses(text, lower string) (found []span) {
	if strings.Contains(text, "://") && strings.Contains(text, "@") {
		found = groups(addressWithPassword, text, 1)
	}
	if !strings.Contains(lower, "sig") {
		return found
	}
	for _, s := range groups(signature, text, 1) {
		if !refers(text[s.start:s.end]) {
			found = append(found, s)
		}
	}
	return found
}

// authorizations are what proves who sends a request.
func authorizations(text, lower string) (found []span) {
	if !containsAny(lower, "authorization", "bearer", "basic") {
		return nil
	}
	for _, at := range authorization().FindAllStringSubmatchIndex(text, -1) {
		value := text[at[6]:at[7]]
		if isPlaceholder(value) || refers(value) {
			continue
		}
		scheme, isProse := lower[at[4]:at[5]], isWord(value) && strings.HasPrefix(text[at[7]:], " ")
		if at[2] >= 0 && !isProse || scheme == "basic" && isPair(value) || scheme == "bearer" && isToken(value, text[at[7]:]) {
			found = append(found, span{start: at[6], end: at[7]})
		}
	}
	for _, s := range groups(bareAuthorization, text, 1) {
		if looksRandom(text[s.start:s.end]) {
			found = append(found, s)
		}
	}
	return found
}

// tokens are those of a known form, and private keys.
func tokens(text string) (found []span) {
	if containsAny(text, "gh", "glpat-", "xox", "npm_", "pypi-", "hf_", "sk-", "AIza", "k_live_", "hvs.", "hvb.", "dop_v1_", "eyJ", "SG.", "AGE-SECRET-KEY-") {
		found = groups(token, text, 0)
	}
	if containsAny(text, "hooks.slack.com/", "/open-apis/bot/", "/cgi-bin/webhook/") {
		found = append(found, groups(webhook, text, 0)...)
	}
	return append(found, privateKeys(text)...)
}

// isToken reports whether what follows "bearer" is no word of a sentence.
func isToken(value, rest string) bool {
	return !isWord(strings.TrimRight(value, ".:)!?")) || rest != "" && strings.ContainsRune("\"'", rune(rest[0]))
}

// groups are where a group of an expression matches.
func groups(e expression, text string, group int) (found []span) {
	for _, at := range e().FindAllStringSubmatchIndex(text, -1) {
		found = append(found, span{start: at[2*group], end: at[2*group+1]})
	}
	return found
}

// isNamed reports whether a value is a secret by its name, stands for nothing else, and is no program of several
// words that a shell may run.
func isNamed(name, value string) bool {
	return Is(name, value) && !refers(value) && (!strings.ContainsAny(value, separate) || !strings.ContainsAny(value, " \t"))
}

// isNamedInCommand is isNamed for a value of a command, where a program is shown whatever it is.
func isNamedInCommand(name, value string) bool {
	return isNamed(name, value) && !strings.ContainsAny(value, separate)
}

// separate are the characters between commands.
const separate = ";|&"

// inSmallLetters changes ASCII letters alone, since others have another length then.
func inSmallLetters(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}

// mayName reports whether a text in lower case may have the name of a secret.
func mayName(lower string) bool {
	return containsAny(lower, "pass", "token", "secret", "key", "credential", "pwd", "auth", "cookie", "jwt") || endsWord(lower, "ak") || endsWord(lower, "sk")
}

// endsWord reports whether a word in a text in lower case ends with some letters.
func endsWord(lower, end string) bool {
	for {
		at := strings.Index(lower, end)
		if at < 0 {
			return false
		}
		lower = lower[at+len(end):]
		if lower == "" || !isNameLetter(rune(lower[0])) || strings.ContainsRune("-.", rune(lower[0])) {
			return true
		}
	}
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// isWord reports whether a text has small letters only, as words of a sentence.
func isWord(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLower(r) }) < 0
}

// isPair reports whether a text is a user and a password in base64.
func isPair(text string) bool {
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	return err == nil && strings.Contains(string(decoded), ":")
}

// minRandom is the length from which a text with several digits is no word.
const minRandom = 16

// looksRandom reports whether a text is no word of a language.
func looksRandom(text string) bool {
	digits, letters := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return len(text) >= minRandom && digits > 1 && letters > 0
}
