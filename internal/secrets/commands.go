package secrets

import (
	"slices"
	"strings"
)

// value is one that a shell takes as a word, after which the expressions look for no more of it.
const value = `(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"'|;&<>]+))`

// inCommand is what is between a program and its option, in one command.
const inCommand = `\b[^|;&\n]{0,300}?\s`

// commandSecrets are expressions with secrets that a command has after an option or a word, by a part
// of a text in small letters without which they find nothing. Some have the name in group 1.
var commandSecrets = []struct {
	part    string
	named   bool
	pattern expression
}{
	{"-", true, lazily(`(?:^|[\s"'])(--?[A-Za-z][\w-]{1,100})[ \t]+` + value)},
	{"set", true, lazily(`\b(?:configure|config)\s+set\s+([\w.-]{1,100})\s+` + value)},
	{"sshpass", false, lazily(`\bsshpass\s+-p\s*` + value)},
	{"mysql", false, lazily(`\bmysql(?:dump|admin|import)?` + inCommand + `-p` + value)},
	{"mariadb", false, lazily(`\bmariadb(?:-dump|-admin)?` + inCommand + `-p` + value)},
	{"mongo", false, lazily(`\bmongo(?:sh|dump|restore|import|export)?` + inCommand + `-p\s*` + value)},
	{"login", false, lazily(`\blogin` + inCommand + `-p[ =]*` + value)},
	{"redis-cli", false, lazily(`\bredis-cli` + inCommand + `-a\s*` + value)},
	{"ldap", false, lazily(`\bldap(?:search|modify|add|delete|passwd|whoami)` + inCommand + `-w\s*` + value)},
	{"curl", false, lazily(`\bcurl` + inCommand + `(?:-u|--user)[ =]*["']?[^\s:"']+:` + value)},
}

// commands are the secrets after options of commands.
func commands(text, lower string) (found []span) {
	if !strings.Contains(text, " -") && !strings.HasPrefix(text, "-") && !strings.Contains(lower, " set ") {
		return nil
	}
	for _, c := range commandSecrets {
		if !strings.Contains(lower, c.part) || c.named && !mayName(lower) {
			continue
		}
		for _, at := range c.pattern().FindAllStringSubmatchIndex(text, -1) {
			name, first := "password", 2
			if c.named {
				name, first = text[at[2]:at[3]], 4
			}
			for group := first; group < len(at); group += 2 {
				if at[group] < 0 {
					continue
				}
				if secret := text[at[group]:at[group+1]]; !strings.HasPrefix(secret, "-") && isNamed(name, secret) {
					found = append(found, span{at[group], at[group+1]})
				}
			}
		}
	}
	return found
}

// maxOptions is how many arguments before another may say that it is a secret, and maxOption their length.
const (
	maxOptions = 20
	maxOption  = 100
)

// IsOfCommand reports whether an argument of a command is a secret by those before it.
func IsOfCommand(arguments []string, index int) bool {
	if index < 1 || index >= len(arguments) {
		return false
	}
	if IsArgument(arguments[index-1], arguments[index]) {
		return true
	}
	if strings.ContainsAny(arguments[index], " \t\n") { // a command of its own
		return false
	}
	var before strings.Builder
	for _, argument := range arguments[max(0, index-maxOptions):index] {
		before.WriteString(argument[:min(len(argument), maxOption)] + " ")
	}
	line := before.String() + arguments[index]
	return slices.ContainsFunc(commands(line, inSmallLetters(line)), func(s span) bool { return s.start >= before.Len() })
}

// MaskedPath is Masked for a path, of which each part is masked for itself: what follows a name of a
// secret is the place of something.
func MaskedPath(text string) string {
	parts := strings.Split(text, "/")
	for i, part := range parts {
		parts[i] = Masked(part)
	}
	return strings.Join(parts, "/")
}
