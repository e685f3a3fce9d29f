package planconfig

import (
	"maps"
	"slices"
)

// Setting is what the configuration says of a provider configuration.
type Setting struct {
	// Provider is the key of the provider configuration.
	Provider string
	// Command is a program with its arguments, as far as they are constants.
	Command []string
	// Server is the address of an API.
	Server string
}

// Plugins are the programs by which provider configurations log in. They run when a plan or an apply
// begins. mayRun are the configurations of which it is not known, since their settings refer to values.
func (c Configuration) Plugins() (plugins []Setting, mayRun []string) {
	for _, key := range slices.Sorted(maps.Keys(c.Providers)) {
		found, isHidden := findPlugins(c.Providers[key].Expressions, maxNesting)
		for _, command := range found {
			plugins = append(plugins, Setting{Provider: key, Command: command})
		}
		if isHidden && len(found) == 0 {
			mayRun = append(mayRun, key)
		}
	}
	return plugins, mayRun
}

// Servers are the APIs of the provider configurations of one provider, as far as they are constants.
func (c Configuration) Servers(provider string) (servers []Setting) {
	for _, key := range slices.Sorted(maps.Keys(c.Providers)) {
		if server, ok := constant(c.Providers[key].Expressions["endpoint"]).(string); ok && c.Providers[key].isOf(provider) {
			servers = append(servers, Setting{Provider: key, Server: server})
		}
	}
	return servers
}

// maxNesting bounds the levels of expressions that are searched.
const maxNesting = 10

// plugin is the attribute, or the block, of a credential plugin, and connection one of kuscia with one.
const plugin, connection = "exec", "kubernetes"

// findPlugins finds the commands of credential plugins in expressions. isHidden: there may be others.
func findPlugins(expressions any, levels int) (commands [][]string, isHidden bool) {
	if levels == 0 {
		return nil, true
	}
	add := func(value any) {
		below, hidden := findPlugins(value, levels-1)
		commands, isHidden = append(commands, below...), isHidden || hidden
	}
	switch v := expressions.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			value := v[key]
			switch {
			case key == plugin && (constant(value) != nil || refers(value)):
				commands = append(commands, commandsOf(value)...)
			case key == connection && !isConstant(value) && refers(value):
				isHidden = true
			default:
				add(value)
			}
		}
	case []any:
		for _, element := range v {
			add(element)
		}
	}
	return commands, isHidden
}

// commandsOf are the commands of an attribute with one plugin, or of blocks with one each.
func commandsOf(value any) (commands [][]string) {
	blocks, isList := value.([]any)
	if !isList {
		blocks = []any{value}
	}
	for _, block := range blocks {
		settings, _ := constant(block).(map[string]any)
		command := []string{}
		if text, ok := constant(settings["command"]).(string); ok {
			command = append(command, text)
		}
		arguments, _ := constant(settings["args"]).([]any)
		for _, argument := range arguments {
			if text, ok := constant(argument).(string); ok {
				command = append(command, text)
			}
		}
		commands = append(commands, command)
	}
	return commands
}

// isConstant reports whether an expression has a value of its own.
func isConstant(expression any) bool {
	object, _ := expression.(map[string]any)
	_, ok := object["constant_value"]
	return ok
}

// refers reports whether an expression is one that refers to values.
func refers(expression any) bool {
	object, _ := expression.(map[string]any)
	_, ok := object["references"]
	return ok
}

// constant is the value of an expression that is one, nil of one that refers to others, and what is no
// expression itself.
func constant(expression any) any {
	object, _ := expression.(map[string]any)
	value, ok := object["constant_value"]
	switch {
	case ok:
		return value
	case refers(expression):
		return nil
	}
	return expression
}
