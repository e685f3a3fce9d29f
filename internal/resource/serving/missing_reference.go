package serving

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// missingReferences are objects that do not exist, with the attributes of the parties
// that refer to them: a name that is wrong in many parties is one error.
type missingReferences struct {
	names []string
	at    map[string][]path.Path
}

func (m *missingReferences) add(name string, at path.Path) {
	if m.at == nil {
		m.at = map[string][]path.Path{}
	}
	if m.at[name] == nil {
		m.names = append(m.names, name)
	}
	m.at[name] = append(m.at[name], at)
}

// maxPathsShown bounds the attributes in a message.
const maxPathsShown = 5

// report adds an error for each object.
func (m *missingReferences) report(diags *diag.Diagnostics, summary string, detail func(name string) string) {
	for _, name := range m.names {
		var paths []string
		for _, at := range m.at[name] {
			paths = append(paths, at.String())
		}
		if more := len(paths) - maxPathsShown; more > 0 {
			paths = append(paths[:maxPathsShown], fmt.Sprintf("and %d more", more))
		}
		diags.AddAttributeError(m.at[name][0], summary, strings.Join(paths, ", ")+": "+detail(name))
	}
}
