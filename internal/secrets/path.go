package secrets

import "strings"

// MaskedPath is Masked for a path, or an address with one, of which each part is masked for itself: what
// follows a secret is the place of something. What may be credentials is masked too: what is before an "@"
// in an address or after a ":", and the values of parameters.
func MaskedPath(text string) string {
	scheme, rest, isAddress := strings.Cut(text, "://")
	if isAddress = isAddress && !strings.Contains(scheme, "/"); isAddress {
		scheme += "://"
	} else {
		scheme, rest = "", text
	}
	parts := strings.Split(rest, "/")
	hasUser := isAddress
	for i, part := range parts {
		part = Masked(part)
		user, host, found := cutLast(part, "@")
		switch name, password, isPair := strings.Cut(user, ":"); {
		case found && (hasUser || isPair):
			part, hasUser = Mask+"@"+host, isPair || i > 0
		case i == 0 && isPair && !isPort(password) && strings.Contains(rest, "@"): // a password with "/"
			part, hasUser = name+":"+Mask, true
		case i == 0:
			hasUser = false
		}
		parts[i] = maskedParameters(part)
	}
	return scheme + strings.Join(parts, "/")
}

// cutLast cuts a text at the last separator, and is all before it if there is none.
func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}

func isPort(text string) bool { return strings.Trim(text, "0123456789") == "" }

// parameter is one of an address: its name, if it has one, and its value.
var parameter = lazily(`([?&;#](?:[^=?&;#]*=)?)[^?&;#]+`)

// maskedParameters is a part of a path without the values of its parameters.
func maskedParameters(part string) string {
	at := strings.IndexAny(part, "?;#")
	if at < 0 {
		return part
	}
	return part[:at] + parameter().ReplaceAllString(part[at:], "${1}"+Mask)
}
