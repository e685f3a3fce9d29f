package refresh

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// resourced is an app image with one container that has resources.
func resourced(cpu string) *kuscia.AppImage {
	main := Container("main")
	if cpu != "" {
		main.Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: cpu}}
	}
	return AppImage("sf", main)
}

func limited(cpu string) kuscia.Resource {
	return kuscia.Resource{ContainerName: "main", MaxCPU: cpu}
}

// TestUnmanagedResources: only a change of the response that nothing but resources
// stored by another client explains is drift.
func TestUnmanagedResources(t *testing.T) {
	t.Parallel()
	type images []*kuscia.AppImage
	for name, test := range map[string]struct {
		first   kuscia.Resource
		images  images // at the first read
		then    []kuscia.Resource
		later   images // cached, then queried again
		changes []func(*kuscia.Serving, *model.Private)
		drift   bool
	}{
		"stored":                   {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("")}, drift: true},
		"stored over the image's":  {first: limited("1"), images: images{resourced("1")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("1000m")}, drift: true},
		"unchanged":                {first: limited("1"), images: images{resourced("1")}, then: []kuscia.Resource{limited("1000m")}, later: images{resourced("2")}},
		"image edited, reconciled": {first: limited("1"), images: images{resourced("1")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("2")}},
		"image edited twice":       {first: limited("1"), images: images{resourced("1")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("3")}},
		"late reconcile":           {first: limited("1"), images: images{resourced("2")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("2")}},
		"edited within the run":    {first: limited("1"), images: images{resourced("1")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("1"), resourced("2")}},
		"rounded by Kubernetes":    {first: limited("0.0001"), images: images{resourced("0.0001")}, then: []kuscia.Resource{limited("1m")}, later: images{resourced("0.0001")}},
		"values gone":              {first: limited("1"), images: images{resourced("1")}, then: []kuscia.Resource{limited("")}, later: images{resourced("1")}},
		"zero":                     {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("0")}, later: images{resourced("")}},
		"not for every container":  {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2"), {ContainerName: "side"}}, later: images{AppImage("sf", Container("main"), Container("side"))}},
		"another container":        {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2"), {ContainerName: "old", MinCPU: "1"}}, later: images{resourced("")}},
		"image cannot be asked":    {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2")}},
		"no longer deployed": {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("")},
			changes: []func(*kuscia.Serving, *model.Private){func(s *kuscia.Serving, _ *model.Private) { s.Status = nil }}},
		"never seen": {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("")},
			changes: []func(*kuscia.Serving, *model.Private){func(_ *kuscia.Serving, d *model.Private) { d.Baselines = nil }}},
		"read at import": {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("")},
			changes: []func(*kuscia.Serving, *model.Private){func(_ *kuscia.Serving, d *model.Private) { d.ObservedResources = []string{"alice/"} }}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := StateOf(ConfigOf(PartyOf("alice")))
			response := &kuscia.Serving{
				Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "sf", Resources: []kuscia.Resource{test.first}}},
				Status: &kuscia.ServingStatusDetail{PartyStatuses: []kuscia.PartyStatus{{DomainID: "alice"}}},
			}
			before := templatesOf(test.images)
			read, private := detectUnmanagedResources(state, response, model.Private{}, before[0], before[1])
			SameModel(t, read, state)
			if len(private.Baselines) != 1 {
				t.Fatalf("recorded %v", private.Baselines)
			}
			response.Parties[0].Resources = test.then
			for _, change := range test.changes {
				change(response, &private)
			}
			after := templatesOf(test.later)
			read, next := detectUnmanagedResources(state, response, stored(t, private), after[0], after[1])
			if drift := !read.Parties.Equal(state.Parties); drift != test.drift {
				t.Fatalf("drift: %v, want %v; seen %v", drift, test.drift, private.Baselines)
			}
			switch again, twice := detectUnmanagedResources(state, response, stored(t, next), after[0], after[1]); {
			case test.drift:
				if !reflect.DeepEqual(recordResponse(next, response, read), model.Private{Containers: map[string][]string{"alice/": {"main"}}, ConfigEnding: "plain"}) {
					t.Errorf("after the drift %+v is known", recordResponse(next, response, read))
				}
			default:
				SameModel(t, again, state)
				if !reflect.DeepEqual(stored(t, twice), stored(t, next)) {
					t.Errorf("reading again changes %+v to %+v", next, twice)
				}
			}
		})
	}
}

