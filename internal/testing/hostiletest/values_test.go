package hostiletest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

const (
	// maxDiagnostic and maxDiagnostics limit the bytes of a diagnostic, and the
	// number of diagnostics of a response.
	maxDiagnostic  = 10 << 10
	maxDiagnostics = 50
	// maxValidation limits the time of a validation. It is far above what one
	// takes, and far below what a list with quadratic checks takes.
	maxValidation = time.Minute
)

// hostile is a text of 1 MiB that controls a terminal and reverses lines.
var hostile = "a\x1b[2J\u202e\x9b\r\nForged: line\n" + strings.Repeat("長", (1<<20)/3)

// TestHostileValues: whatever a string of a configuration contains, the
// validation of every type ends quickly, and its diagnostics are short and
// printable.
func TestHostileValues(t *testing.T) {
	for _, kind := range validated(t) {
		for _, at := range stringsOf(kind.schema) {
			t.Run(kind.name+"/"+strings.Join(at, "."), func(t *testing.T) {
				kind.check(t, valueWith(kind.schema.ValueType(), at, func(tftypes.Type) tftypes.Value { return protocolText(hostile) }))
			})
		}
	}
}

// TestLongLists: a list or map of wrong elements, as long as possible or longer, ends
// quickly and with few diagnostics.
func TestLongLists(t *testing.T) {
	lengths := []int{5_000}
	if !testing.Short() { // those that are just not refused take seconds
		lengths = append(lengths, 200, 1_000)
	}
	for _, kind := range validated(t) {
		for _, at := range listsOf(kind.schema) {
			for _, length := range lengths {
				t.Run(fmt.Sprint(kind.name, "/", strings.Join(at, "."), "/", length), func(t *testing.T) {
					kind.check(t, valueWith(kind.schema.ValueType(), at, func(of tftypes.Type) tftypes.Value {
						if named, isMap := of.(tftypes.Map); isMap {
							elements := map[string]tftypes.Value{}
							for i := range length {
								elements[fmt.Sprint("Not A Name ", i)] = wrong(named.ElementType, "Not A Name")
							}
							return tftypes.NewValue(of, elements)
						}
						list, _ := of.(tftypes.List)
						return tftypes.NewValue(of, slices.Repeat([]tftypes.Value{wrong(list.ElementType, "Not A Name")}, length))
					}))
				})
			}
		}
	}
}

// validatedType is anything whose configuration the provider validates.
type validatedType struct {
	name     string
	schema   *tfprotov6.Schema
	validate func(t *testing.T, config *tfprotov6.DynamicValue) []*tfprotov6.Diagnostic
}

// validated are the provider block and all types of a provider.
func validated(t *testing.T) (all []validatedType) {
	t.Helper()
	s := protocol.NewServer(t, provider.NewServer(provider.Build{Version: "test"}, true)())
	add := func(name string, schema *tfprotov6.Schema, validate func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error)) {
		all = append(all, validatedType{name, schema, func(t *testing.T, config *tfprotov6.DynamicValue) []*tfprotov6.Diagnostic {
			t.Helper()
			found, err := validate(config)
			if err != nil {
				t.Fatal(err)
			}
			return found
		}})
	}
	add("provider", s.Schemas.Provider, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
		resp, err := s.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: config})
		if err != nil || protocol.Failed(resp.Diagnostics) {
			return resp.Diagnostics, err
		}
		configured, err := s.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{TerraformVersion: "1.14.0", Config: config})
		return append(resp.Diagnostics, configured.Diagnostics...), err
	})
	for name, schema := range s.Schemas.ResourceSchemas {
		add("resource "+name, schema, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := s.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
				TypeName: name, Config: config, ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
			})
			return resp.Diagnostics, err
		})
	}
	for name, schema := range s.Schemas.DataSourceSchemas {
		add("data "+name, schema, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := s.ValidateDataResourceConfig(t.Context(), &tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		})
	}
	for name, schema := range s.Schemas.EphemeralResourceSchemas {
		add("ephemeral "+name, schema, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := s.ValidateEphemeralResourceConfig(t.Context(), &tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		})
	}
	for name, schema := range s.Schemas.ListResourceSchemas {
		add("list "+name, schema, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			lists, _ := s.ProviderServer.(tfprotov6.ListResourceServer)
			resp, err := lists.ValidateListResourceConfig(t.Context(), &tfprotov6.ValidateListResourceConfigRequest{
				TypeName: name, Config: config, Limit: protocol.Encode(tftypes.NewValue(tftypes.Number, 1)), IncludeResourceObject: protocol.Encode(tftypes.NewValue(tftypes.Bool, false)),
			})
			return resp.Diagnostics, err
		})
	}
	for name, action := range s.Schemas.ActionSchemas {
		add("action "+name, action.Schema, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			actions, _ := s.ProviderServer.(tfprotov6.ActionServer)
			resp, err := actions.ValidateActionConfig(t.Context(), &tfprotov6.ValidateActionConfigRequest{ActionType: name, Config: config})
			return resp.Diagnostics, err
		})
	}
	return all
}

