package hostiletest_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

const (
	// maxDiagnostic and maxDiagnostics limit the bytes of a diagnostic, and the
	// number of diagnostics of a response.
	maxDiagnostic  = 10 << 10
	maxDiagnostics = 50
	// maxCall limits the time of a validation, a plan and an apply with one hostile value, which
	// take at most two seconds of a processor: a machine that runs all tests at once is many times
	// slower.
	maxCall = 2 * time.Minute
)

// hostileTexts are strings that somebody may put into a configuration to hang the provider, or
// to trick the reader of its messages.
var hostileTexts = map[string]string{
	"controls":      "a\x00b\x1b[2J\u202e\u009b\r\nError: forged\u2028" + strings.Repeat("長", (1<<20)/3),
	"invalid UTF-8": "a\xff\x9b\xc3" + strings.Repeat("\x80", 1<<10),
	"a long name":   strings.Repeat("a", 2<<20),
	"deep JSON":     strings.Repeat("[", 1<<19) + strings.Repeat("]", 1<<19),
	"deep objects":  strings.Repeat(`{"a":`, 1<<17) + "1" + strings.Repeat("}", 1<<17),
}

// TestHostileValues: whatever a string of a configuration contains, the validation of every type,
// and plan and apply of every resource, end quickly, with few, short and printable diagnostics,
// also if a server refuses a request with the text of this request. Each error that the value
// causes names its attribute.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds(t, refusing(t)) {
		for _, at := range stringsOf(kind.schema) {
			for what, text := range hostileTexts {
				name := kind.name + "/" + strings.Join(at, ".") + "/" + what
				drawn := isDrawn(name)
				if !drawn && what != "controls" {
					continue
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					found := kind.check(t, kind.configAt(at, text), drawn)
					if drawn {
						kind.checkNamed(t, at, text, kind.check(t, kind.configAt(at, "a"), drawn), found)
					}
				})
			}
		}
	}
}

// TestLongLists: a list or map of 10,001 wrong elements is refused by the validation, or plan and
// apply end quickly too; so are those that are just not refused.
func TestLongLists(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds(t, refusing(t)) {
		for _, at := range listsOf(kind.schema) {
			for _, length := range []int{10_001, 1_000} {
				name := fmt.Sprint(kind.name, "/", strings.Join(at, "."), "/", length)
				if length == 1_000 && !isDrawn(name) {
					continue
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					kind.check(t, kind.configWith(at, func(of tftypes.Type) tftypes.Value { return repeated(of, length) }), isDrawn(name))
				})
			}
		}
	}
}

// isDrawn reports whether a case is in the sample of -short: one of forty, always the same.
func isDrawn(name string) bool {
	hash := fnv.New32()
	_, _ = io.WriteString(hash, name)
	return int(hash.Sum32())%short.Count(40, 1) == 0
}

// kind is anything whose configuration the provider validates.
type kind struct {
	name   string
	schema *tfprotov6.Schema
	// validate validates a configuration, and apply, of resources, plans and applies its create.
	validate func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error)
	apply    func(t *testing.T, config tftypes.Value) (planned, applied []*tfprotov6.Diagnostic)
}

