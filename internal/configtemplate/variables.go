package configtemplate

import "strings"

// maxName bounds the names of variables that are looked for in a value.
const maxName = 256

// Expand replaces references to variables in the value of one, as the agent does: $(NAME) of a
// variable that lookup knows, and $$ by $. What is longer than a file may be is left out.
func Expand(value string, lookup func(name string) (value string, is bool)) string {
	if !strings.Contains(value, "$") {
		return value
	}
	var out strings.Builder
	for i := 0; i < len(value) && out.Len() < maxLength; i++ {
		rest := value[i:]
		end := strings.IndexByte(rest[:min(len(rest), maxName)], ')')
		switch {
		case strings.HasPrefix(rest, "$$"):
			out.WriteByte('$')
			i++
		case strings.HasPrefix(rest, "$(") && end > 0:
			found, is := lookup(rest[2:end])
			if !is {
				found = rest[:end+1]
			}
			out.WriteString(found)
			i += end
		default:
			out.WriteByte(value[i])
		}
	}
	return out.String()
}
