package serving_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// refusal is a configuration that is rejected, at which attribute, and with
// which message.
type refusal struct {
	config  string // the resource as JSON, merged into a valid one
	path    string
	message string
}

// good is the valid configuration that refusals are merged into.
const good = `{"serving_id": "glm", "initiator": "alice", "parties": [{"domain_id": "alice", "app_image": "sf"}]}`

func party(attributes string) string {
	return `{"parties": [{"domain_id": "alice", "app_image": "sf", ` + attributes + `}]}`
}

func resourcesOf(list string) string { return party(`"resources": ` + list) }

const (
	party0     = `AttributeName("parties").ElementKeyInt(0)`
	strategy0  = party0 + `.AttributeName("update_strategy")`
	resources0 = party0 + `.AttributeName("resources")`
	resource00 = resources0 + `.ElementKeyInt(0)`
)

// badInput are configurations that are rejected without a query of Kuscia.
var badInput = map[string]refusal{
	"id_empty":              {`{"serving_id": ""}`, `AttributeName("serving_id")`, "must be an RFC 1123 label"},
	"id_upper_case":         {`{"serving_id": "GLM"}`, `AttributeName("serving_id")`, "lower-case letters"},
	"id_dot":                {`{"serving_id": "glm.v1"}`, `AttributeName("serving_id")`, "lower-case letters, digits and '-'"},
	"id_long":               {`{"serving_id": "` + strings.Repeat("x", 64) + `"}`, `AttributeName("serving_id")`, "at most 63 characters"},
	"id_end":                {`{"serving_id": "glm-"}`, `AttributeName("serving_id")`, "starting and ending with a letter or digit"},
	"initiator_empty":       {`{"initiator": ""}`, `AttributeName("initiator")`, "RFC 1123 label"},
	"initiator_no_party":    {`{"initiator": "carol"}`, `AttributeName("initiator")`, `"carol" is not the domain_id of any of the parties`},
	"no_parties":            {`{"parties": []}`, `AttributeName("parties")`, "at least 1"},
	"party_null":            {`{"parties": [{"domain_id": "alice", "app_image": "sf"}, null]}`, `AttributeName("parties").ElementKeyInt(1)`, "The party is null"},
	"domain_null":           {`{"parties": [{"domain_id": null, "app_image": "sf"}]}`, party0 + `.AttributeName("domain_id")`, "Must set a configuration value"},
	"app_image_left_out":    {`{"parties": [{"domain_id": "alice"}]}`, party0 + `.AttributeName("app_image")`, "Must set a configuration value"},
	"domain_malformed":      {`{"parties": [{"domain_id": "alice", "app_image": "sf"}, {"domain_id": "Bob", "app_image": "sf"}]}`, `AttributeName("parties").ElementKeyInt(1).AttributeName("domain_id")`, "RFC 1123 label"},
	"app_image_empty":       {`{"parties": [{"domain_id": "alice", "app_image": ""}]}`, party0 + `.AttributeName("app_image")`, "at least 1"},
	"role_malformed":        {party(`"role": "a b"`), party0 + `.AttributeName("role")`, "empty or an RFC 1123 label"},
	"party_twice":           {`{"parties": [{"domain_id": "alice", "app_image": "sf"}, {"domain_id": "alice", "app_image": "other", "role": ""}]}`, `AttributeName("parties").ElementKeyInt(1)`, `parties[0] has the same domain_id "alice" and role ""`},
	"prefix_long":           {party(`"service_name_prefix": "` + strings.Repeat("x", 49) + `"`), party0 + `.AttributeName("service_name_prefix")`, "at most 48 characters"},
	"prefix_digit":          {party(`"service_name_prefix": "1st"`), party0 + `.AttributeName("service_name_prefix")`, "start with a lower-case letter"},
	"prefix_twice":          {`{"parties": [{"domain_id": "alice", "app_image": "sf", "service_name_prefix": "a"}, {"domain_id": "alice", "role": "x", "app_image": "sf", "service_name_prefix": "a"}]}`, `AttributeName("parties").ElementKeyInt(1).AttributeName("service_name_prefix")`, "parties[0] has the same prefix"},
	"prefix_is_the_id":      {`{"parties": [{"domain_id": "alice", "app_image": "sf"}, {"domain_id": "alice", "role": "x", "app_image": "sf", "service_name_prefix": "glm"}]}`, `AttributeName("parties").ElementKeyInt(1).AttributeName("service_name_prefix")`, "parties[0] has the same prefix"},
	"prefix_is_a_name":      {`{"parties": [{"domain_id": "alice", "app_image": "sf", "service_name_prefix": "glm-x"}, {"domain_id": "alice", "role": "x", "app_image": "sf"}]}`, `AttributeName("parties").ElementKeyInt(0).AttributeName("service_name_prefix")`, "parties[1] has the same prefix"},
	"affinity_unknown":      {`{"affinity_mode": "spread"}`, `AttributeName("affinity_mode")`, `["none" "affinity" "anti-affinity"]`},
	"strategy_unknown":      {party(`"update_strategy": {"type": "BlueGreen"}`), strategy0 + `.AttributeName("type")`, "RollingUpdate"},
	"strategy_text":         {party(`"update_strategy": {"max_surge": "some"}`), strategy0 + `.AttributeName("max_surge")`, "percentage"},
	"strategy_negative":     {party(`"update_strategy": {"max_unavailable": "-1"}`), strategy0 + `.AttributeName("max_unavailable")`, "percentage"},
	"strategy_too_much":     {party(`"update_strategy": {"max_unavailable": "101%"}`), strategy0 + `.AttributeName("max_unavailable")`, "100"},
	"strategy_recreate":     {party(`"update_strategy": {"type": "Recreate", "max_surge": "1"}`), strategy0 + `.AttributeName("max_surge")`, "applies only to RollingUpdate"},
	"quantity":              {resourcesOf(`[{"min_cpu": "abc"}]`), resource00 + `.AttributeName("min_cpu")`, "500m"},
	"quantity_empty":        {resourcesOf(`[{"max_cpu": ""}]`), resource00 + `.AttributeName("max_cpu")`, "quantity"},
	"resources_twice":       {resourcesOf(`[{"min_cpu": "1"}, {"container_name": "", "max_cpu": "2"}]`), resources0 + `.ElementKeyInt(1).AttributeName("container_name")`, "resources[0] is for all containers too"},
	"resources_empty_entry": {resourcesOf(`[{"container_name": "main"}]`), resource00, "sets no value"},
	"triggers_without_json": {`{"redeploy_triggers": {"a": "1"}, "serving_input_config": "plain"}`, `AttributeName("redeploy_triggers")`, "Make serving_input_config JSON"},
	"triggers_alone":        {`{"redeploy_triggers": {"a": "1"}}`, `AttributeName("redeploy_triggers")`, "Make serving_input_config JSON"},
	"timeout":               {`{"timeouts": {"create": "soon"}}`, `AttributeName("timeouts").AttributeName("create")`, `timeouts.create: "soon" is not a duration such as 90s, 20m or 1h30m`},
	"timeout_without_unit":  {`{"timeouts": {"create": "20"}}`, `AttributeName("timeouts").AttributeName("create")`, `timeouts.create: "20" has no unit; for seconds write "20s", for minutes "20m"`},
	"timeout_negative":      {`{"timeouts": {"update": "-5m"}}`, `AttributeName("timeouts").AttributeName("update")`, `timeouts.update: "-5m" is not positive`},
	"timeout_zero":          {`{"timeouts": {"delete": "0s"}}`, `AttributeName("timeouts").AttributeName("delete")`, `timeouts.delete: "0s" is not positive`},
	"replicas_fraction":     {party(`"replicas": 1.5`), party0 + `.AttributeName("replicas")`, "parties[0].replicas: 1.5 is not a whole number. Use a whole number from 1 to 2147483647."},
	"replicas_large":        {party(`"replicas": 99999999999`), party0 + `.AttributeName("replicas")`, "parties[0].replicas: 99999999999 is too large or too small. Use a whole number from 1 to 2147483647."},
	"version_fraction":      {`{"serving_input_config_wo_version": 1.5}`, `AttributeName("serving_input_config_wo_version")`, "1.5 is not a whole number. Use a whole number from 1 to 9223372036854775807."},
}

