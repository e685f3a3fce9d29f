package acctest

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// Reference is an HCL expression that is written unquoted, such as the
// attribute of another resource.
type Reference string

// Lines are lines of HCL among the attributes of a block or an object; their
// key is ignored.
type Lines string

// Nested is a nested block.
type Nested map[string]any

// Block is a resource block; nil attributes are omitted.
func Block(typeName, label string, attributes map[string]any) string {
	return TopLevel("resource", []string{typeName, label}, attributes)
}

// DataBlock is a data block.
func DataBlock(typeName, label string, attributes map[string]any) string {
	return TopLevel("data", []string{typeName, label}, attributes)
}

// TopLevel is a block without a function of its own, such as
// TopLevel("ephemeral", []string{typeName, label}, ...).
func TopLevel(kind string, labels []string, attributes map[string]any) string {
	for _, label := range labels {
		kind += fmt.Sprintf(" %q", label)
	}
	return block(kind, attributes)
}

// RequiredProvider is needed in a configuration without a resource of the
// provider.
const RequiredProvider = "terraform {\n  required_providers {\n    kuscia = { source = \"terraform-kuscia/kuscia\" }\n  }\n}\n"

// ProviderBlock is a provider block.
func ProviderBlock(settings map[string]any) string { return block(`provider "kuscia"`, settings) }

// Variable is a string variable with further arguments in its block.
func Variable(name string, more map[string]any) string {
	attributes := map[string]any{"type": Reference("string")}
	maps.Copy(attributes, more)
	return TopLevel("variable", []string{name}, attributes)
}

// Output is an output block.
func Output(name string, value any) string {
	return TopLevel("output", []string{name}, map[string]any{"value": value})
}

// Moved is a moved block.
func Moved(from, to string) string {
	return block("moved", map[string]any{"from": Reference(from), "to": Reference(to)})
}

// ImportInto is an import block.
func ImportInto(address, id string) string {
	return block("import", map[string]any{"to": Reference(address), "id": id})
}

// ImportIdentity is an import block with an identity.
func ImportIdentity(address string, identity map[string]any) string {
	return block("import", map[string]any{"to": Reference(address), "identity": identity})
}

// AppImageBlock is a resource kuscia_app_image with one container. Attributes of
// the resource, its image, its template and its container are added to the
// default ones or replace them.
type AppImageBlock struct {
	Label                           string // "test" by default
	Name                            string
	Top, Image, Template, Container map[string]any
}

// String is the block.
func (b AppImageBlock) String() string {
	with := func(attributes, more map[string]any) map[string]any {
		maps.Copy(attributes, more)
		return attributes
	}
	container := with(map[string]any{"name": "app"}, b.Container)
	template := with(map[string]any{"name": "app", "containers": []any{container}}, b.Template)
	return Block("kuscia_app_image", cmp.Or(b.Label, "test"), with(map[string]any{
		"name": b.Name, "image": with(map[string]any{"name": "example/app", "tag": "1"}, b.Image), "deploy_templates": []any{template},
	}, b.Top))
}

func block(header string, attributes map[string]any) string {
	return header + " {\n" + attributeLines(attributes) + "}\n"
}

func attributeLines(attributes map[string]any) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		switch value := attributes[name].(type) {
		case nil:
		case Lines:
			if value != "" {
				fmt.Fprintf(&b, "%s\n", value)
			}
		case Nested:
			b.WriteString(block(name, value))
		default:
			fmt.Fprintf(&b, "  %s = %s\n", name, Expression(value))
		}
	}
	return b.String()
}

// Expression writes a value as HCL: strings, which are escaped, numbers,
// booleans, nil, References, lists and objects of these.
func Expression(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case Reference:
		return string(value)
	case string:
		return quoted(value)
	case map[string]any:
		return objectExpression(value)
	}
	switch of := reflect.ValueOf(value); of.Kind() {
	case reflect.String:
		return Expression(of.String())
	case reflect.Slice:
		elements := make([]string, of.Len())
		for i := range elements {
			elements[i] = Expression(of.Index(i).Interface())
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case reflect.Map:
		object := map[string]any{}
		for name, field := range of.Seq2() {
			object[name.String()] = field.Interface()
		}
		return objectExpression(object)
	default:
		return fmt.Sprint(value)
	}
}

// quoted quotes and escapes a string.
func quoted(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return `"` + strings.NewReplacer("${", "$${", "%{", "%%{").Replace(b.String()) + `"`
}

// objectExpression writes an object in one line, or in several if it has Lines.
func objectExpression(object map[string]any) string {
	var fields []string
	inLines := false
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch value := object[name].(type) {
		case nil:
		case Lines:
			if value != "" {
				fields, inLines = append(fields, string(value)), true
			}
		default:
			fields = append(fields, fmt.Sprintf("%q = %s", name, Expression(value)))
		}
	}
	if inLines {
		return "{\n" + strings.Join(fields, "\n") + "\n}"
	}
	return "{ " + strings.Join(fields, ", ") + " }"
}

// AttributesOf converts an object of an API to the attributes of a resource, without
// empty values: attributes have the names of the API.
func AttributesOf(tb testing.TB, object any) map[string]any {
	tb.Helper()
	attributes := testjson.Decode[map[string]any](tb, testjson.Encode(tb, object))
	return withoutEmpty(attributes).(map[string]any) //nolint:forcetypeassert // it stays what it is
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
