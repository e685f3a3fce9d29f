package check_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

func found(severity check.Severity, subject string) []check.Issue {
	c := &check.Checker{}
	c.Add(severity, path.Root("a").AtName("b"), subject, "Summary", "detail")
	return c.IndependentOf(nil)
}

// TestWhenItIsReported: an issue is reported by the validation, by the plan, or
// as a warning. If the object already has the same issue for the same subject,
// it becomes a warning.
func TestWhenItIsReported(t *testing.T) {
	t.Parallel()
	var none func() []check.Issue
	same := func() []check.Issue { return found(check.Unusable, "s") }
	for severity, want := range map[check.Severity][4]int{ // errors of validate, errors and warnings of plan, warnings if the prior state has the issue
		check.Refused:  {1, 0, 0, 0},
		check.Unusable: {0, 1, 0, 1},
		check.Doubtful: {0, 0, 1, 1},
	} {
		issues := found(severity, "s")
		validated, planned, preexisting := check.Validate(issues), check.Plan(issues, none), check.Plan(issues, same)
		got := [4]int{validated.ErrorsCount(), planned.ErrorsCount(), planned.WarningsCount(), preexisting.WarningsCount()}
		if got != want {
			t.Errorf("severity %d: %v, want %v", severity, got, want)
		}
		for _, d := range validated {
			if !strings.HasPrefix(d.Detail(), "a.b: detail") {
				t.Errorf("no path in the detail: %s", d.Detail())
			}
		}
	}
	if diags := check.Plan(found(check.Unusable, "other"), same); !diags.HasError() {
		t.Error("an issue of the prior state hides one with another subject")
	}
}

// TestKnown: an issue that depends on an unknown value is not reported.
func TestKnown(t *testing.T) {
	t.Parallel()
	c := &check.Checker{}
	c.Add(check.Refused, path.Root("a").AtName("b"), "", "one", "")
	c.Add(check.Refused, path.Root("c"), "", "two", "", path.Root("d"))
	c.OneOf(check.Refused, path.Root("e"), "", "x", []string{"y"}, "")
	c.OneOf(check.Refused, path.Root("e"), "", "", []string{"y"}, "")
	seen := map[string]bool{}
	c.Unique(seen, "n", path.Root("f"), "three", "")
	c.Unique(seen, "n", path.Root("f"), "three", "")
	for _, test := range []struct {
		open []path.Path
		want int
	}{{nil, 4}, {[]path.Path{path.Root("a")}, 3}, {[]path.Path{path.Root("d")}, 3}, {[]path.Path{path.Root("a").AtName("x")}, 4}, {[]path.Path{path.Root("e"), path.Root("f")}, 2}} {
		if got := c.IndependentOf(test.open); len(got) != test.want {
			t.Errorf("%v: %d issues, want %d", test.open, len(got), test.want)
		}
	}
}

// TestLocated: a text begins with the path of its attribute, unless it names it.
func TestLocated(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ at, text, want string }{
		{"", "port is 0.", "port is 0."},
		{"port", "port is 0.", "port is 0."},
		{"port", "Not a port.", "port: Not a port."},
		{"ports[0].port", "port is 0.", "ports[0].port is 0."},
		{"ports[0].port", "ports[0].port: 0 is no port.", "ports[0].port: 0 is no port."},
		{"ports[0].port", "ports are needed.", "ports[0].port: ports are needed."},
		{`labels["a.b c"]`, `"b c" is no name.`, `labels["a.b c"]: "b c" is no name.`},
		{"parties", `parties["a"].role: Unknown.`, `parties["a"].role: Unknown.`},
		{"value", "values are needed.", "value: values are needed."},
	} {
		if got := check.Located(test.at, test.text); got != test.want {
			t.Errorf("%s: %q, want %q", test.at, got, test.want)
		}
	}
}
