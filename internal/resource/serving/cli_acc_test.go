package serving_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_module: a module with an app image and its servings, whose ids,
// domains and images come from variables and from other resources.
func TestAccServing_module(t *testing.T) {
	e := newEnv(t)
	w := e.NewWorkspace(t)
	content, err := os.ReadFile("testdata/module.tf")
	if err != nil {
		t.Fatal(err)
	}
	base := e.Name("module")
	w.Write("serving/main.tf", string(content))
	main := func(replicas int) string {
		return acctest.Block("terraform_data", "team", attrs{"input": base}) + acctest.TopLevel("module", []string{"servings"}, attrs{
			"source": "./serving", "for_each": attrs{"glm": []string{"alice", "bob"}, "sgb": []string{"bob"}},
			"name": acctest.Reference(`"${terraform_data.team.output}-${each.key}"`), "domains": acctest.Reference("each.value"), "replicas": replicas,
		}) + acctest.Output("endpoints", acctest.Reference("{ for name, module in module.servings : name => module.endpoints }"))
	}
	w.Write("main.tf", main(1))
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	w.Write("main.tf", main(2))
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "0 to add, 2 to change, 0 to destroy") {
		t.Errorf("two servings are updated in place:\n%s", plan)
	}
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}

// TestAccServing_generatedConfig: with import blocks alone, the CLI generates
// the configuration, which is valid and plans nothing but the imports.
func TestAccServing_generatedConfig(t *testing.T) {
	e := newEnv(t)
	image := e.AppImage(func(i *kuscia.AppImage) {
		i.DeployTemplates[0].Replicas = 2
		i.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: "4"}}
	})
	one := int32(1)
	requests := map[string]*kuscia.CreateServingRequest{
		"minimal": {Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: image}}},
		"full": {
			Initiator: "bob", ServingInputConfig: `{"secret": "s3cr3t-0123456789"}`, AffinityMode: "none",
			Parties: []kuscia.ServingParty{
				{DomainID: "bob", Role: "client", AppImage: image, Replicas: &one, ServiceNamePrefix: e.Name("prefix"),
					UpdateStrategy: &kuscia.UpdateStrategy{Type: "Recreate"}, Resources: []kuscia.Resource{{MinCPU: "0.5", MaxMemory: "1024Mi"}}},
				{DomainID: "alice", Role: "server", AppImage: image, UpdateStrategy: &kuscia.UpdateStrategy{Type: "RollingUpdate", MaxSurge: "2"}},
			},
		},
	}
	// What Kuscia stores and never runs must be importable too.
	zero := int32(0)
	requests["odd"] = &kuscia.CreateServingRequest{Initiator: "alice", Parties: []kuscia.ServingParty{
		{DomainID: "alice", AppImage: image, Replicas: &zero, Resources: []kuscia.Resource{{MinCPU: "4", MaxCPU: "2", MinMemory: "-1Gi"}}},
	}}
	ids := map[string]string{}
	for label, request := range requests {
		request.ServingID = e.Name(label)
		handmade(t, e, request)
		ids["kuscia_serving."+label] = request.ServingID
	}
	w := e.NewWorkspace(t)
	plan := w.Generate(ids)
	w.DestroyAtEnd()
	if !strings.Contains(plan, "3 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the generated configuration changes something:\n%s", plan)
	}
	generated := w.Read("generated.tf")
	if !strings.Contains(generated, "s3cr3t") {
		t.Errorf("the configuration text is not in the configuration:\n%s", generated)
	}

	// A text that is left out is kept.
	generated = regexp.MustCompile(`(?ms)^  serving_input_config += jsonencode\(.*?^  }\)\n`).ReplaceAllString(generated, "")
	if strings.Contains(generated, "s3cr3t") {
		t.Fatalf("the configuration text is still in the configuration:\n%s", generated)
	}
	w.Write("generated.tf", generated)
	w.Run(0, "validate")
	w.Apply()
	w.Write("main.tf", acctest.RequiredProvider)
	w.Plan(acctest.PlanEmpty)

	// The serving continues as any other.
	edited := regexp.MustCompile(`replicas( +)= 1`).ReplaceAllString(generated, "replicas${1}= 3")
	w.Write("generated.tf", edited)
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "0 to add, 1 to change, 0 to destroy") {
		t.Errorf("one serving is updated in place:\n%s", plan)
	}
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	response, err := e.API.QueryServing(context.Background(), requests["full"].ServingID)
	if err != nil || response.ServingInputConfig != requests["full"].ServingInputConfig || *response.Parties[0].Replicas != 3 {
		t.Errorf("%+v, %v", response, err)
	}

	// A replacement cannot keep a text that is not in the configuration.
	const refused = "serving_input_config of the imported serving is not in the configuration"
	if said := acctest.Plain(w.Run(1, "plan", "-input=false", "-replace=kuscia_serving.full")); !strings.Contains(said, refused) {
		t.Errorf("a replacement on request says %s", said)
	}
	w.Run(2, "plan", "-input=false", "-detailed-exitcode", "-replace=kuscia_serving.minimal")
	w.Write("generated.tf", strings.ReplaceAll(edited, `"anti-affinity"`, `"affinity"`))
	if said := acctest.Plain(w.Run(1, "plan", "-input=false")); !strings.Contains(said, refused) {
		t.Errorf("a replacement says %s", said)
	}
	w.Write("generated.tf", edited)
}

