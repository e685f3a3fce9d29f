package acctest

import (
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// IdentityVersions skips CLIs without resource identity, which Terraform and
// OpenTofu have since 1.12.
var IdentityVersions = []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_12_0)}

// Planned are checks of the plan of a step.
func Planned(checks ...plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: checks}
}

// Words returns an expression that matches texts in this order, regardless of
// line breaks.
func Words(texts ...string) *regexp.Regexp {
	for i, text := range texts {
		texts[i] = strings.ReplaceAll(text, " ", `[\s│]+`)
	}
	return regexp.MustCompile(`(?s)` + strings.Join(texts, ".*"))
}