// TestUnmanagedResourcesAfterUpdate: an update applies the resources of the app image
// to the pods. Once the app image is reverted, they differ from it, although no
// client has stored any.
func TestUnmanagedResourcesAfterUpdate(t *testing.T) {
	t.Parallel()
	state := StateOf(ConfigOf(PartyOf("alice")))
	response := &kuscia.Serving{
		Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "sf", Resources: []kuscia.Resource{limited("1")}}},
		Status: &kuscia.ServingStatusDetail{PartyStatuses: []kuscia.PartyStatus{{DomainID: "alice"}}},
	}
	before, after := templatesOf([]*kuscia.AppImage{resourced("1")}), templatesOf([]*kuscia.AppImage{resourced("2")})
	_, private := detectUnmanagedResources(state, response, model.Private{}, before[0], before[1])

	private = stored(t, private).AfterSending()
	response.Parties[0].Resources = []kuscia.Resource{limited("2")} // the app image had these in the meantime
	read, private := detectUnmanagedResources(state, response, stored(t, private), before[0], before[1])
	SameModel(t, read, state)
	response.Parties[0].Resources = []kuscia.Resource{limited("3")}
	if read, _ := detectUnmanagedResources(state, response, stored(t, private), before[0], before[1]); read.Parties.Equal(state.Parties) {
		t.Error("resources that are stored later are not detected")
	}
	if read, _ := detectUnmanagedResources(state, response, stored(t, private), after[0], after[1]); !read.Parties.Equal(state.Parties) {
		t.Error("a later change of the app image is reported as drift")
	}
}

// TestUnmanagedResourcesRequests: as long as a response does not change, no app
// image is looked up.
func TestUnmanagedResourcesRequests(t *testing.T) {
	t.Parallel()
	state := StateOf(ConfigOf(PartyOf("alice")))
	response := &kuscia.Serving{
		Parties: []kuscia.ServingParty{{DomainID: "alice", Resources: []kuscia.Resource{limited("1")}}},
		Status:  &kuscia.ServingStatusDetail{PartyStatuses: []kuscia.PartyStatus{{DomainID: "alice"}}},
	}
	asked := 0
	lookup := func(kuscia.ServingParty) *kuscia.DeployTemplate {
		asked++
		return &resourced("1").DeployTemplates[0]
	}
	var private model.Private
	for range 3 {
		_, private = detectUnmanagedResources(state, response, private, lookup, lookup)
	}
	if asked != 1 {
		t.Errorf("%d lookups", asked)
	}
}

// stored is the private state after it was saved and loaded.
func stored(t *testing.T, data model.Private) (back model.Private) {
	t.Helper()
	raw, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

// templatesOf returns lookups of cached and of current app images, by default
// the same; without app images neither returns any.
func templatesOf(images []*kuscia.AppImage) (lookups [2]TemplateLookup) {
	for i := range lookups {
		lookups[i] = func(p kuscia.ServingParty) *kuscia.DeployTemplate {
			if len(images) == 0 {
				return nil
			}
			return party.TemplateFor(images[min(i, len(images)-1)], p.Role)
		}
	}
	return lookups
}

// TestForeignResources: an existing serving differs from the configuration if it
// has resources that neither the configuration nor the app image has.
func TestForeignResources(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer  kuscia.Resource
		image   *kuscia.AppImage
		foreign bool
	}{
		"none":                     {limited(""), resourced(""), false},
		"the image's":              {limited("1000m"), resourced("1"), false},
		"stored":                   {limited("2"), resourced(""), true},
		"stored over the image's":  {limited("2"), resourced("1"), true},
		"another container":        {kuscia.Resource{ContainerName: "side", MaxCPU: "1"}, resourced("1"), true},
		"image that cannot be had": {limited("1"), nil, true},
	} {
		existing := &kuscia.Serving{Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "sf", Resources: []kuscia.Resource{test.answer}}}}
		got := UnmanagedDifferences(StateOf(ConfigOf(PartyOf("alice"))), existing, func(p kuscia.ServingParty) *kuscia.DeployTemplate {
			if test.image == nil {
				return nil
			}
			return party.TemplateFor(test.image, p.Role)
		})
		if (len(got) > 0) != test.foreign {
			t.Errorf("%s: %v", name, got)
		}
	}
}