// TestAccServing_warnings: a replacement that is not explained by the attribute
// has a warning with the reason, and a serving that cannot be read has a warning
// with what to do.
func TestAccServing_warnings(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPlanTable", "TestAccPlanTexts"))
	e := newEnv(t)
	image, lost := e.AppImage(), e.AppImage()
	bob := partyHCL{domain: `"bob"`, image: quote(image)}
	cases := map[string]struct {
		before, after func(*servingHCL)
		message       string
	}{
		"config": {
			func(s *servingHCL) { s.config = `"{}"` }, nil,
			`serving_input_config.*it can only be removed with a new serving\. Set another text, for example "{}", to change it in place`,
		},
		"parties": {
			nil, func(s *servingHCL) { s.parties = append(s.parties, bob) },
			`parties\["bob"\]: Kuscia can neither add nor remove a party, .* Added: parties\["bob"\]\.`,
		},
		"prefix": {
			nil, func(s *servingHCL) { s.parties[0].prefix = quote(e.Name("prefix")) },
			`silently ignores a new service_name_prefix`,
		},
		"cleared": {
			func(s *servingHCL) { s.parties[0].resources = full },
			func(s *servingHCL) {
				s.parties[0].resources = `resources = { min_cpu = "0.5", max_cpu = "2", min_memory = "1Gi" }`
			},
			`parties\["alice"\]\.resources: container "secretflow": max_memory is removed, but Kuscia merges .* Keep a value to change it in place`,
		},
		"first": {
			func(s *servingHCL) { s.parties[0].resources = `resources = { min_cpu = "0.5" }` },
			func(s *servingHCL) { s.parties[0].resources = `resources = { min_cpu = "0.5", max_cpu = "2" }` },
			`max_cpu would be its first limit .* Kuscia's handler crashes`,
		},
	}
	orphan := alone(e, "orphan", lost)
	before, after := []servingHCL{orphan}, []servingHCL{orphan}
	for label, c := range cases {
		base := alone(e, label, image)
		before, after = append(before, base.with(c.before)), append(after, base.with(c.after))
	}
	w := e.Applied(t, join(before))
	e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteAppImage(ctx, lost) })()
	w.Write("main.tf", join(after))
	plan := w.Plan(acctest.PlanDiffers)
	if want := fmt.Sprintf("%d to add, 0 to change, %d to destroy", len(cases), len(cases)); !strings.Contains(plan, want) {
		t.Errorf("no %q in\n%s", want, plan)
	}
	// The CLI merges warnings with the same summary unless it prints JSON.
	text, _ := w.Try("plan", "-json", "-input=false")
	for label, c := range cases {
		expectWarning(t, text, "kuscia_serving."+label, c.message+`.* The serving will be deleted and created again: no party runs in between`)
	}
	expectWarning(t, text, "kuscia_serving.orphan", `an app image that it uses was deleted\. Its state is unchanged\. Create the app image again, or change app_image`)
}

// expectWarning finds a warning of a resource in the lines of JSON that the CLI
// prints.
func expectWarning(t *testing.T, lines, address, message string) {
	t.Helper()
	pattern := regexp.MustCompile(message)
	var found []string
	for line := range strings.Lines(lines) {
		var event struct {
			Diagnostic struct{ Severity, Summary, Detail, Address string }
		}
		if json.Unmarshal([]byte(line), &event) != nil || event.Diagnostic.Severity != "warning" || event.Diagnostic.Address != address {
			continue
		}
		text := acctest.Plain(event.Diagnostic.Summary + ": " + event.Diagnostic.Detail)
		if pattern.MatchString(text) {
			return
		}
		found = append(found, text)
	}
	t.Errorf("%s has no warning %q but %q", address, message, found)
}