// check validates a configuration, and checks the time and the diagnostics.
func (k validatedType) check(t *testing.T, config tftypes.Value) {
	t.Helper()
	encoded := protocol.Encode(config)
	start := time.Now()
	found := k.validate(t, encoded)
	if took := time.Since(start); took > maxValidation {
		t.Errorf("the validation took %s", took)
	}
	checkDiagnostics(t, found)
}

// checkDiagnostics checks that diagnostics are few, short and printable.
func checkDiagnostics(t *testing.T, found []*tfprotov6.Diagnostic) {
	t.Helper()
	if len(found) > maxDiagnostics {
		t.Errorf("%d diagnostics", len(found))
	}
	for _, d := range found {
		for what, text := range map[string]string{"summary": d.Summary, "detail": d.Detail, "path": pathText(d.Attribute)} {
			if len(text) > maxDiagnostic || !utf8.ValidString(text) || strings.ContainsFunc(text, unprintable) {
				t.Errorf("%s of %d bytes: %.120q", what, len(text), text)
				return
			}
		}
	}
}

func pathText(at *tftypes.AttributePath) string {
	if at == nil {
		return ""
	}
	return at.String()
}

// unprintable reports whether a character controls a terminal or the direction
// of a text.
func unprintable(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Cf, r)
}

func protocolText(text string) tftypes.Value { return tftypes.NewValue(tftypes.String, text) }

// stringsOf are the paths of all strings that can be configured: attributes, also
// nested, and elements and keys of lists and maps ("[]", "{}", "{key}").
func stringsOf(schema *tfprotov6.Schema) [][]string {
	return pathsOf(schema.Block.Attributes, func(of tftypes.Type) bool { return of.Is(tftypes.String) })
}

// listsOf are the paths of all lists and maps of objects that can be configured.
func listsOf(schema *tfprotov6.Schema) [][]string {
	return pathsOf(schema.Block.Attributes, func(of tftypes.Type) bool {
		named, isMap := of.(tftypes.Map)
		return of.Is(tftypes.List{}) || isMap && named.ElementType.Is(tftypes.Object{})
	})
}

func pathsOf(attributes []*tfprotov6.SchemaAttribute, wanted func(tftypes.Type) bool) (paths [][]string) {
	for _, a := range attributes {
		if !a.Optional && !a.Required {
			continue // a CLI refuses a value
		}
		at := []string{a.Name}
		of := a.ValueType()
		if wanted(of) {
			paths = append(paths, at)
		}
		switch of := of.(type) {
		case tftypes.List:
			at = []string{a.Name, "[]"}
			if wanted(of.ElementType) {
				paths = append(paths, at)
			}
		case tftypes.Map:
			at = []string{a.Name, "{}"}
			if wanted(of.ElementType) {
				paths = append(paths, at)
			}
			if wanted(tftypes.String) {
				paths = append(paths, []string{a.Name, "{key}"})
			}
		}
		if a.NestedType != nil {
			for _, rest := range pathsOf(a.NestedType.Attributes, wanted) {
				paths = append(paths, append(slices.Clone(at), rest...))
			}
		}
	}
	return paths
}

// valueWith is a value with another one at a path; everything beside the path is
// null, except for strings, which are "a".
func valueWith(of tftypes.Type, at []string, value func(tftypes.Type) tftypes.Value) tftypes.Value {
	if len(at) == 0 {
		return value(of)
	}
	switch of := of.(type) {
	case tftypes.Object:
		fields := map[string]tftypes.Value{}
		for name, attribute := range of.AttributeTypes {
			switch {
			case name == at[0]:
				fields[name] = valueWith(attribute, at[1:], value)
			case attribute.Is(tftypes.String):
				fields[name] = protocolText("a")
			default:
				fields[name] = tftypes.NewValue(attribute, nil)
			}
		}
		return tftypes.NewValue(of, fields)
	case tftypes.List:
		return tftypes.NewValue(of, []tftypes.Value{valueWith(of.ElementType, at[1:], value)})
	case tftypes.Map:
		if at[0] == "{key}" {
			return tftypes.NewValue(of, map[string]tftypes.Value{hostile: wrong(of.ElementType, "")})
		}
		return tftypes.NewValue(of, map[string]tftypes.Value{"key": valueWith(of.ElementType, at[1:], value)})
	}
	panic(fmt.Sprintf("%s has nothing below it", of))
}

// wrong is a value of which most attributes are refused.
func wrong(of tftypes.Type, text string) tftypes.Value {
	switch of := of.(type) {
	case tftypes.Object:
		fields := map[string]tftypes.Value{}
		for name, attribute := range of.AttributeTypes {
			fields[name] = wrong(attribute, text)
		}
		return tftypes.NewValue(of, fields)
	default:
		switch {
		case of.Is(tftypes.String):
			return protocolText(text)
		case of.Is(tftypes.Number):
			return tftypes.NewValue(of, -1.5)
		}
		return tftypes.NewValue(of, nil)
	}
}
