package serving_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// refusal is a configuration that is rejected, at which attribute, and with
// which message.
type refusal struct {
	config  string // the resource as JSON, merged into a valid one
	path    string
	message string
}

// good is the valid configuration that refusals are merged into.
const good = `{"serving_id": "glm", "initiator": "alice", "parties": {"alice": {"app_image": "sf"}}}`

func party(attributes string) string {
	return `{"parties": {"alice": {"app_image": "sf", ` + attributes + `}}}`
}

func resourcesOf(amounts string) string { return party(`"resources": ` + amounts) }

const (
	atAlice     = `AttributeName("parties").ElementKeyString("alice")`
	atOther     = `AttributeName("parties").ElementKeyString("other")`
	atStrategy  = atAlice + `.AttributeName("update_strategy")`
	atResources = atAlice + `.AttributeName("resources")`
	atMain      = atAlice + `.AttributeName("container_resources").ElementKeyString("main")`
)

// badInput are configurations that are rejected without a query of Kuscia.
var badInput = map[string]refusal{
	"id_empty":              {`{"serving_id": ""}`, `AttributeName("serving_id")`, "must be an RFC 1123 label"},
	"id_dot":                {`{"serving_id": "glm.v1"}`, `AttributeName("serving_id")`, `"glm.v1" is not allowed; it must be an RFC 1123 label such as risk-model-1`},
	"initiator_no_party":    {`{"initiator": "carol"}`, `AttributeName("initiator")`, `"carol" is not the domain_id of any of the parties`},
	"no_parties":            {`{"parties": {}}`, `AttributeName("parties")`, "at least one party"},
	"party_null":            {`{"parties": {"alice": {"app_image": "sf"}, "other": null}}`, atOther, "The party is null"},
	"app_image_left_out":    {`{"parties": {"alice": {}}}`, atAlice + `.AttributeName("app_image")`, "Must set a configuration value"},
	"domain_malformed":      {`{"parties": {"alice": {"app_image": "sf"}, "other": {"domain_id": "Bob", "app_image": "sf"}}}`, atOther + `.AttributeName("domain_id")`, "RFC 1123 label"},
	"key_malformed":         {`{"parties": {"alice": {"app_image": "sf"}, "Bob": {"app_image": "sf"}}}`, `AttributeName("parties").ElementKeyString("Bob")`, `The key "Bob" is the domain_id of the party`},
	"party_twice":           {`{"parties": {"alice": {"app_image": "sf"}, "other": {"domain_id": "alice", "app_image": "other", "role": ""}}}`, atOther, `parties["alice"] has the same domain_id "alice" and role ""`},
	"prefix_digit":          {party(`"service_name_prefix": "1st"`), atAlice + `.AttributeName("service_name_prefix")`, "with a letter at the beginning"},
	"prefix_twice":          {`{"parties": {"alice": {"app_image": "sf", "service_name_prefix": "a"}, "other": {"domain_id": "alice", "role": "x", "app_image": "sf", "service_name_prefix": "a"}}}`, atOther + `.AttributeName("service_name_prefix")`, `parties["alice"] has the same prefix`},
	"prefix_is_the_id":      {`{"parties": {"alice": {"app_image": "sf"}, "other": {"domain_id": "alice", "role": "x", "app_image": "sf", "service_name_prefix": "glm"}}}`, atOther + `.AttributeName("service_name_prefix")`, `parties["alice"] has the same prefix`},
	"affinity_unknown":      {`{"affinity_mode": "spread"}`, `AttributeName("affinity_mode")`, `use "none", "affinity" or "anti-affinity"`},
	"strategy_unknown":      {party(`"update_strategy": {"type": "BlueGreen"}`), atStrategy + `.AttributeName("type")`, "RollingUpdate"},
	"strategy_too_much":     {party(`"update_strategy": {"max_unavailable": "101%"}`), atStrategy + `.AttributeName("max_unavailable")`, "100"},
	"strategy_recreate":     {party(`"update_strategy": {"type": "Recreate", "max_surge": "1"}`), atStrategy + `.AttributeName("max_surge")`, "applies only to RollingUpdate"},
	"quantity":              {resourcesOf(`{"min_cpu": "abc"}`), atResources + `.AttributeName("min_cpu")`, "500m"},
	"resources_empty_entry": {party(`"container_resources": {"main": {}}`), atMain, "sets no value"},
	"resources_no_name":     {party(`"container_resources": {"": {"min_cpu": "1"}}`), atAlice + `.AttributeName("container_resources").ElementKeyString("")`, "use the attribute resources"},
	"triggers_without_json": {`{"redeploy_triggers": {"a": "1"}, "serving_input_config": "plain"}`, `AttributeName("redeploy_triggers")`, "Make serving_input_config JSON"},
	"timeout":               {`{"timeouts": {"create": "soon"}}`, `AttributeName("timeouts").AttributeName("create")`, `timeouts.create: "soon" is not a duration such as 90s, 20m or 1h30m`},
	"deadline":              {`{"progress_deadline": "soon"}`, `AttributeName("progress_deadline")`, `progress_deadline: "soon" is not a duration such as 90s, 20m or 1h30m`},
	"timeout_without_unit":  {`{"timeouts": {"create": "20"}}`, `AttributeName("timeouts").AttributeName("create")`, `timeouts.create: "20" has no unit; for seconds write "20s", for minutes "20m"`},
	"replicas_fraction":     {party(`"replicas": 1.5`), atAlice + `.AttributeName("replicas")`, "parties[\"alice\"].replicas: 1.5 is not a whole number. Use a whole number from 1 to 2147483647."},
	"replicas_large":        {party(`"replicas": 99999999999`), atAlice + `.AttributeName("replicas")`, "parties[\"alice\"].replicas: 99999999999 is too large or too small. Use a whole number from 1 to 2147483647."},
	"role_long":             {party(`"role": "` + strings.Repeat("x", 61) + `"`), atAlice + `.AttributeName("role")`, "65 characters"},
	"resources_null_entry":  {party(`"container_resources": {"main": null}`), atMain, "sets no value"},
	"text_twice":            {`{"serving_input_config": "{}", "serving_input_config_wo": "{}", "serving_input_config_wo_version": 1}`, `AttributeName("serving_input_config_wo")`, "Keep "},
	"text_without_version":  {`{"serving_input_config_wo": "{}"}`, `AttributeName("serving_input_config_wo")`, "change it whenever the text changes"},
	"text_hidden_empty":     {`{"serving_input_config_wo": "", "serving_input_config_wo_version": 1}`, `AttributeName("serving_input_config_wo")`, "Omit it"},
	"text_hidden_no_json":   {`{"serving_input_config_wo": "s", "serving_input_config_wo_version": 1, "redeploy_triggers": {"a": "1"}}`, `AttributeName("redeploy_triggers")`, "not JSON"},
	"version_alone":         {`{"serving_input_config_wo_version": 1}`, `AttributeName("serving_input_config_wo_version")`, "serving_input_config_wo, which is not set"},
}