// kinds are the provider block and all types of a provider.
func kinds(t *testing.T, server func(t *testing.T) *protocol.Server) (all []kind) {
	t.Helper()
	s := server(t)
	add := func(name string, schema *tfprotov6.Schema, validate func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error)) {
		all = append(all, kind{name: name, schema: schema, validate: validate})
	}
	add("provider", s.Schemas.Provider, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
		s := server(t) // which is configured again
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
		all[len(all)-1].apply = func(t *testing.T, config tftypes.Value) (planned, applied []*tfprotov6.Diagnostic) {
			t.Helper()
			r := server(t).Resource(t, name)
			plan, _ := r.Plan(t, config, r.None())
			planned = plan.Diagnostics
			if protocol.Failed(planned) { // an apply without a plan
				plan.PlannedState = protocol.Encode(r.Proposed(r.None().Value, config))
			}
			made := r.Change(t, config, r.None(), plan)
			if !protocol.Failed(made.Diagnostics) {
				t.Error("the apply is not refused")
			}
			return planned, made.Diagnostics
		}
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

// check validates a configuration, and plans and applies it where asked to and possible. It checks
// the time and the diagnostics, and returns those of the validation and the plan.
func (k kind) check(t *testing.T, config tftypes.Value, apply bool) []*tfprotov6.Diagnostic {
	t.Helper()
	start := time.Now()
	found, err := k.validate(protocol.Encode(config))
	if err != nil {
		t.Fatal(err)
	}
	checkDiagnostics(t, found)
	refused := slices.ContainsFunc(found, func(d *tfprotov6.Diagnostic) bool { return d.Summary == "Too many elements" })
	if apply && k.apply != nil && !refused {
		planned, applied := k.apply(t, config)
		found = append(found, planned...)
		checkDiagnostics(t, planned)
		checkDiagnostics(t, applied)
	}
	if took := time.Since(start); took > maxCall {
		t.Errorf("it took %s", took)
	}
	return found
}

// configAt is a configuration with a text at a path, as the key or value there.
func (k kind) configAt(at []string, text string) tftypes.Value {
	if at[len(at)-1] == "{key}" {
		return k.configWith(at[:len(at)-1], func(of tftypes.Type) tftypes.Value {
			entries, _ := of.(tftypes.Map)
			return tftypes.NewValue(of, map[string]tftypes.Value{text: wrong(entries.ElementType, "a")})
		})
	}
	return k.configWith(at, func(tftypes.Type) tftypes.Value { return protocolText(text) })
}

// configWith is a configuration with a value at a path.
func (k kind) configWith(at []string, value func(tftypes.Type) tftypes.Value) tftypes.Value {
	fields := protocol.Fields(valueWith(k.schema.ValueType(), at, value))
	for _, a := range k.schema.Block.Attributes {
		if !isConfigurable(a) {
			fields[a.Name] = tftypes.NewValue(a.ValueType(), nil)
		}
	}
	return tftypes.NewValue(k.schema.ValueType(), fields)
}

// isConfigurable: a CLI refuses a value of any other attribute.
func isConfigurable(a *tfprotov6.SchemaAttribute) bool { return a.Optional || a.Required }

// repeated is a list or a map of n elements that are refused.
func repeated(of tftypes.Type, n int) tftypes.Value {
	if list, ok := of.(tftypes.List); ok {
		return tftypes.NewValue(of, slices.Repeat([]tftypes.Value{wrong(list.ElementType, "Not A Name")}, n))
	}
	entries, _ := of.(tftypes.Map)
	elements := map[string]tftypes.Value{}
	for i := range n {
		elements[fmt.Sprint("Not A Name ", i)] = wrong(entries.ElementType, "Not A Name")
	}
	return tftypes.NewValue(of, elements)
}

// checkNamed checks that the errors that a value causes name its attribute. Others may name an
// attribute that has to agree with it.
func (k kind) checkNamed(t *testing.T, at []string, value string, harmless, found []*tfprotov6.Diagnostic) {
	t.Helper()
	caused := slices.DeleteFunc(slices.Clone(found), func(d *tfprotov6.Diagnostic) bool {
		return d.Severity != tfprotov6.DiagnosticSeverityError || slices.ContainsFunc(harmless, func(h *tfprotov6.Diagnostic) bool {
			return h.Summary == d.Summary && pathText(h.Attribute) == pathText(d.Attribute)
		})
	})
	named := slices.ContainsFunc(caused, func(d *tfprotov6.Diagnostic) bool {
		// The line of a secret is not shown, nor are the many of a text with many members.
		return strings.HasPrefix(pathText(d.Attribute), `AttributeName("`+at[0]+`")`) ||
			d.Attribute == nil && strings.HasPrefix(d.Detail, at[0]) && (strings.Count(value, `":`) > 0 || mayHaveSecret(k.schema.Block.Attributes, at[0]))
	})
	if len(caused) > 0 && !named {
		t.Errorf("no error names %s: %.3000s", at[0], protocol.Messages(caused))
	}
}

// refusing starts a server that refuses every request of each API with the text of the request,
// and returns a function that starts a provider with it.
func refusing(t *testing.T) func(t *testing.T) *protocol.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		text := string(body)
		var answer any
		status := http.StatusOK
		switch {
		case strings.HasPrefix(r.URL.Path, "/v2") || strings.HasPrefix(r.URL.Path, "/v3"):
			status, answer = http.StatusBadRequest, protocol.Object{"error_code": "IEF.1", "error_msg": text}
		case r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/api/v1/"):
			answer = protocol.Object{"status": protocol.Object{"code": 11405, "message": text}}
		default:
			status, answer = http.StatusUnprocessableEntity, protocol.Object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": status, "message": text}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	variables := map[string]string{
		"KUSCIA_ENDPOINT": server.URL, "KUSCIA_KUBE_HOST": server.URL,
		"KUSCIA_IEF_ENDPOINT": server.URL, "KUSCIA_IEF_PROJECT_ID": strings.Repeat("0", 32), "KUSCIA_IEF_ACCESS_KEY": "access", "KUSCIA_IEF_SECRET_KEY": "secret",
	}
	return func(t *testing.T) *protocol.Server {
		t.Helper()
		return acctest.NewServer(t, variables)
	}
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
		if !isConfigurable(a) {
			continue
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

// secretTexts are texts with a secret, the first one in an attribute that is a secret by its schema.
var secretTexts = map[string]string{
	"":         "S3CRET \x00",
	"JSON":     `{"password":"S3CRET"}`,
	"address":  "https://user:S3CRET@gateway",
	"argument": "--password=S3CRET",
	"long":     "https://user:S3CRET" + strings.Repeat("S3CRET", 1000) + "@gateway",
}

// TestSecretLines: no diagnostic of any type tells a secret that the configuration has, nor is at its
// path or at that of what is around it: the CLI would show the line in which it is written.
func TestSecretLines(t *testing.T) {
	t.Parallel()
	secrets := 0
	for _, kind := range kinds(t, refusing(t)) {
		for _, at := range stringsOf(kind.schema) {
			// A text with a secret in it is one, too.
			for what, text := range secretTexts {
				if (what == "") != isSecretAt(kind.schema.Block.Attributes, at) {
					continue
				}
				secrets++
				t.Run(strings.TrimSuffix(kind.name+"/"+strings.Join(at, ".")+"/"+what, "/"), func(t *testing.T) {
					t.Parallel()
					for _, d := range kind.check(t, kind.configAt(at, text), isDrawn(kind.name+strings.Join(at, "."))) {
						if strings.HasPrefix(pathText(d.Attribute), `AttributeName("`+at[0]+`")`) {
							t.Errorf("its line is shown with %s: %s", d.Summary, d.Detail)
						}
						if strings.Contains(d.Summary+d.Detail, "S3CRET") {
							t.Errorf("%s tells it: %s", d.Summary, d.Detail)
						}
					}
				})
			}
		}
	}
	if secrets < 100 {
		t.Errorf("only %d secrets were tried", secrets)
	}
}

// mayHaveSecret reports whether an attribute, or one within it, is a secret by the schema.
func mayHaveSecret(attributes []*tfprotov6.SchemaAttribute, name string) bool {
	return slices.ContainsFunc(attributes, func(a *tfprotov6.SchemaAttribute) bool {
		return (name == "" || a.Name == name) && (a.Sensitive || a.WriteOnly || a.NestedType != nil && mayHaveSecret(a.NestedType.Attributes, ""))
	})
}

// isSecretAt reports whether a schema has a secret at a path or around it.
func isSecretAt(attributes []*tfprotov6.SchemaAttribute, at []string) bool {
	for _, a := range attributes {
		if len(at) == 0 || a.Name != at[0] {
			continue
		}
		rest := at[1:]
		for len(rest) > 0 && (rest[0] == "[]" || rest[0] == "{}" || rest[0] == "{key}") {
			rest = rest[1:]
		}
		return a.Sensitive || a.WriteOnly || a.NestedType != nil && isSecretAt(a.NestedType.Attributes, rest)
	}
	return false
}
