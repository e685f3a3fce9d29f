package serving_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// imageHCL is an app image in the configuration, with one template for every
// role.
func imageHCL(name, tag, containers string) string {
	return acctest.AppImageBlock{
		Label: "sf", Name: name, Image: attrs{"tag": tag}, Template: attrs{"containers": acctest.Reference("[" + containers + "]")},
	}.String()
}

// TestAccServing_liveImageEdited: an app image that is edited together with a
// live serving, or before it, and on which the update would hang. Kuscia would
// stay Available with the old pods, without a visible error.
func TestAccServing_liveImageEdited(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPorts", "TestCheckAllocated", "TestUpdateRefusesWhatBecameImpossible"))
	t.Parallel()
	const service = `{ name = "service", scope = "Domain" }`
	main := func(inner string) string { return `{ name = "main", ` + inner + ` }` }
	triggers := func(s *servingHCL) {
		s.config, s.triggers = `"{}"`, `{ image = kuscia_app_image.sf.rollout_revision }`
	}
	twice := func(s *servingHCL) { s.parties[0].replicas = "2" }
	for name, test := range map[string]struct {
		before, after string // containers of the app image
		serving       func(*servingHCL)
		edit          func(*servingHCL)
		refused       string
	}{
		"new port, replicas": {
			before: main("ports = [" + service + "]"),
			after:  main("ports = [" + service + `, { name = "metrics", scope = "Domain" }]`),
			edit:   twice, refused: `New port on a live serving`,
		},
		"new local port, replicas": {
			before: main("ports = [" + service + "]"),
			after:  main("ports = [" + service + `, { name = "metrics" }]`),
			edit:   twice, refused: `New port on a live serving`,
		},
		"new local port, restart": {
			before:  main("ports = [" + service + "]"),
			after:   main("ports = [" + service + `, { name = "metrics" }]`),
			serving: triggers, refused: `New port on a live serving`,
		},
		"limit below the serving's request, restart": {
			before: main(`resources = { limits = { cpu = "2" } }`),
			after:  main(`resources = { limits = { cpu = "0.5" } }`),
			serving: func(s *servingHCL) {
				triggers(s)
				s.parties[0].resources = `resources = { min_cpu = "1" }`
			},
			refused: `Request above limit`,
		},
		"one more container, replicas": {
			before:  main("ports = [" + service + "]"),
			after:   main("ports = ["+service+"]") + `, { name = "side" }`,
			serving: func(s *servingHCL) { s.parties[0].resources = `container_resources = { main = { min_cpu = "1" } }` },
			edit:    twice,
		},
		"container renamed, replicas": {
			before:  main("ports = [" + service + "]"),
			after:   `{ name = "renamed", ports = [` + service + `] }`,
			serving: func(s *servingHCL) { s.parties[0].resources = `container_resources = { main = { min_cpu = "1" } }` },
			edit:    twice,
		},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			e := acctest.New(t)
			s := alone(e, "live", "")
			s.parties[0].image = "kuscia_app_image.sf.name"
			s = s.with(test.serving)
			image := e.Name("live")
			edited := imageHCL(image, "2", test.after)
			steps := []resource.TestStep{{Config: e.ProviderConfig() + imageHCL(image, "1", test.before) + s.String()}}
			if test.refused == "" {
				steps = append(steps,
					resource.TestStep{Config: e.ProviderConfig() + edited + s.String()},
					resource.TestStep{Config: e.ProviderConfig() + edited + s.with(test.edit).String()})
			} else {
				steps = append(steps, resource.TestStep{
					Config:   e.ProviderConfig() + edited + s.with(test.edit).String(),
					PlanOnly: true, ExpectError: regexp.MustCompile(test.refused),
				})
			}
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
				CheckDestroy:             e.CheckServingDestroyed(s.servingID()),
				Steps:                    steps,
			})
		})
	}
}

// TestAccServing_liveImageReplaced: the error for a new port says how the serving is
// replaced, and that works; -replace does not.
func TestAccServing_liveImageReplaced(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	e := acctest.New(t)
	s := alone(e, "replaced", "")
	s.parties[0].image, s.config = "kuscia_app_image.sf.name", `"{}"`
	twice := s.with(func(s *servingHCL) { s.parties[0].replicas = "2" })
	triggered := twice.with(func(s *servingHCL) { s.replace = `{ ports = "3" }` })
	image := e.Name("replaced")
	with := func(ports string) string {
		return imageHCL(image, "1", `{ name = "main", ports = [{ name = "service", scope = "Domain" }`+ports+`] }`)
	}
	const metrics, admin = `, { name = "metrics", scope = "Domain" }`, `, { name = "admin", scope = "Domain" }`
	w := e.Applied(t, with("")+s.String())

	w.Write("main.tf", with(metrics)+twice.String())
	for _, arguments := range [][]string{{"plan"}, {"plan", "-replace=kuscia_serving.replaced"}} {
		said := acctest.Plain(w.Run(1, append(arguments, "-input=false")...))
		for _, want := range []string{"New port on a live serving", "run terraform taint ADDRESS and then apply", "another value of a key in replace_triggers"} {
			if !strings.Contains(said, want) {
				t.Errorf("%v does not say %q: %s", arguments, want, said)
			}
		}
	}
	w.Run(0, "taint", "kuscia_serving.replaced")
	w.Apply()
	w.Plan(acctest.PlanEmpty)

	w.Write("main.tf", with(metrics+admin)+triggered.String())
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}

// TestAccServing_liveImageEditedBefore: the app image got a port without an
// endpoint in an earlier apply. Nothing on the server distinguishes it from the
// others.
func TestAccServing_liveImageEditedBefore(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	e := acctest.New(t)
	s := alone(e, "before", "")
	s.parties[0].image = "kuscia_app_image.sf.name"
	s.config = `"{}"`
	image := e.Name("before")
	one := imageHCL(image, "1", `{ name = "main", ports = [{ name = "service", scope = "Domain" }] }`)
	two := imageHCL(image, "1", `{ name = "main", ports = [{ name = "service", scope = "Domain" }, { name = "metrics" }] }`)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             e.CheckServingDestroyed(s.servingID()),
		Steps: []resource.TestStep{
			{Config: e.ProviderConfig() + one + s.String()},
			{Config: e.ProviderConfig() + two + s.String()},
			{
				Config:      e.ProviderConfig() + two + s.with(func(s *servingHCL) { s.config = `"{\"a\":1}"` }).String(),
				ExpectError: regexp.MustCompile(`New port on a live serving`),
			},
		},
	})
}