// badPlans are configurations that are rejected in a plan without a query of
// Kuscia; an imported serving may have them.
var badPlans = map[string]refusal{
	"replicas_zero":       {party(`"replicas": 0`), party0 + `.AttributeName("replicas")`, "at least 1"},
	"replicas_negative":   {party(`"replicas": -1`), party0 + `.AttributeName("replicas")`, "at least 1"},
	"strategy_stuck":      {party(`"update_strategy": {"max_surge": "0", "max_unavailable": "0%"}`), strategy0, "at least 1 or 1%"},
	"quantity_negative":   {resourcesOf(`[{"max_memory": "-1Gi"}]`), resource00 + `.AttributeName("max_memory")`, "below zero"},
	"min_over_max":        {resourcesOf(`[{"min_cpu": "2", "max_cpu": "1500m"}]`), resource00, "min_cpu 2 is more than max_cpu 1500m"},
	"min_over_common_max": {resourcesOf(`[{"max_memory": "1Gi"}, {"container_name": "main", "min_memory": "2048Mi"}]`), resources0, "min_memory 2048Mi is more than max_memory 1Gi"},
}

// TestBadInputPaths: each mistake is reported once, at its attribute, with a
// message that describes what is allowed.
func TestBadInputPaths(t *testing.T) {
	t.Parallel()
	provider, err := acctest.Factories(nil)["kuscia"]()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(t *testing.T, refused refusal, plan bool) []*tfprotov6.Diagnostic {
		config := &tfprotov6.DynamicValue{JSON: []byte(refused.merged(t))}
		if plan {
			response, err := provider.PlanResourceChange(context.Background(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: "kuscia_serving", Config: config, ProposedNewState: config, PriorState: &tfprotov6.DynamicValue{JSON: []byte("null")},
			})
			if err != nil {
				t.Fatal(err)
			}
			return response.Diagnostics
		}
		response, err := provider.ValidateResourceConfig(context.Background(), &tfprotov6.ValidateResourceConfigRequest{
			TypeName: "kuscia_serving", Config: config,
		})
		if err != nil {
			t.Fatal(err)
		}
		return response.Diagnostics
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
			if got.Attribute.String() != refused.path {
				t.Errorf("on %s, want %s", got.Attribute, refused.path)
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

// written returns a path as in messages, such as parties[0].role.
func written(path string) string {
	for _, rule := range [][2]string{{`AttributeName\("(\w+)"\)`, "$1"}, {`\.ElementKeyInt\((\d+)\)`, "[$1]"}} {
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

// about returns the start of the pattern of an error of a resource; it matches
// nothing beyond that error.
func about(label string) string {
	return `with kuscia_serving\.` + label + `, (?:[^E]|E[^r]|Er[^r]|Err[^o]|Erro[^r])*?`
}

// TestAccServing_badInput passes all the mistakes to the real CLI at once: it
// reports every one of them, and nothing is sent.
func TestAccServing_badInput(t *testing.T) {
	for kind, mistakes := range map[string]map[string]refusal{"validate": badInput, "plan": badPlans} {
		t.Run(kind, func(t *testing.T) { refuseAll(t, mistakes) })
	}
}

func refuseAll(t *testing.T, mistakes map[string]refusal) {
	t.Helper()
	e := newEnv(t)
	blocks := map[string]json.RawMessage{}
	var messages []string
	for name, refused := range mistakes {
		if name == "app_image_left_out" {
			continue // the CLI reports that itself
		}
		blocks[name] = json.RawMessage(refused.merged(t))
		messages = append(messages, about(name)+regexp.QuoteMeta(refused.message))
	}
	requests := e.CountRequests()
	acctest.ExpectFailure(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             requests.ExpectNoRequests(),
		Steps:                    []resource.TestStep{{Config: decoded(t, blocks), PlanOnly: true}},
	}, acctest.Failure{Messages: messages})
	if err := requests.ExpectNoRequests()(nil); err != nil {
		t.Error(err)
	}
}

// decoded returns a configuration whose resources are given as JSON. They are
// written out, since jsondecode would lose which attributes are left out.
func decoded(t *testing.T, blocks map[string]json.RawMessage) string {
	t.Helper()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		var attributes map[string]json.RawMessage
		if err := json.Unmarshal(blocks[name], &attributes); err != nil {
			t.Fatal(err)
		}
		hcl := map[string]any{}
		for attribute, value := range attributes {
			hcl[attribute] = acctest.Reference(value) // JSON values are valid HCL expressions.
		}
		b.WriteString(acctest.Block("kuscia_serving", name, hcl))
	}
	return b.String()
}

// TestAccServing_refusedAtPlan: what Kuscia would accept and then drop, or fail
// on without a visible error, is detected with the app image in the plan.
func TestAccServing_refusedAtPlan(t *testing.T) {
	e := newEnv(t)
	image := e.AppImage(func(i *kuscia.AppImage) { containers(&i.DeployTemplates[0], "main", "side") })
	roles := e.AppImage(func(i *kuscia.AppImage) { i.DeployTemplates[0].Role = "server,backup" })
	small := e.AppImage(func(i *kuscia.AppImage) {
		i.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: "1"}}
	})

	cases := map[string]struct {
		change  func(*partyHCL)
		message string
	}{
		"unknown_container": {
			func(p *partyHCL) { p.resources = `[{ max_cpu = "1" }, { container_name = "nope", max_cpu = "1" }]` },
			`parties\[0\]\.resources: App image "` + image + `" has no container "nope" for this role; it has "main", "side"`,
		},
		"container_left_out": {
			func(p *partyHCL) { p.resources = `[{ container_name = "main", max_cpu = "1" }]` },
			`Container "side" of app image "` + image + `" gets no value. Kuscia would then silently drop`,
		},
		"role": {
			func(p *partyHCL) { p.image, p.role = quote(roles), `"client"` },
			`its templates serve "server", "backup"`,
		},
		// The request is the serving's, the limit the image's.
		"over_image_limit": {
			func(p *partyHCL) { p.image, p.resources = quote(small), `[{ min_cpu = "2" }]` },
			`container "secretflow", min_cpu 2 is more than max_cpu 1 \(values that are not set here come from the app image\)`,
		},
		// The app image is in the same plan and does not exist yet.
		"planned_image": {
			func(p *partyHCL) {
				p.image, p.resources = "kuscia_app_image.test.name", `[{ container_name = "nope", max_cpu = "1" }]`
			},
			`has no container "nope" for this role; it has "secretflow"`,
		},
	}
	var servings []servingHCL
	var messages []string
	for label, c := range cases {
		servings = append(servings, alone(e, label, image).with(func(s *servingHCL) { c.change(&s.parties[0]) }))
		messages = append(messages, about(label)+c.message)
	}
	config := appImage(e.Name("planned"), "1", "serve") + join(servings)
	requests := e.CountRequests()
	acctest.ExpectFailure(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps:                    []resource.TestStep{{Config: config}},
	}, acctest.Failure{Messages: messages})
	if err := requests.ExpectNoWrites()(nil); err != nil {
		t.Error(err)
	}
}

