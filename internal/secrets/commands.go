package secrets

import (
	"slices"
	"strings"
)

// value is one that a shell takes as a word, after which the expressions look for no more of it.
const value = "(?:\"([^\"\n]+)\"|'([^'\n]+)'|([^\\s\"'`|;&<>]+))"

// maxCommand is how far after a program its option is looked for, in one command.
const maxCommand = 300

// commandSecrets are secrets that a command has after an option or a word, by a part of a text in small
// letters without which there are none: an expression for a program and one for what follows it in the
// same command, or only one, which has the name in group 1.
var commandSecrets = []struct {
	part            string
	program, option expression
}{
	{"-", nil, lazily(`(?:^|[\s"'])(--?[A-Za-z][\w-]{1,100})[ \t]+` + value)},
	{"pass:", nil, lazily(`-pass(?:in|out)?[ \t]+["']?(pass):` + value)},
	{"login", nil, lazily(`\b(?:machine\s+\S+|default)\s+login\s+\S+\s+(password)[ \t]+` + value)},
	{"set", nil, lazily(`\b(?:configure|config)\s+set\s+([\w.-]{1,100})[ \t]+` + value)},
	{"sshpass", lazily(`\bsshpass\b`), lazily(`\s-p\s*` + value)},
	{"mysql", lazily(`\bmysql(?:dump|admin|import)?\b`), lazily(`\s-p` + value)},
	{"mariadb", lazily(`\bmariadb(?:-dump|-admin)?\b`), lazily(`\s-p` + value)},
	{"mongo", lazily(`\bmongo(?:sh|dump|restore|import|export)?\b`), lazily(`\s-p\s*` + value)},
	{"login", lazily(`\blogin\b`), lazily(`\s-p[ =]*` + value)},
	{"redis-cli", lazily(`\bredis-cli\b`), lazily(`\s-a\s*` + value)},
	{"ldap", lazily(`\bldap(?:search|modify|add|delete|passwd|whoami)\b`), lazily(`\s-w\s*` + value)},
	{"curl", lazily(`\bcurl\b`), lazily(`\s(?:-u|--user)[ =]*["']?[^\s:"']+:` + value)},
}

// commands are the secrets after options of commands.
func commands(text, lower string) (found []span) {
	if !strings.HasPrefix(text, "-") && !containsAny(lower, " -", " set ", "login") {
		return nil
	}
	for _, c := range commandSecrets {
		switch {
		case !strings.Contains(lower, c.part):
		case c.program != nil:
			found = append(found, afterProgram(text, c.program, c.option)...)
		case mayName(lower):
			for _, at := range c.option().FindAllStringSubmatchIndex(text, -1) {
				found = append(found, valuesOf(text, text[at[2]:at[3]], at[4:])...)
			}
		}
	}
	return found
}

// afterProgram are the secrets after an option in the command of a program. No part of a text is
// searched twice, however often it names the program.
func afterProgram(text string, program, option expression) (found []span) {
	searched := 0
	for _, at := range program().FindAllStringIndex(text, -1) {
		from := max(at[1], searched)
		command := text[from:min(max(from, at[1]+maxCommand), len(text))]
		if end := strings.IndexAny(command, "|;&\n"); end >= 0 {
			command = command[:end]
		}
		searched = from + len(command)
		match := option().FindStringSubmatchIndex(command)
		if match == nil {
			continue
		}
		searched = from + match[1]
		for i := range match {
			if match[i] >= 0 {
				match[i] += from
			}
		}
		found = append(found, valuesOf(text, "password", match[2:])...)
	}
	return found
}

// valuesOf are the values of a name in the groups of a match.
func valuesOf(text, name string, groups []int) (found []span) {
	for group := 0; group < len(groups); group += 2 {
		if groups[group] < 0 {
			continue
		}
		if secret := text[groups[group]:groups[group+1]]; !strings.HasPrefix(secret, "-") && isNamedInCommand(name, secret) {
			found = append(found, span{groups[group], groups[group+1], name})
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
