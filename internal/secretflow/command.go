package secretflow

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// flag is the value of a flag; known is false if it may come from elsewhere.
type flag struct {
	value string
	known bool
}

// is reports that a flag certainly or possibly has a value.
func (f flag) is(value string) bool { return f.value == value }

// flags are the flags of the application.
type flags struct {
	mode, configFile, logging, trace flag
	// noLoadBalancer is set if the application certainly balances no load among peers.
	noLoadBalancer bool
}

// usualFlagFile is the file of the image that turns the load balancer on and sets nothing else.
const usualFlagFile = "conf/gflags.conf"

var (
	// program is the program of the application, as a word or in a script.
	program = regexp.MustCompile(`(^|[^\w.-])secretflow_serving($|[^\w.-])`)
	// kusciaMode is its mode for Kuscia.
	kusciaMode = regexp.MustCompile(`config[_-]mode["']?[\s=]+["']?kuscia\b`)
	// shellCommand is the option of a shell for a script, perhaps with others.
	shellCommand = regexp.MustCompile(`^-[a-z]*c$`)
	// folder is a command before another one that changes no flags.
	folder = regexp.MustCompile("^cd\\s+(?:\"[^\"$`\\\\]*\"|'[^']*'|[\\w./-]+)\\s*&&\\s*")
	// assignment sets a variable for a command.
	assignment = regexp.MustCompile(`^[A-Za-z_]\w*=`)
)

// names reports whether a container's command names the application, perhaps to start it.
func (i *Image) names(c *Container) bool {
	all := strings.Join(slices.Concat(c.Command, c.Args), " ")
	return program.MatchString(all) && (i.isOfficial() || kusciaMode.MatchString(all))
}

// flags reads the flags of a container's command that does nothing but start the application. nil:
// they are not known, as those in any other script.
func (i *Image) flags(c *Container) *flags {
	words := slices.Concat(c.Command, c.Args)
	if len(c.Command) == 0 && !i.isUpstream() {
		return nil // another image may have an entry point
	}
	if len(words) > 2 && isShell(words[0]) && shellCommand.MatchString(words[1]) {
		words = simpleCommand(words[2])
	}
	for len(words) > 0 && (words[0] == "exec" || path.Base(words[0]) == "env" || assignment.MatchString(words[0])) {
		words = words[1:]
	}
	if len(words) == 0 || path.Base(words[0]) != "secretflow_serving" {
		return nil
	}
	return i.parseFlags(words[1:])
}

func isShell(word string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "ash"}, path.Base(word))
}

// parseFlags reads the arguments of the application.
func (i *Image) parseFlags(words []string) *flags {
	values := map[string]string{}
	others := false
	for n := 0; n < len(words); n++ {
		name, value, assigned := strings.Cut(strings.TrimLeft(words[n], "-"), "=")
		others = others || strings.Contains(name, "$") // which may be any flag
		if !strings.HasPrefix(words[n], "-") {
			continue
		}
		if !assigned && n+1 < len(words) && !strings.HasPrefix(words[n+1], "-") {
			n++
			value = words[n]
		}
		values[strings.ReplaceAll(name, "-", "_")] = value
	}
	file, hasFile := values["flagfile"]
	others = others || has(values, "fromenv") || has(values, "tryfromenv")
	// The load balancer needs a flag, which the file may have in any image.
	noLoadBalancer := !hasFile && !others && !has(values, "enable_peers_load_balancer")
	others = others || hasFile && (file != usualFlagFile || !i.isUpstream())
	get := func(name string) flag {
		value, is := values[name]
		return flag{value, (is || !others) && !strings.Contains(value, "$")}
	}
	return &flags{
		mode: get("config_mode"), configFile: get("serving_config_file"), logging: get("logging_config_file"), trace: get("trace_config_file"),
		noLoadBalancer: noLoadBalancer,
	}
}

func has(values map[string]string, name string) bool {
	_, is := values[name]
	return is
}

// simpleCommand returns the words of a script that is one command, perhaps in another folder. nil:
// it is more, or a word depends on what only the shell knows.
func simpleCommand(script string) []string {
	script = strings.TrimSpace(script)
	script = script[len(folder.FindString(script)):]
	var (
		words  []string
		word   strings.Builder
		inWord bool
		quote  byte
	)
	for n := 0; n < len(script); n++ {
		c := script[n]
		switch {
		case c == '\\' && quote != '\'':
			n++
			switch {
			case n == len(script):
				return nil
			case script[n] == '\n':
				continue // a line that continues
			case quote == '"' && strings.IndexByte("$`\"\\", script[n]) < 0:
				word.WriteByte('\\')
			}
			word.WriteByte(script[n])
			inWord = true
		case quote != 0:
			switch {
			case c == quote:
				quote = 0
			case c == '`' && quote == '"':
				return nil
			default:
				word.WriteByte(c)
			}
		case c == '"' || c == '\'':
			quote, inWord = c, true
		case c == ' ' || c == '\t':
			if inWord {
				words, inWord = append(words, word.String()), false
				word.Reset()
			}
		case strings.IndexByte("\n\r;|&<>()`$#*?[]{}~!", c) >= 0:
			return nil
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}
