package party

import (
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// describeConfigSecrets describes which keys of the configuration text in an attribute
// hold secrets, never their values; "" if none does.
func describeConfigSecrets(attribute, text string) string {
	keys := secrets.Names(text)
	if len(keys) == 0 {
		return ""
	}
	return fmt.Sprintf("%s has the keys %s, whose values are shown in plans and stored in the state. "+
		"Use %[1]s_wo, which is neither shown nor stored (Terraform 1.11 or OpenTofu 1.11). With another CLI put the text into sensitive(), which hides it in plans.",
		attribute, firstFew(keys))
}

// firstFew lists the first few names in quotes.
func firstFew(names []string) string {
	const most = 5
	var shown []string
	for _, name := range names[:min(len(names), most)] {
		shown = append(shown, tfvalue.Quote(name))
	}
	if more := len(names) - most; more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(shown, ", ")
}

// ContainerSecretsSummary is the summary of the warning about secrets in the definition of a
// container.
const ContainerSecretsSummary = "Container definition with credentials"

// DescribeSecretNames describes that variables or lines with these names hold secrets, never their
// values, and what to do instead; "" for no names.
func DescribeSecretNames(attribute string, names []string, instead string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%s has values for %s, which are shown in plans and stored in the state. %s", attribute, firstFew(names), instead)
}

// DescribeSecretArguments describes which elements of a command or its arguments hold secrets;
// "" if none does.
func DescribeSecretArguments(attribute string, arguments []string, instead string) string {
	found := secrets.Arguments(arguments)
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("%s has a secret in its element %d, which is shown in plans and stored in the state, and in the list of processes. %s", attribute, found[0], instead)
}
