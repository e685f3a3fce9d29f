package secrets

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Is reports whether a text is a secret by the name of its key, and no placeholder.
func Is(key, text string) bool { return namesSecret(key) && !isPlaceholder(text) }

// Has reports whether a text has secrets, see In.
func Has(text string) bool { return len(In(text)) > 0 }

// In returns the secrets in a text that is JSON or has assignments with them, or an address with
// a password. A text with a private key is one.
func In(text string) (found []string) {
	text = text[:min(len(text), maxDecoded)]
	for _, s := range named(text) {
		found = append(found, s.text)
	}
	for _, match := range addressWithPassword.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	if strings.Contains(text, "PRIVATE KEY-----") {
		found = append(found, text)
	}
	return found
}

// Logged returns the secrets in a text of a program, such as the end of its log: those of
// In, and values of keys that are named like one in parts of JSON, also escaped, or in
// assignments anywhere in a line.
func Logged(text string) []string {
	text = text[:min(len(text), maxDecoded)]
	found := In(text)
	for _, pattern := range []*regexp.Regexp{member, argument, refused} {
		for _, match := range pattern.FindAllStringSubmatch(text, -1) {
			if name, value := match[1], cmp.Or(match[2:]...); Is(name, value) && !refers(value) {
				found = append(found, value)
			}
		}
	}
	return found
}

var (
	// member is a member of a JSON object with a text or a longer number, at any level of escapes, also
	// as lenient parsers take it.
	member = regexp.MustCompile(`([\w.-]{1,100})\\*["']?\s*:\s*(?:\\*"((?:[^"\\]|\\+[^"\\])+)|\\*'((?:[^'\\]|\\+[^'\\])+)|(-?[0-9][0-9.eE+-]{7,}))`)
	// refused is what a parser says of a member whose value it does not take.
	refused = regexp.MustCompile(`([\w.-]{1,100})\)?: invalid value \\*"?([^\s"\\]+)`)
	// argument is such as --token=x.
	argument = regexp.MustCompile(`([\w.-]{1,100})=["']?([^\s"'&,;]+)`)
	// assignment is a line such as "db.password: x" of YAML, properties or INI, or an argument
	// such as --token=x.
	assignment = regexp.MustCompile(`(?m)^[ \t]*(?:export[ \t]+)?[-"']*(?:- )?["']?([\w.-]{1,100})["']?[ \t]*[:=][ \t]*["']?([^\s"'#]+)`)
	// addressWithPassword is such as mysql://user:password@host.
	addressWithPassword = regexp.MustCompile(`://[^/\s:@]*:([^/\s@{$<*]+)@`)
)

// notSecret are texts that are no secret, whatever their key.
var notSecret = []string{"true", "false", "yes", "no", "null", "none", "~"}

// Names returns the names in a text whose value is a secret: the keys of JSON, see Keys,
// or the names in lines such as "db.password: x".
func Names(text string) []string {
	var names []string
	for _, name := range namesOf(named(text)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// named are the secrets in a text that have a name.
func named(text string) (found []secret) {
	if value := decodeAny(text); value != nil {
		return secretsInJSON(value)
	}
	for _, match := range assignment.FindAllStringSubmatch(text[:min(len(text), maxDecoded)], -1) {
		if name, value := match[1], match[2]; Is(name, value) && !refers(value) {
			found = append(found, secret{name, value})
		}
	}
	return found
}

// Arguments returns the indexes of arguments of a command that have a secret: "--token=x", or
// "x" after "--token".
func Arguments(arguments []string) (found []int) {
	for i, argument := range arguments {
		named := i > 0 && strings.HasPrefix(arguments[i-1], "-") && !strings.ContainsAny(arguments[i-1], "= ") && !strings.HasPrefix(argument, "-") &&
			Is(arguments[i-1], argument) && !refers(argument)
		if named || Has(argument) {
			found = append(found, i)
		}
	}
	return found
}

// refers reports whether a text stands for a value elsewhere: a variable, a path, or a switch.
func refers(text string) bool {
	return strings.HasPrefix(text, "$") || strings.HasPrefix(text, "/") && strings.Count(text, "/") > 1 || slices.Contains(notSecret, strings.ToLower(text))
}
