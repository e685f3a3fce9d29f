package serving_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestImportHandmade imports servings that were created with curl: replicas left to the app image,
// an affinity mode that cannot be read, values in any form. The first plan is empty, even with
// attributes that only the configuration has; the first change is an update in place of that
// attribute, beside resources of which it is not known whether Kuscia stores them.
func TestImportHandmade(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	image := e.AppImage(func(i *kuscia.AppImage) { i.DeployTemplates[0].Replicas = 2 })
	withAmounts := e.AppImage(func(i *kuscia.AppImage) {
		i.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{
			Requests: &kuscia.ResourceSpec{CPU: "100m"}, Limits: &kuscia.ResourceSpec{Memory: "1Gi"},
		}
	})
	stopped := e.AppImage(func(i *kuscia.AppImage) { i.DeployTemplates[0].Replicas = 0 })
	prefix := e.Name("by-hand")
	one := int32(1)
	of := func(image string) *kuscia.CreateServingRequest {
		return &kuscia.CreateServingRequest{Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: image}}}
	}
	written := &kuscia.CreateServingRequest{
		Initiator: "bob", ServingInputConfig: "by hand", Parties: []kuscia.ServingParty{
			{DomainID: "bob", Role: "b", AppImage: image, Replicas: &one, Resources: []kuscia.Resource{{MinCPU: "1.5"}}},
			{DomainID: "alice", Role: "a", AppImage: image, Replicas: &one, UpdateStrategy: &kuscia.UpdateStrategy{Type: "Recreate", MaxSurge: "1"}, ServiceNamePrefix: prefix},
		},
	}
	spelled := of(image)
	spelled.AffinityMode, spelled.ServingInputConfig = "none", "{\n \"b\": 2,\n \"a\": 1 }\n"
	bobs := attrs{"role": "b", "app_image": image, "replicas": 1, "resources": attrs{"min_cpu": "1.5"}}
	alices := attrs{"role": "a", "app_image": image, "replicas": 1, "update_strategy": attrs{"type": "Recreate"}, "service_name_prefix": prefix}
	for name, test := range map[string]struct {
		request *kuscia.CreateServingRequest
		config  attrs
		edit    attrs
		sends   string
	}{
		"spelled": {spelled, attrs{
			"parties": attrs{"alice": attrs{"app_image": image, "replicas": 2}}, "affinity_mode": "none", "wait_for_rollout": false,
			"timeouts": attrs{"create": "5m"}, "serving_input_config": `{"a":1,"b":2}`,
		}, attrs{"parties": attrs{"alice": attrs{"app_image": image, "replicas": 1}}, "redeploy_triggers": attrs{"v": "1"}}, `{"parties":[{"domain_id":"alice","replicas":1}]}`},
		// A text that is left out after an import is kept. Resources that the app image does not have
		// may be those that it had, and are sent.
		"written": {written, attrs{"initiator": "bob", "parties": attrs{"alice/a": with(alices, attrs{"domain_id": "alice"}), "bob/b": with(bobs, attrs{"domain_id": "bob"})}},
			attrs{"parties": attrs{"alice/a": with(alices, attrs{"domain_id": "alice"}), "bob/b": with(bobs, attrs{"domain_id": "bob", "replicas": 2})}}, `{"parties":[{"domain_id":"bob","replicas":2,"resources":[{"container_name":"secretflow","min_cpu":"1.5"}],"role":"b"}]}`},
		// It is unknown whether Kuscia stores the app image's own resources.
		"unclear": {of(withAmounts), nil, attrs{"parties": attrs{"alice": attrs{"app_image": withAmounts, "replicas": 2}}}, `{"parties":[{"domain_id":"alice","replicas":2}]}`},
		// A party whose replicas were never set runs as many pods as the app image has.
		"unset":   {of(image), nil, attrs{"serving_input_config": "{}"}, `{"serving_input_config":"{}"}`},
		"stopped": {of(stopped), nil, attrs{"parties": attrs{"alice": attrs{"app_image": stopped, "replicas": 1}}}, `{"parties":[{"domain_id":"alice","replicas":1}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLive(t, e, test.request.Parties[0].AppImage).set(test.config)
			test.request.ServingID = l.id()
			handmade(t, e, test.request)
			sandboxtest.Eventually(t, "the status", func() bool {
				status := l.query().Status
				return status != nil && status.CreateTime != "" && len(status.PartyStatuses) == len(test.request.Parties)
			})
			imported, said := l.run().Import(t, l.id())
			l.state = imported
			if more, differs := l.plan(); differs || strings.Contains(said+more, "ERROR") {
				planned, _ := l.planned(l.run())
				t.Fatalf("the plan after the import is not empty: %s\n%s\n%s", said+more, l.state.Value, planned.Value)
			}
			if e.Sandbox != nil {
				e.Sandbox.ResetRequests()
			}
			if l.set(test.edit).mustApply(); e.Sandbox == nil {
				return
			}
			if got := sent(e, l.id()); !slices.Equal(got, []string{test.sends}) {
				t.Errorf("it sends %s, want %s", got, test.sends)
			}
		})
	}
}

func with(object, more attrs) attrs { return (&live{of: object}).set(more).of }

// TestDataSources read a serving that runs, one that Kuscia never starts, and IDs that do not
// exist. An empty list of IDs needs no request.
func TestDataSources(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	ask := func(name string, config attrs) (protocol.State, string) {
		shown, diagnostics := e.Server(nil).DataSource(t, name, config)
		return protocol.State{Value: shown}, protocol.Messages(diagnostics)
	}
	statuses := func(ids ...any) (protocol.State, string) {
		return ask("kuscia_serving_status", attrs{"serving_ids": ids})
	}
	_, said := statuses("a", nil)
	says(t, "null", said, "serving_ids[1] is null. Every element must be the serving_id")
	requests := e.CountRequests()
	if shown, said := statuses(); said != "" || protocol.Plain(shown.At("all_available")) != true || requests.Since(acctest.PathServingStatus) > 0 {
		t.Errorf("%s: %s", shown.Value, said)
	}

	image := e.AppImage()
	l := newLive(t, e, image).set(attrs{"serving_input_config": `{"model":1}`})
	l.of["parties"].(attrs)["b"] = attrs{"domain_id": "bob", "role": "client", "app_image": image, "replicas": 2}
	l.mustApply()
	// A domain that does not exist is accepted, and the status stays null.
	pending, missing := e.Name("pending"), e.Name("missing")
	handmade(t, e, &kuscia.CreateServingRequest{ServingID: pending, Initiator: "nowhere", Parties: []kuscia.ServingParty{{DomainID: "nowhere", AppImage: image}}})
	running, said := ask("kuscia_serving", attrs{"serving_id": l.id()})
	if said != "" || running.Text("serving_input_config") != `{"model":1}` || !running.At("parties", "bob/client", "replicas").Equal(tftypes.NewValue(tftypes.Number, 2)) ||
		len(protocol.Fields(running.At("endpoints"))) != 4 || running.Text("status", "state") != kuscia.StateAvailable {
		t.Errorf("%s: %s", running.Value, said)
	}
	if shown, said := ask("kuscia_serving", attrs{"serving_id": pending}); said != "" || shown.Text("status", "state") != "Pending" {
		t.Errorf("%s: %s", shown.Value, said)
	}
	_, said = ask("kuscia_serving", attrs{"serving_id": missing})
	says(t, "missing", said, "Serving does not exist", `Kuscia has no serving "`+missing+`". Check serving_id`, "11601")
	all, said := statuses(missing, l.id(), pending, missing)
	if said != "" || all.Text("servings", pending, "state") != "Pending" || !all.At("servings", l.id()).Equal(running.At("status")) ||
		len(protocol.Elements(all.At("missing_serving_ids"))) != 1 || protocol.Plain(all.At("all_available")) != false {
		t.Errorf("%s: %s", all.Value, said)
	}
}

// TestImportPinsNothing: resources that are those of the app image are null after an import, so
// that the party follows its app image. Written all the same, they are an update that sends
// nothing; other ones are sent.
func TestImportPinsNothing(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{Domains: []string{"alice", "bob"}})
	image := e.AppImage(func(i *kuscia.AppImage) {
		i.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{
			Requests: &kuscia.ResourceSpec{CPU: "100m"}, Limits: &kuscia.ResourceSpec{CPU: "1", Memory: "1Gi"},
		}
	})
	container := e.StoredAppImage(image).DeployTemplates[0].Containers[0].Name
	one := int32(1)
	of := func(memory string) attrs {
		return attrs{"parties": attrs{"alice": attrs{"app_image": image, "replicas": 1, "container_resources": attrs{container: attrs{"min_cpu": "0.1", "max_cpu": "1", "max_memory": memory}}}}}
	}
	for name, stored := range map[string][]kuscia.Resource{
		"not stored": nil,
		"stored":     {{ContainerName: container, MinCPU: "100m", MaxCPU: "1", MaxMemory: "1Gi"}},
	} {
		t.Run(name, func(t *testing.T) {
			imported := func(config attrs) *live {
				l := newLive(t, e, image).set(config)
				handmade(t, e, &kuscia.CreateServingRequest{ServingID: l.id(), Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: image, Replicas: &one, Resources: stored}}})
				sandboxtest.Eventually(t, "the status", func() bool { status := l.query().Status; return status != nil && status.CreateTime != "" })
				l.state, _ = l.run().Import(t, l.id())
				for _, attribute := range []string{"resources", "container_resources"} {
					if !l.state.At("parties", "alice", attribute).IsNull() {
						t.Errorf("%s is %s after the import", attribute, l.state.At("parties", "alice", attribute))
					}
				}
				return l
			}
			if said, differs := imported(attrs{"parties": attrs{"alice": attrs{"app_image": image, "replicas": 1}}}).plan(); differs || said != "" {
				t.Errorf("the plan after the import is not empty: %s", said)
			}
			for memory, want := range map[string][]string{
				"1024Mi": nil,
				"2Gi":    {`{"parties":[{"domain_id":"alice","resources":[{"container_name":"` + container + `","max_cpu":"1","max_memory":"2Gi","min_cpu":"0.1"}]}]}`},
			} {
				l := imported(of(memory))
				e.Sandbox.ResetRequests()
				l.mustApply()
				if got := sent(e, l.id()); !slices.Equal(got, want) {
					t.Errorf("%s sends %s, want %s", memory, got, want)
				}
			}
		})
	}
}

// TestImportedResourcesOfUnknownOrigin: Kuscia shows resources of a party and of its app image alike.
// Where the app image has changed since, a plan does not claim to know whether an update replaces
// the pods, unless the configuration has the resources; the apply knows, and so does a plan after it.
func TestImportedResourcesOfUnknownOrigin(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{Domains: []string{"alice", "bob"}})
	define := func(name, memory string) (container string) {
		image := e.StoredAppImage(name)
		image.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{Requests: &kuscia.ResourceSpec{CPU: "100m"}, Limits: &kuscia.ResourceSpec{Memory: memory}}
		protocol.NoError(t, e.Sandbox.PutAppImage(*image))
		return image.DeployTemplates[0].Containers[0].Name
	}
	one := int32(1)
	for name, test := range map[string]struct {
		stored, before, written bool
		planned, applied        string // pod_revision
		waits                   bool
	}{
		"the app image's, changed before": {false, true, false, "unknown", "2", true},
		"the app image's, changed since":  {false, false, false, "unknown", "2", false},
		"stored, changed before":          {true, true, false, "unknown", "1", false},
		"stored, changed since":           {true, false, false, "unknown", "1", false},
		"written, the app image's":        {false, true, true, "1", "1", false},
		"written, stored":                 {true, true, true, "1", "1", false},
		"written since, the app image's":  {false, false, true, "1", "1", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			image := e.AppImage()
			container := define(image, "1Gi")
			amounts := attrs{"min_cpu": "100m", "max_memory": "1Gi"}
			var stored []kuscia.Resource
			if test.stored {
				stored = []kuscia.Resource{{ContainerName: container, MinCPU: "100m", MaxMemory: "1Gi"}}
			}
			l := newLive(t, e, image).set(attrs{"follow_app_image": false, "wait_for_rollout": test.waits})
			l.alice(attrs{"replicas": 1})
			if test.written {
				l.alice(attrs{"container_resources": attrs{container: amounts}})
			}
			handmade(t, e, &kuscia.CreateServingRequest{ServingID: l.id(), Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: image, Replicas: &one, Resources: stored}}})
			runs := func(replicas int32) {
				sandboxtest.Eventually(t, "the pods", func() bool {
					status := l.query().Status
					return status != nil && len(status.PartyStatuses) == 1 && status.PartyStatuses[0].AvailableReplicas == replicas && status.PartyStatuses[0].UnavailableReplicas == 0
				})
			}
			runs(1)
			if test.before {
				define(image, "2Gi")
			}
			l.state, _ = l.run().Import(t, l.id())
			switch said, differs := l.plan(); {
			case said != "" || differs && !test.written:
				t.Fatalf("the plan after the import changes something, or says %s", said)
			case differs:
				l.mustApply()
			}
			if !test.before {
				define(image, "2Gi")
				l.mustRead()
			}
			revision := func(of protocol.State) string {
				if value := of.At("parties", "alice", "pod_revision"); value.IsKnown() {
					return fmt.Sprint(protocol.Plain(value))
				}
				return "unknown"
			}
			pods := func() string {
				names, err := e.Sandbox.PodNames(l.id(), "alice", "")
				protocol.NoError(t, err)
				return names[0]
			}

			l.alice(attrs{"replicas": 2})
			first := pods()
			planned, said := l.planned(l.run())
			if got := revision(planned); got != test.planned {
				t.Errorf("pod_revision is planned as %s, want %s", got, test.planned)
			}
			if unknown := test.planned == "unknown"; unknown != strings.Contains(said, "Unknown whether pods are replaced") {
				t.Errorf("the plan says %s", said)
			}
			l.try()
			if test.waits && revision(l.state) != test.applied {
				t.Errorf("pod_revision is %s after the wait, want %s", revision(l.state), test.applied)
			}
			sandboxtest.Eventually(t, "pod_revision "+test.applied+" with the right pods", func() bool {
				runs(2)
				l.mustRead()
				names, err := e.Sandbox.PodNames(l.id(), "alice", "")
				protocol.NoError(t, err)
				return revision(l.state) == test.applied && slices.Contains(names, first) == (test.applied == "1")
			})
			if said, differs := l.plan(); differs {
				t.Errorf("the plan after the apply is not empty: %s", said)
			}
		})
	}
}
