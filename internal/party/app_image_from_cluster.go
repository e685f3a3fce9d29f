package party

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"unicode"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// FromCluster converts an app image of the Kubernetes API to the form of
// KusciaAPI, without the resources of its containers and without what KusciaAPI
// does not show.
func FromCluster(object map[string]any) (*kuscia.AppImage, error) {
	metadata, _ := object["metadata"].(map[string]any)
	spec, _ := object["spec"].(map[string]any)
	shown, _ := inAPIForm(spec, "").(map[string]any)
	shown["name"], shown["config_templates"] = metadata["name"], spec["configTemplates"]
	templates, _ := shown["deploy_templates"].([]any)
	for _, template := range templates {
		if fields, ok := template.(map[string]any); ok {
			pods, _ := fields["spec"].(map[string]any)
			maps.Copy(fields, pods)
		}
	}
	encoded, err := json.Marshal(shown)
	if err != nil {
		return nil, fmt.Errorf("an app image cannot be read: %w", err)
	}
	image := &kuscia.AppImage{}
	if err := json.Unmarshal(encoded, image); err != nil {
		return nil, fmt.Errorf("an app image cannot be read: %w", err)
	}
	return image, nil
}

// inAPIForm renames the fields of a value to those of KusciaAPI, in which the
// port of a probe is a text.
func inAPIForm(value any, name string) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for field, member := range value {
			switch {
			case field == "resources", field == "configTemplates":
			case field == "port" && (name == "httpGet" || name == "tcpSocket"):
				out[field] = fmt.Sprint(member)
			default:
				out[snakeCase(field)] = inAPIForm(member, field)
			}
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i := range value {
			out[i] = inAPIForm(value[i], name)
		}
		return out
	}
	return value
}

func snakeCase(field string) string {
	var b strings.Builder
	for _, r := range field {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
