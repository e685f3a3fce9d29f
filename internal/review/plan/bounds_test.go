package plan_test

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// TestBoundsInGuide: the guide names every bound for which a plan is refused.
func TestBoundsInGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../templates/guides/reviews-in-detail.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	want := message.NewPrinter(language.English).Sprintf("A plan may have %d MiB, and %d MiB or %d values of changes;", plan.MaxInput>>20, plan.MaxPlan>>20, plan.MaxValues)
	if !strings.Contains(string(guide), want) {
		t.Errorf("the guide does not say %q", want)
	}
}
