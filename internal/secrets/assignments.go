package secrets

import "strings"

var (
	// argument is what begins a value such as token=x, and assigned one such as token: x, token = x, token := x or token => "x".
	argument = lazily(`([\w.-]+)=`)
	assigned = lazily(`["']?([\w.-]+)["']?([ \t]*(?::=?|=>?)[ \t]*)`)
	// variable has its name and its value beside each other, in YAML, JSON or XML.
	variable = lazily(`\b(?:name|key)\\*["']?\s*[:=]\s*\\*["']?([\w.-]+)\\*["']?[\s,]+\\*["']?value\\*["']?\s*[:=][ \t]*`)
	// element is one of XML: in a line of its own it has one word.
	element = lazily(`<([\w.:-]+)(?:\s[^<>]*)?>(?:[ \t]*([^<>\n]+?)[ \t]*|\s*([^\s<>]+)\s*)</`)
	entity  = lazily(`&#?\w{1,10};`)
	// header of cookies, with their pairs.
	cookie     = lazily("(?i)\\bcookie:[ \t]*([\\w.-]+=[^\\s;|&<>$,`\"']+(?:;[ \t]*[\\w.-]+=[^\\s;|&<>$,`\"']*)*)")
	cookiePair = lazily(`=([^;]+)`)
	// block is what begins a text in the lines below, in YAML.
	block = lazily(`^[|>][+-]?[0-9]?[+-]?$`)
)

// ends are what a shell does not take as a part of a word.
const ends = " \t\r\n\"'`;|&<>"

