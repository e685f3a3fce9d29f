package secrets

import (
	"slices"
	"strings"
)

// Is reports whether a text is a secret by the name of its key, and no placeholder.
func Is(key, text string) bool {
	return namesSecret(key) && !isPlaceholder(text) && !isPlace(key, text)
}

// isPlace reports whether a text is the file of a key, or a folder in which a program works, which the name PWD is
// for too.
func isPlace(key, text string) bool {
	return strings.HasSuffix(strings.ToLower(key), "key") && keyFile().MatchString(text) || (key == "PWD" || key == "OLDPWD") && strings.HasPrefix(text, "/")
}

var keyFile = lazily(`^[\w./-]+\.(?:key|pem)$`)

// Has reports whether a text has secrets, see In.
func Has(text string) bool { return len(In(text)) > 0 }

// In returns the secrets in a text that is JSON or has assignments with them, those that Masked
// masks, and each only once.
func In(text string) (found []string) {
	text = text[:min(len(text), maxDecoded)]
	for _, s := range secretsInJSON(decodeAny(text)) {
		found = append(found, s.text)
	}
	for _, s := range spansOf(text) {
		if secret := text[s.start:s.end]; !slices.Contains(found, secret) {
			found = append(found, secret)
		}
	}
	return found
}

// Logged returns the secrets in a text of a program, such as the end of its log: those of
// In, and the values that a parser does not take.
func Logged(text string) []string {
	text = text[:min(len(text), maxDecoded)]
	found := In(text)
	for _, match := range refused().FindAllStringSubmatch(text, -1) {
		if isNamed(match[1], match[2]) {
			found = append(found, match[2])
		}
	}
	return found
}

// refused is what a parser says of a member whose value it does not take.
var refused = lazily(`([\w.-]{1,100})\)?: invalid value \\*"?([^\s"\\]+)`)

// notSecret are texts that are no secret, whatever their key.
var notSecret = []string{"true", "false", "yes", "no", "null", "none", "~"}

// Names returns the names in a text whose value is a secret, each once: the keys of JSON, see Keys,
// or the names in other texts, such as "db.password: x".
func Names(text string) []string {
	var all, once []string
	if value := decodeAny(text); value != nil {
		all = namesOf(secretsInJSON(value))
	} else {
		for _, s := range spansOf(text[:min(len(text), maxDecoded)]) {
			all = append(all, strings.TrimLeft(s.name, "-"))
		}
	}
	for _, name := range all {
		if name != "" && !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}

// Arguments returns the indexes of arguments of a command that have a secret: "--token=x", or
// "x" after "--token".
func Arguments(arguments []string) (found []int) {
	for i, argument := range arguments {
		if IsOfCommand(arguments, i) || Has(argument) {
			found = append(found, i)
		}
	}
	return found
}

// IsArgument reports whether an argument of a command is a secret by the one before it.
func IsArgument(before, argument string) bool {
	return strings.HasPrefix(before, "-") && !strings.ContainsAny(before, "= ") && !strings.HasPrefix(argument, "-") && isNamed(before, argument)
}

// refers reports whether a text stands for a value elsewhere, a variable, a path, or a switch, or is
// masked already.
func refers(text string) bool {
	return strings.HasPrefix(text, "$") || strings.HasPrefix(text, Mask) || strings.HasSuffix(text, "="+Mask) || strings.HasPrefix(text, "/") && strings.Count(text, "/") > 1 || slices.Contains(notSecret, strings.ToLower(text))
}
