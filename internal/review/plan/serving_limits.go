package plan

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// whyReplaced is why Kuscia cannot change an attribute of a live serving, "" where the
// attribute says it itself.
func whyReplaced(kind, at string) phrase.Words {
	if kind != "kuscia_serving" {
		return ""
	}
	root, rest, _ := strings.Cut(at, ".")
	_, attribute, _ := strings.Cut(rest, ".")
	attribute, _, _ = strings.Cut(attribute, ".")
	switch {
	case root == "replace_triggers":
		return ""
	case strings.HasPrefix(root, "serving_input_config"):
		return "Kuscia cannot remove the configuration of a live serving"
	case root != "parties":
		return "fixed when a serving is created"
	case attribute == "service_name_prefix":
		return "Kuscia names Services only when a serving is created"
	case attribute == "resources", attribute == "container_resources", attribute == "app_image":
		return "Kuscia can only change resources that a live serving has"
	}
	return "Kuscia cannot add or remove parties of a live serving"
}