// TestAccServing_refusedAtApply: what is known only at apply is detected before
// anything is sent.
func TestAccServing_refusedAtApply(t *testing.T) {
	e := newEnv(t)
	image, missing := e.AppImage(), e.Name("missing")
	absent := alone(e, "absent", missing).with(func(s *servingHCL) { s.parties[0].image = "terraform_data.missing.output" })
	late := alone(e, "late", image).with(func(s *servingHCL) {
		s.parties[0].image, s.parties[0].resources = "terraform_data.image.output", `[{ container_name = "nope", max_cpu = "1" }]`
	})
	turned := alone(e, "turned", image).with(func(s *servingHCL) {
		s.parties[0].resources = `[{ min_cpu = terraform_data.cpu.output, max_cpu = "1" }]`
	})
	negative := alone(e, "negative", image).with(func(s *servingHCL) { s.parties[0].replicas = "terraform_data.replicas.output" })
	fraction := alone(e, "fraction", image).with(func(s *servingHCL) { s.parties[0].replicas = "terraform_data.fraction.output" })
	config := fmt.Sprintf(`
resource "terraform_data" "image" {
  input = %q
}
resource "terraform_data" "missing" {
  input = %q
}
resource "terraform_data" "cpu" {
  input = "2"
}
resource "terraform_data" "replicas" {
  input = 0
}
resource "terraform_data" "fraction" {
  input = 1.5
}
`, image, missing)
	requests := e.CountRequests()
	servings := []servingHCL{absent, late, turned, negative, fraction}
	acctest.ExpectFailure(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, servings),
		Steps:                    []resource.TestStep{{Config: config + join(servings)}},
	}, acctest.Failure{Messages: []string{
		about("absent") + `Kuscia has no app image "` + missing + `". It would accept the serving and never start it`,
		about("late") + `has no container "nope" for this role`,
		about("turned") + `min_cpu 2 is more than max_cpu 1`,
		about("negative") + `at least 1`,
		about("fraction") + `parties\[0\]\.replicas: 1\.5 is not a whole number`,
	}})
	if err := requests.ExpectNone(acctest.PathServingCreate, acctest.PathServingUpdate)(nil); err != nil {
		t.Error(err)
	}
}

