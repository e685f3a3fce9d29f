package secrets

import "strings"

// mayClose reports whether a word in a text in lower case may end with a parenthesis that was opened before it: of a
// list of commands, or of a case, or where a mask is now.
func mayClose(lower string) bool {
	return strings.Contains(lower, ")") && containsAny(lower, "(", "case", Mask)
}

// closing is where a parenthesis is that a text does not open, before some characters; or where the first of these
// is, or the end.
func closing(text, before string) int {
	open := 0
	for at := range len(text) {
		switch c := text[at]; {
		case strings.IndexByte(before, c) >= 0:
			return at
		case c == '(':
			open++
		case c == ')':
			if open--; open < 0 {
				return at
			}
		}
	}
	return len(text)
}

// wordOf is the word at the start of a text, up to a comma, or to a closing parenthesis if there may be one.
func wordOf(text string, closes bool) string {
	if closes {
		return text[:closing(text, ends+",")]
	}
	return upTo(text, ends+",")
}

// inGroups are spans without what follows a parenthesis that they do not open, if they are not in quotes.
func inGroups(text, lower string, all []span) (found []span) {
	if !mayClose(lower) {
		return all
	}
	for _, s := range all {
		if isQuoted := s.start > 0 && s.end < len(text) && strings.IndexByte(`"'`, text[s.start-1]) >= 0; !isQuoted {
			s.end = s.start + closing(text[s.start:s.end], "")
		}
		if s.start < s.end {
			found = append(found, s)
		}
	}
	return found
}
