package appimage

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// objectOf is the AppImage that the KusciaAPI writes.
func objectOf(image *kuscia.AppImage) (*objects.AppImage, error) {
	made := &objects.AppImage{Meta: objects.Meta{Name: image.Name}, Spec: objects.AppImageSpec{
		Image: objects.Image(image.Image), ConfigTemplates: image.ConfigTemplates,
	}}
	for _, t := range image.DeployTemplates {
		template := objects.DeployTemplate{Name: t.Name, Role: t.Role, Replicas: new(t.Replicas), Spec: objects.PartySpec{RestartPolicy: t.RestartPolicy}}
		if err := convertTree(t.Containers, camelCase, &template.Spec.Containers); err != nil {
			return nil, fmt.Errorf("app image %q: %w", image.Name, err)
		}
		made.Spec.DeployTemplates = append(made.Spec.DeployTemplates, template)
	}
	return made, nil
}

// imageOf is what the KusciaAPI returns for an AppImage.
func imageOf(object *objects.AppImage) (kuscia.AppImage, error) {
	image := kuscia.AppImage{Name: object.Meta.Name, Image: kuscia.AppImageInfo(object.Spec.Image), ConfigTemplates: object.Spec.ConfigTemplates}
	for _, t := range object.Spec.DeployTemplates {
		template := kuscia.DeployTemplate{Name: t.Name, Role: t.Role, RestartPolicy: t.Spec.RestartPolicy}
		if t.Replicas != nil {
			template.Replicas = *t.Replicas
		}
		if err := convertTree(t.Spec.Containers, snakeCase, &template.Containers); err != nil {
			return image, fmt.Errorf("app image %q: %w", image.Name, err)
		}
		image.DeployTemplates = append(image.DeployTemplates, template)
	}
	var err error
	image.DeployTemplates, err = storeTemplates(image.DeployTemplates)
	return image, err
}

// convertTree converts a value to another whose JSON has the same fields with other
// names.
func convertTree(from any, rename func(string) string, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err
	}
	if text, err = json.Marshal(renamed(tree, rename)); err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// renamed renames the fields of a tree, and leaves out those that are not set.
func renamed(tree any, rename func(string) string) any {
	switch tree := tree.(type) {
	case []any:
		for i := range tree {
			tree[i] = renamed(tree[i], rename)
		}
	case map[string]any:
		out := map[string]any{}
		for name, value := range tree {
			if isSet(name, value) {
				out[rename(name)] = renamedField(name, value, rename)
			}
		}
		return out
	}
	return tree
}

func isSet(name string, value any) bool {
	list, isList := value.([]any)
	return value != nil && value != "" && value != 0.0 && (!isList || len(list) > 0) && (name != graceSeconds || value != "0")
}

// graceSeconds is the name of a field that is a text in the KusciaAPI.
const graceSeconds = "termination_grace_period_seconds"

// renamedField is renamed for the fields of a probe with another form: a grace period
// is a text in the KusciaAPI, and a port is only a name there, "" for a number.
func renamedField(name string, value any, rename func(string) string) any {
	value = renamed(value, rename)
	switch name {
	case graceSeconds:
		seconds, _ := strconv.ParseInt(fmt.Sprint(value), 10, 64) // kuscia.Int64
		return seconds
	case "http_get", "tcp_socket":
		if fields, ok := value.(map[string]any); ok && fields["port"] == nil {
			fields["port"] = ""
		}
	case "terminationGracePeriodSeconds":
		return fmt.Sprintf("%.0f", value)
	case "httpGet", "tcpSocket":
		if fields, ok := value.(map[string]any); ok {
			if _, isName := fields["port"].(string); !isName {
				delete(fields, "port")
			}
		}
	}
	return value
}

func camelCase(name string) string {
	words := strings.Split(name, "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}

func snakeCase(name string) string {
	var out strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
