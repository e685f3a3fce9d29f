package serving_test

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// about returns the start of the pattern of an error of a resource; it matches
// nothing beyond that error.
func about(label string) string {
	return `with kuscia_serving\.` + label + `, (?:[^E]|E[^r]|Er[^r]|Err[^o]|Erro[^r])*?`
}

// TestAccServing_badInput passes all the mistakes to the real CLI at once: it
// reports every one of them, and nothing is sent.
func TestAccServing_badInput(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestBadInputPaths"))
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
	acctest.SkipShort(t, acctest.ShownBy("TestCheck", "TestCheckImage"))
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
			func(p *partyHCL) {
				p.resources = `resources = { max_cpu = "1" }
container_resources = { nope = { max_cpu = "1" } }`
			},
			`parties\["alice"\]\.container_resources: App image "` + image + `" has no container "nope" for this role; it has "main", "side"`,
		},
		"container_left_out": {
			func(p *partyHCL) { p.resources = `container_resources = { main = { max_cpu = "1" } }` },
			`Container "side" of app image "` + image + `" gets no value. Kuscia would then silently drop`,
		},
		"role": {
			func(p *partyHCL) { p.image, p.role = quote(roles), `"client"` },
			`its templates serve "server", "backup"`,
		},
		// The request is the serving's, the limit the image's.
		"over_image_limit": {
			func(p *partyHCL) { p.image, p.resources = quote(small), `resources = { min_cpu = "2" }` },
			`container "secretflow", min_cpu 2 is more than max_cpu 1 \(values that are not set here come from the app image\)`,
		},
		// The app image is in the same plan and does not exist yet.
		"planned_image": {
			func(p *partyHCL) {
				p.image, p.resources = "kuscia_app_image.test.name", `container_resources = { nope = { max_cpu = "1" } }`
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
	acctest.SkipShort(t, acctest.ShownBy("TestReferences", "TestCheckImage"))
	e := newEnv(t)
	image, missing := e.AppImage(), e.Name("missing")
	absent := alone(e, "absent", missing).with(func(s *servingHCL) { s.parties[0].image = "terraform_data.missing.output" })
	late := alone(e, "late", image).with(func(s *servingHCL) {
		s.parties[0].image, s.parties[0].resources = "terraform_data.image.output", `container_resources = { nope = { max_cpu = "1" } }`
	})
	turned := alone(e, "turned", image).with(func(s *servingHCL) {
		s.parties[0].resources = `resources = { min_cpu = terraform_data.cpu.output, max_cpu = "1" }`
	})
	negative := alone(e, "negative", image).with(func(s *servingHCL) { s.parties[0].replicas = "terraform_data.replicas.output" })
	fraction := alone(e, "fraction", image).with(func(s *servingHCL) { s.parties[0].replicas = "terraform_data.fraction.output" })
	config := ""
	for label, input := range (attrs{"image": image, "missing": missing, "cpu": "2", "replicas": 0, "fraction": 1.5}) {
		config += acctest.Block("terraform_data", label, attrs{"input": input})
	}
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
		about("fraction") + `parties\["alice"\]\.replicas: 1\.5 is not a whole number`,
	}})
	if err := requests.ExpectNone(acctest.PathServingCreate, acctest.PathServingUpdate)(nil); err != nil {
		t.Error(err)
	}
}

// TestAccServing_newPort: a port that a live serving never got would block every
// later update without a visible error.
func TestAccServing_newPort(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPorts", "TestCheckAllocated"))
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
