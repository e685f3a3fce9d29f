package definition_test

import (
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// timed has time limits for two of the three operations.
var timed = definition.New(definition.Schema{
	Attributes: []definition.Attribute{{Name: "name", Description: "Name."}},
	Timeouts:   definition.Timeouts{Create: 20 * time.Minute, Delete: 90 * time.Second},
})

// TestTimeouts: a configured time limit counts, otherwise the default; a wrong
// one is an error on its path.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		timeouts       any
		create, remove time.Duration
		problem        string
	}{
		"create":        {definition.Tree{"create": "1h30m"}, 90 * time.Minute, 90 * time.Second, ""},
		"both":          {definition.Tree{"create": "1s", "delete": "2s"}, time.Second, 2 * time.Second, ""},
		"not known yet": {definition.Tree{"create": definition.Unknown}, 20 * time.Minute, 90 * time.Second, ""},
		"no unit":       {definition.Tree{"create": "20"}, 20 * time.Minute, 90 * time.Second, `timeouts.create: "20" has no unit; for seconds write "20s", for minutes "20m".`},
		"no time":       {definition.Tree{"delete": "0s"}, 20 * time.Minute, 90 * time.Second, `timeouts.delete: "0s" is not positive; use a duration such as 30s or 20m.`},
		"empty":         {definition.Tree{"create": ""}, 20 * time.Minute, 90 * time.Second, `timeouts.create: "" is not a duration such as 90s, 20m or 1h30m.`},
	} {
		config := timed.Encode(definition.Tree{"name": "x", "timeouts": test.timeouts})
		if create, remove := timed.Timeout(config, definition.OnCreate), timed.Timeout(config, definition.OnDelete); create != test.create || remove != test.remove {
			t.Errorf("%s: %s and %s", name, create, remove)
		}
		said := ""
		for _, problem := range timed.Problems(config) {
			said += problem.Path.String() + ": " + problem.Detail
		}
		if said != test.problem {
			t.Errorf("%s: %q, want %q", name, said, test.problem)
		}
	}
}