// TestAccServing_newPort: a port that a live serving never got would block every
// later update without a visible error.
func TestAccServing_newPort(t *testing.T) {
	e := newEnv(t)
	more := func(i *kuscia.AppImage) {
		ports := &i.DeployTemplates[0].Containers[0].Ports
		*ports = append(slices.Clone(*ports), kuscia.ContainerPort{Name: "metrics", Scope: "Domain"})
	}
	image, grown, other := e.AppImage(), e.AppImage(), e.AppImage(more)
	switched, stale := alone(e, "switched", image), alone(e, "stale", grown)
	grow := e.Do(func(ctx context.Context, api *kuscia.Client) error {
		now, err := api.QueryAppImage(ctx, grown)
		if err != nil {
			return err
		}
		more(now)
		return api.UpdateAppImage(ctx, &kuscia.UpdateAppImageRequest{Name: grown, Image: now.Image, DeployTemplates: now.DeployTemplates})
	})
	requests := e.CountRequests()
	check := func(label, message string, before func()) resource.TestStep {
		return resource.TestStep{
			PreConfig: before,
			Config: join([]servingHCL{
				switched.with(func(s *servingHCL) {
					s.parties[0].image = map[bool]string{true: quote(other), false: quote(image)}[label == "switched"]
				}),
				stale.with(func(s *servingHCL) { s.parties[0].replicas = map[bool]string{true: "2", false: "1"}[label == "stale"] }),
			}),
			ExpectError: regexp.MustCompile(`(?s)with[\s│]+kuscia_serving\.` + label + `.*` + wrapped(message)),
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             all(deleted(e, []servingHCL{switched, stale}), requests.ExpectNone(acctest.PathServingUpdate)),
		Steps: []resource.TestStep{
			{Config: join([]servingHCL{switched, stale})},
			check("switched", `has the port "metrics", which`, requests.Start),
			check("stale", `now has the port "metrics", which was not there when the serving was created`, grow),
		},
	})
}