// badPlans are configurations that are rejected in a plan without a query of
// Kuscia; an imported serving may have them.
var badPlans = map[string]refusal{
	"replicas_zero":       {party(`"replicas": 0`), atAlice + `.AttributeName("replicas")`, "at least 1"},
	"memory_negative":     {resourcesOf(`{"max_memory": "-1Gi"}`), atResources + `.AttributeName("max_memory")`, `"-1Gi" is below zero`},
	"memory_for_cpu":      {resourcesOf(`{"min_cpu": "100Mi"}`), atResources + `.AttributeName("min_cpu")`, "more than any node has"},
	"min_over_common_max": {party(`"resources": {"max_memory": "1Gi"}, "container_resources": {"main": {"min_memory": "2048Mi"}}`), atMain, "min_memory 2048Mi is more than max_memory 1Gi"},
}

// TestBadInputPaths: each mistake is reported once, at its attribute, with a
// message that describes what is allowed.
func TestBadInputPaths(t *testing.T) {
	t.Parallel()
	provider, err := acctest.Factories(nil)["kuscia"]()
	if err != nil {
		t.Fatal(err)
	}
	serving := protocol.NewServer(t, provider).Resource(t, "kuscia_serving")
	ask := func(t *testing.T, refused refusal, plan bool) []*tfprotov6.Diagnostic {
		decoder := json.NewDecoder(strings.NewReader(refused.merged(t)))
		decoder.UseNumber()
		var config protocol.Object
		if err := decoder.Decode(&config); err != nil {
			t.Fatal(err)
		}
		value := protocol.Value(serving.Kind, config)
		if plan {
			response, _ := serving.Plan(t, value, serving.None())
			return response.Diagnostics
		}
		return serving.Validate(t, value).Diagnostics
	}
	both := maps.Clone(badInput)
	maps.Copy(both, badPlans)
	for name, refused := range both {
		t.Run(name, func(t *testing.T) {
			_, plan := badPlans[name]
			if found := ask(t, refused, false); plan && len(found) > 0 {
				t.Fatalf("validate says %s", texts(found))
			}
			diagnostics := ask(t, refused, plan)
			if len(diagnostics) != 1 {
				t.Fatalf("%d diagnostics, want one: %s", len(diagnostics), texts(diagnostics))
			}
			got := diagnostics[0]
			if got.Severity != tfprotov6.DiagnosticSeverityError {
				t.Errorf("severity %s", got.Severity)
			}
			if want := withSourceLine(refused.path); got.Attribute.String() != want {
				t.Errorf("on %s, want %s", got.Attribute, want)
			}
			text := got.Summary + ": " + got.Detail
			if !strings.Contains(text, refused.message) {
				t.Errorf("%q does not say %q", text, refused.message)
			}
			// The CLI shows no line for a path inside an attribute.
			if at := written(refused.path); strings.Contains(at, "[") && !strings.Contains(text, at) {
				t.Errorf("%q does not say that it is about %s", text, at)
			}
		})
	}
}

// withSourceLine returns a path as the CLI gets it, which ends with its first two steps again so
// that every CLI shows a line of the configuration (tfkit/bounded).
func withSourceLine(path string) string {
	steps := regexp.MustCompile(`\w+\(".*?"\)`).FindAllString(path, -1)
	if len(steps) < 2 {
		return path
	}
	shown := []string{steps[0], strings.Replace(steps[1], "AttributeName", "ElementKeyString", 1)}
	if len(steps) > 2 {
		shown = slices.Concat(steps, shown)
	}
	return strings.Join(shown, ".")
}

// written returns a path as in messages, such as parties["alice"].role.
func written(path string) string {
	for _, rule := range [][2]string{{`AttributeName\("(\w+)"\)`, "$1"}, {`\.ElementKeyString\((".*?")\)`, "[$1]"}} {
		path = regexp.MustCompile(rule[0]).ReplaceAllString(path, rule[1])
	}
	return path
}

// merged returns the configuration as JSON.
func (r refusal) merged(t *testing.T) string {
	t.Helper()
	config := map[string]any{}
	for _, text := range []string{good, r.config} {
		if err := json.Unmarshal([]byte(text), &config); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	merged, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return string(merged)
}

func texts(diagnostics []*tfprotov6.Diagnostic) string {
	var b strings.Builder
	for _, d := range diagnostics {
		fmt.Fprintf(&b, "\n%s: %s: %s", d.Attribute, d.Summary, d.Detail)
	}
	return b.String()
}
