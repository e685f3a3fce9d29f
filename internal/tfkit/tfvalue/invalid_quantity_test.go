package tfvalue_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestMeantQuantity: the message about a text with a unit of another notation has the quantities
// that it may mean.
func TestMeantQuantity(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1GB": `"1G" or "1Gi"`, "512MB": `"512M" or "512Mi"`, "2gb": `"2G" or "2Gi"`, "1g": `"1G" or "1Gi"`, "1.5tb": `"1.5T" or "1.5Ti"`,
		"1K": `"1k" or "1Ki"`, "100kB": `"100k" or "100Ki"`, "1Gb": `"1G" or "1Gi"`, "1 GB": `"1G" or "1Gi"`,
		"1 Gi": `"1Gi"`, " 1Gi": `"1Gi"`, "500 m": `"500m"`, "1 G": `"1G"`, "1GiB": `"1Gi"`, "1gi": `"1Gi"`, "1kib": `"1Ki"`, "100B": `"100"`,
		"": "", "much": "", "GB": "", "1.2.3GB": "", "1GBit": "", "1.5 cpu": "", "-1GB": "", strings.Repeat("9", 70) + "GB": "",
	} {
		said := tfvalue.InvalidQuantity(text)
		if meant := strings.Contains(said, "did you mean"); meant != (want != "") || meant && !strings.Contains(said, "did you mean "+want+"?") {
			t.Errorf("%q: %s", text, said)
		}
	}
}
