package party

import (
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// ConfigSecretsSummary is the summary of the warning about a text with secrets.
const ConfigSecretsSummary = "Configuration text with credentials"

// DescribeConfigSecrets describes which keys of the configuration text in an attribute
// hold secrets, never their values; "" if none does.
func DescribeConfigSecrets(attribute, text string) string {
	keys := tfvalue.SecretNames(text)
	if len(keys) == 0 {
		return ""
	}
	const most = 5
	var shown []string
	for _, key := range keys[:min(len(keys), most)] {
		shown = append(shown, tfvalue.Quote(key))
	}
	if more := len(keys) - most; more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%s has the keys %s, whose values are shown in plans and stored in the state. "+
		"Use %[1]s_wo, which is neither shown nor stored (Terraform 1.11 or OpenTofu 1.11). With another CLI put the text into sensitive(), which hides it in plans.",
		attribute, strings.Join(shown, ", "))
}
