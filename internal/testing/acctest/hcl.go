package acctest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Reference is an HCL expression that stands for itself, such as the attribute
// of another resource.
type Reference string

// Block is a resource block; attributes that are nil are left out.
func Block(typeName, label string, attributes map[string]any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "resource %q %q {\n", typeName, label)
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		if attributes[name] != nil {
			fmt.Fprintf(&b, "  %s = %s\n", name, Expression(attributes[name]))
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// Expression is a value as HCL: texts, which are taken as they are, numbers,
// booleans, nil, References, lists and objects of these.
func Expression(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case Reference:
		return string(value)
	case string:
		return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(fmt.Sprintf("%q", value))
	case []any:
		elements := make([]string, len(value))
		for i := range value {
			elements[i] = Expression(value[i])
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case map[string]any:
		fields := make([]string, 0, len(value))
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if value[name] != nil {
				fields = append(fields, fmt.Sprintf("%q = %s", name, Expression(value[name])))
			}
		}
		return "{ " + strings.Join(fields, ", ") + " }"
	default:
		return fmt.Sprint(value)
	}
}

// Written is an object of an API as the attributes of a resource, without what
// it leaves empty: attributes have the names of the API.
func Written(object any) (map[string]any, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var attributes map[string]any
	if err := json.Unmarshal(text, &attributes); err != nil {
		return nil, err
	}
	return withoutEmpty(attributes).(map[string]any), nil //nolint:forcetypeassert // it stays what it is
}

func withoutEmpty(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			if field = withoutEmpty(field); isEmpty(field) {
				delete(value, name)
			}
		}
	case []any:
		for i := range value {
			value[i] = withoutEmpty(value[i])
		}
	}
	return value
}

func isEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case float64:
		return value == 0
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}
