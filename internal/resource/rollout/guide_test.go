package rollout_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
)

// TestGuideNamesOutcomes: the values of last_release in the guide about releases are
// those of the attribute.
func TestGuideNamesOutcomes(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../templates/guides/releasing-step-by-step.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	outcomes := []string{kruise.Completed.String(), kruise.Cancelled.String()}
	found := regexp.MustCompile(`last_release = "(\w+)"`).FindAllSubmatch(guide, -1)
	if len(found) == 0 {
		t.Error("the guide does not mention last_release")
	}
	for _, match := range found {
		if !slices.Contains(outcomes, string(match[1])) {
			t.Errorf("last_release is never %q, only one of %q", match[1], outcomes)
		}
	}
}