// arguments are the values after names of secrets and "=", to the end of their quotes or of the word.
func arguments(text, lower string) (found []span) {
	if !strings.Contains(text, "=") || !mayName(lower) {
		return nil
	}
	last, closes := 0, mayClose(lower)
	for _, at := range argument().FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		if at[1] < last || !namesSecret(name) {
			continue
		}
		start, end, isQuoted := quoted(text, at[1])
		if !isQuoted {
			start = at[1] + len(text[at[1]:]) - len(strings.TrimLeft(text[at[1]:], `\`))
			end = start + len(strings.TrimRight(wordOf(text[start:], closes), `\`))
		}
		if strings.HasPrefix(text[start:end], Mask+"/") { // by MaskedPath
			continue
		}
		if last = end; isNamedInCommand(name, text[start:end]) {
			found = append(found, span{start, end, name})
		}
	}
	return found
}

// assignments are the values after names of secrets and a colon, or "=" with spaces: in quotes, in a line of
// their own, in lines of a block, or what no word of a sentence looks like.
func assignments(text, lower string) (found []span) {
	if !mayName(lower) || !mayHave(text, ":=") {
		return nil
	}
	last := 0
	for _, at := range assigned().FindAllStringSubmatchIndex(text, -1) {
		name, sign := text[at[2]:at[3]], text[at[4]:at[5]]
		if at[1] < last || !namesSecret(name) {
			continue
		}
		indent, begins := beginsLine(text, at[0])
		isQuotedName, isArrow := at[0] < at[2] && at[3] < at[4], strings.Contains(sign, "=>")
		begins = begins && (at[0] == at[2] || isQuotedName)
		if sign == "=" || sign[0] == '=' && !isQuotedName { // in a shell what follows is a command
			continue
		}
		if isTight := strings.TrimRight(sign, " \t") == sign; isTight && !begins && !isArrow && !strings.HasPrefix(sign, " ") {
			continue
		}
		if start, end, isQuoted := quoted(text, at[1]); isQuoted {
			last = end
			if isNamed(name, text[start:end]) {
				found = append(found, span{start, end, name})
			}
			continue
		}
		if isArrow {
			continue
		}
		start := at[1]
		word := upTo(text[start:], ends)
		if begins {
			line := lineValue(text[start:])
			if block().MatchString(line) {
				var lines []span
				lines, last = blockLines(text, start+len(line), indent, name)
				found = append(found, lines...)
				continue
			}
			if isProgram(line) {
				continue
			}
			if strings.HasSuffix(strings.ToLower(name), "cookie") {
				line = upTo(line, separate)
			}
			if !strings.ContainsAny(line, " \t") {
				word = line
			}
			if word == line && isNamed(name, word) && !strings.ContainsAny(word[:min(len(word), 1)], "{[") && !isShortNumber(word) {
				found = append(found, span{start, start + len(word), name})
				continue
			}
		}
		if word = upTo(word, ","); isNamed(name, word) && !isWordOfSentence(word) {
			found = append(found, span{start, start + len(word), name})
		}
	}
	return found
}

// isProgram reports whether a value begins with what a shell takes for the end of a command, or for a file.
func isProgram(value string) bool { return value != "" && strings.IndexByte(";|&<>", value[0]) >= 0 }

// beginsLine reports whether what is at a place is the first of its line, and how far it is indented.
func beginsLine(text string, at int) (indent int, begins bool) {
	const most = 64
	from := max(0, at-most)
	before := text[from:at]
	if line := strings.LastIndexByte(before, '\n'); line >= 0 {
		before = before[line+1:]
	} else if from > 0 {
		return 0, false
	}
	rest := strings.TrimLeft(before, " \t")
	return len(before) - len(rest), strings.Trim(strings.TrimPrefix(rest, "export "), " \t-") == ""
}

// lineValue is the value in the rest of a line, without a comment.
func lineValue(rest string) string {
	line, _, _ := strings.Cut(rest, "\n")
	if comment := strings.Index(line, " #"); comment >= 0 {
		line = line[:comment]
	}
	return strings.TrimRight(line, " \t\r,")
}

// blockLines are the lines below a name that are further indented and have one word each: others are no secret. The
// second result is where they end.
func blockLines(text string, at, indent int, name string) (found []span, end int) {
	next := strings.IndexByte(text[at:], '\n')
	for next >= 0 {
		at += next + 1
		line := upTo(text[at:], "\n")
		start := at + len(line) - len(strings.TrimLeft(line, " \t"))
		word := strings.TrimSpace(line)
		if word != "" && start-at <= indent {
			return found, at
		}
		if !strings.ContainsAny(word, " \t") && isNamed(name, word) {
			found = append(found, span{start, start + len(word), name})
		}
		if next = len(line); at+next == len(text) {
			next = -1
		}
	}
	return found, len(text)
}

// isWordOfSentence reports whether a text that follows a name may be a word: a secret has digits among letters, or
// many.
func isWordOfSentence(word string) bool {
	const least = 6
	hasDigits := strings.ContainsAny(word, "0123456789")
	hasOthers := strings.Trim(word, "0123456789.,:") != ""
	return len(word) < least || !hasDigits || !hasOthers && len(word) < minNumber || strings.Contains(word, "://")
}

func isShortNumber(word string) bool { return isPort(word) && len(word) < minNumber }

// variables are the values beside names of secrets.
func variables(text, lower string) (found []span) {
	if !strings.Contains(lower, "value") || !mayName(lower) {
		return nil
	}
	for _, at := range variable().FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		if !namesSecret(name) {
			continue
		}
		start, end, isQuoted := quoted(text, at[1])
		if !isQuoted {
			start, end = at[1], at[1]+len(upTo(text[at[1]:], " \t\r\n,}"))
		}
		if !isQuoted && isProgram(text[start:end]) {
			continue
		}
		if isNamed(name, text[start:end]) {
			found = append(found, span{start, end, name})
		}
	}
	return found
}

// elements are the texts of elements of XML that are named like a secret.
func elements(text, lower string) (found []span) {
	if !strings.Contains(text, "</") || !mayName(lower) {
		return nil
	}
	for _, at := range element().FindAllStringSubmatchIndex(text, -1) {
		start, end := at[4], at[5]
		if start < 0 {
			start, end = at[6], at[7]
		}
		if name := text[at[2]:at[3]]; isNamedInCommand(name, entity().ReplaceAllString(text[start:end], "x")) {
			found = append(found, span{start, end, name})
		}
	}
	return found
}

// cookies are the values of those in headers.
func cookies(text, lower string) (found []span) {
	if !strings.Contains(lower, "cookie:") {
		return nil
	}
	for _, header := range groups(cookie, text, 1) {
		for _, value := range groups(cookiePair, text[header.start:header.end], 1) {
			if s := (span{header.start + value.start, header.start + value.end, "cookie"}); isNamed(s.name, text[s.start:s.end]) {
				found = append(found, s)
			}
		}
	}
	return found
}

// quoted is where the text in quotes begins and ends that is at a place.
func quoted(text string, at int) (start, end int, isQuoted bool) {
	level := 0
	for at+level < len(text) && text[at+level] == '\\' {
		level++
	}
	start = at + level + 1
	if start > len(text) || text[start-1] != '"' && text[start-1] != '\'' {
		return at, at, false
	}
	return start, endOfQuoted(text, start, level, text[start-1]), true
}

// endOfQuoted is where a text in quotes ends that begins after a quote with so many backslashes: before the next
// quote with as many, at the end of the line, or of all.
func endOfQuoted(text string, start, level int, quote byte) int {
	slashes := 0
	for at := start; at < len(text); at++ {
		switch c := text[at]; {
		case c == '\\':
			slashes++
			continue
		case c == '\n':
			return at
		case c == quote && (quote == '\'' || slashes < level || slashes%(2*level+2) == level):
			return at - min(slashes, level)
		}
		slashes = 0
	}
	return len(text)
}

// upTo is a text up to the first of some characters.
func upTo(text, characters string) string {
	if at := strings.IndexAny(text, characters); at >= 0 {
		return text[:at]
	}
	return text
}
