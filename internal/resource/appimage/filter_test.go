package appimage

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

func TestFilter(t *testing.T) {
	t.Parallel()
	image := &kuscia.AppImage{Name: "secretflow-1.2", Image: kuscia.AppImageInfo{Name: "secretflow/serving", Tag: "1.2"}}
	for name, test := range map[string]struct {
		prefix, regex, image string
		want                 bool
	}{
		"nothing asked":            {"", "", "", true},
		"prefix":                   {"secretflow-", "", "", true},
		"prefix is the whole name": {"secretflow-1.2", "", "", true},
		"prefix in the middle":     {"flow", "", "", false},
		"expression":               {"", `-\d`, "", true},
		"anchored expression":      {"", `^flow`, "", false},
		"image":                    {"", "", "secretflow/serving", true},
		"image is not a prefix":    {"", "", "secretflow", false},
		"image with its tag":       {"", "", "secretflow/serving:1.2", false},
		"all of them":              {"s", "2$", "secretflow/serving", true},
		"one of them not":          {"s", "3$", "secretflow/serving", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			desired := filter{namePrefix: test.prefix, imageName: test.image}
			if test.regex != "" {
				expression, problem := compileNameRegex(test.regex)
				if problem != "" {
					t.Fatal(problem)
				}
				desired.nameRegex = expression
			}
			if got := desired.matches(image); got != test.want {
				t.Errorf("matches: %t", got)
			}
			if got := desired.matchesAll(); got != (name == "nothing asked") {
				t.Errorf("matches all: %t", got)
			}
		})
	}
}

func TestCompileNameRegex(t *testing.T) {
	t.Parallel()
	_, problem := compileNameRegex("secretflow-(")
	for _, want := range []string{`"secretflow-("`, "missing closing )", "RE2", "for example"} {
		if !strings.Contains(problem, want) {
			t.Errorf("%q does not contain %q", problem, want)
		}
	}
}
