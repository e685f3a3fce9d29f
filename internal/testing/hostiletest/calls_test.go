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

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// maxCall limits the time of a validation, a plan and an apply with one hostile value, which take
// at most two seconds of a processor: a machine that runs all tests at once is many times slower.
const maxCall = 2 * time.Minute

// hostileTexts are strings that somebody may put into a configuration to hang the provider, or
// to trick the reader of its messages.
var hostileTexts = map[string]string{
	"controls":      "a\x00b\x1b[2J\u202e\u009b\r\nError: forged\u2028" + strings.Repeat("長", (1<<20)/3),
	"invalid UTF-8": "a\xff\x9b\xc3" + strings.Repeat("\x80", 1<<10),
	"a long name":   strings.Repeat("a", 2<<20),
	"deep JSON":     strings.Repeat("[", 1<<19) + strings.Repeat("]", 1<<19),
	"deep objects":  strings.Repeat(`{"a":`, 1<<17) + "1" + strings.Repeat("}", 1<<17),
}

// TestHostileCalls: whatever a string of a configuration contains, validation, plan and apply
// of every resource end quickly, with few, short and printable diagnostics, also if a server
// refuses a request with the text of this request. Each error of the validation and of the plan
// that the value causes names its attribute.
func TestHostileCalls(t *testing.T) {
	t.Parallel()
	server := refusing(t)
	for name, schema := range server(t).Schemas.ResourceSchemas {
		for _, at := range stringsOf(schema) {
			for what, text := range hostileTexts {
				if testing.Short() && !isDrawn(name, strings.Join(at, "."), what) {
					continue
				}
				t.Run(name+"/"+strings.Join(at, ".")+"/"+what, func(t *testing.T) {
					t.Parallel()
					before, r := server(t).Resource(t, name), server(t).Resource(t, name)
					harmless, _ := calls(t, before, configAt(r.Kind, at, "a"))
					start := time.Now()
					found, applied := calls(t, r, configAt(r.Kind, at, text))
					if took := time.Since(start); took > maxCall {
						t.Errorf("it took %s", took)
					}
					checkDiagnostics(t, found)
					checkDiagnostics(t, applied)
					checkNamed(t, at, harmless, found)
				})
			}
		}
	}
}

// TestLongListCalls: a list or a map of 10,001 elements is refused by the validation, without which no
// CLI plans, or plan and apply end quickly.
func TestLongListCalls(t *testing.T) {
	t.Parallel()
	server := refusing(t)
	for name, schema := range server(t).Schemas.ResourceSchemas {
		for _, at := range listsOf(schema) {
			if testing.Short() && !isDrawn(name, strings.Join(at, "."), "list") {
				continue
			}
			t.Run(name+"/"+strings.Join(at, "."), func(t *testing.T) {
				t.Parallel()
				r := server(t).Resource(t, name)
				config := valueWith(r.Kind, at, func(of tftypes.Type) tftypes.Value { return repeated(of, 10_001) })
				start := time.Now()
				found := r.Validate(t, config).Diagnostics
				if !slices.ContainsFunc(found, func(d *tfprotov6.Diagnostic) bool { return d.Summary == "Too many elements" }) {
					more, applied := calls(t, r, config)
					checkDiagnostics(t, more)
					checkDiagnostics(t, applied)
				}
				if took := time.Since(start); took > maxCall {
					t.Errorf("it took %s", took)
				}
				checkDiagnostics(t, found)
			})
		}
	}
}

// repeated is a list or a map of n elements that are refused.
func repeated(of tftypes.Type, n int) tftypes.Value {
	if list, ok := of.(tftypes.List); ok {
		return tftypes.NewValue(of, slices.Repeat([]tftypes.Value{wrong(list.ElementType, "Not A Name")}, n))
	}
	entries, _ := of.(tftypes.Map)
	elements := map[string]tftypes.Value{}
	for i := range n {
		elements[fmt.Sprint(i)] = wrong(entries.ElementType, "Not A Name")
	}
	return tftypes.NewValue(of, elements)
}

// isDrawn reports whether a case is in the sample of -short: one of forty, always the same.
func isDrawn(parts ...string) bool {
	hash := fnv.New32()
	_, _ = io.WriteString(hash, strings.Join(parts, "/"))
	return hash.Sum32()%40 == 0
}

// configAt is a configuration with a text at a path, as the key or value there.
func configAt(of tftypes.Type, at []string, text string) tftypes.Value {
	if at[len(at)-1] == "{key}" {
		return valueWith(of, at[:len(at)-1], func(of tftypes.Type) tftypes.Value {
			entries, _ := of.(tftypes.Map)
			return tftypes.NewValue(of, map[string]tftypes.Value{text: wrong(entries.ElementType, "a")})
		})
	}
	return valueWith(of, at, func(tftypes.Type) tftypes.Value { return protocolText(text) })
}

// calls validates, plans and applies the create of a resource, each also if the one before has
// failed.
func calls(t *testing.T, r *protocol.Resource, config tftypes.Value) (found, applied []*tfprotov6.Diagnostic) {
	t.Helper()
	plan, _ := r.Plan(t, config, r.None())
	found = slices.Concat(r.Validate(t, config).Diagnostics, plan.Diagnostics)
	if protocol.Failed(plan.Diagnostics) {
		plan.PlannedState = protocol.Encode(r.Proposed(r.None().Value, config))
	}
	made := r.Change(t, config, r.None(), plan)
	if !protocol.Failed(made.Diagnostics) {
		t.Error("the apply is not refused")
	}
	return found, made.Diagnostics
}

// checkNamed checks that the errors that a value causes name its attribute. Others may name an
// attribute that has to agree with it.
func checkNamed(t *testing.T, at []string, harmless, found []*tfprotov6.Diagnostic) {
	t.Helper()
	caused := slices.DeleteFunc(slices.Clone(found), func(d *tfprotov6.Diagnostic) bool {
		return d.Severity != tfprotov6.DiagnosticSeverityError || slices.ContainsFunc(harmless, func(h *tfprotov6.Diagnostic) bool {
			return h.Summary == d.Summary && pathText(h.Attribute) == pathText(d.Attribute)
		})
	})
	named := slices.ContainsFunc(caused, func(d *tfprotov6.Diagnostic) bool {
		return strings.HasPrefix(pathText(d.Attribute), `AttributeName("`+at[0]+`")`)
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
	environment := provider.WithEnvironment(func(name string) string { return variables[name] })
	return func(t *testing.T) *protocol.Server {
		t.Helper()
		return protocol.NewServer(t, provider.NewServer(provider.Build{Version: "test"}, true, environment)()).Configure(t, nil)
	}
}
