package party

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// CheckConfigText warns of a configuration text that is too large for a container, that has a key twice,
// and, if plans show it, that it has secrets.
func CheckConfigText(attribute, text string, isShown bool) (issues []check.Issue) {
	warn := func(summary, detail string) {
		if detail != "" {
			issues = append(issues, check.Issue{At: path.Root(attribute), Severity: check.Doubtful, Summary: summary, Detail: detail})
		}
	}
	warn("Configuration text too large for a container", describeConfigSize(text))
	warn("Configuration text with a key twice", describeRepeatedKey(attribute, text, isShown))
	if isShown {
		warn("Configuration text with credentials", describeConfigSecrets(attribute, text))
	}
	return issues
}

// describeRepeatedKey describes what becomes of a key that an object has twice; "" if none has.
func describeRepeatedKey(attribute, text string, isShown bool) string {
	key := secretflow.ParseText(text).RepeatedKey()
	if key == nil {
		return ""
	}
	name := "a key"
	if isShown {
		name = "the key " + tfvalue.Quote(cut(strings.Join(key, ".")))
	}
	return attribute + " has " + name + " twice. Some applications merge the values, others take the first or the last one, and the CLI's plan shows only one of them. Write each key once, for example with jsonencode()."
}
