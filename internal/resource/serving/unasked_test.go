package serving

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// resourced is an app image of one container with resources of its own.
func resourced(cpu string) *kuscia.AppImage {
	main := container("main")
	if cpu != "" {
		main.Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: cpu}}
	}
	return appImage("sf", main)
}

func limited(cpu string) kuscia.Resource {
	return kuscia.Resource{ContainerName: "main", MaxCPU: cpu}
}

// TestSpotResources: only a change of the answer that nothing but resources
// stored by somebody else explains is drift.
func TestSpotResources(t *testing.T) {
	t.Parallel()
	type images []*kuscia.AppImage
	for name, test := range map[string]struct {
		first   kuscia.Resource
		images  images // when first read
		then    []kuscia.Resource
		later   images // as remembered, then as asked anew
		changes []func(*kuscia.Serving, *privateData)
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
		"not for every container":  {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2"), {ContainerName: "side"}}, later: images{appImage("sf", container("main"), container("side"))}},
		"another container":        {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2"), {ContainerName: "old", MinCPU: "1"}}, later: images{resourced("")}},
		"image cannot be asked":    {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2")}},
		"no longer deployed": {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("")},
			changes: []func(*kuscia.Serving, *privateData){func(s *kuscia.Serving, _ *privateData) { s.Status = nil }}},
		"never seen": {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("")},
			changes: []func(*kuscia.Serving, *privateData){func(_ *kuscia.Serving, d *privateData) { d.Seen = nil }}},
		"read at import": {first: limited(""), images: images{resourced("")}, then: []kuscia.Resource{limited("2")}, later: images{resourced("")},
			changes: []func(*kuscia.Serving, *privateData){func(_ *kuscia.Serving, d *privateData) { d.Observed = []string{"alice/"} }}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := stateOf(configOf(partyOf("alice")))
			answer := &kuscia.Serving{
				Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "sf", Resources: []kuscia.Resource{test.first}}},
				Status: &kuscia.ServingStatusDetail{PartyStatuses: []kuscia.PartyStatus{{DomainID: "alice"}}},
			}
			before := templatesOf(test.images)
			read, private := spotResources(state, answer, privateData{}, before[0], before[1])
			sameModel(t, read, state)
			if len(private.Seen) != 1 {
				t.Fatalf("noted %v", private.Seen)
			}
			answer.Parties[0].Resources = test.then
			for _, change := range test.changes {
				change(answer, &private)
			}
			after := templatesOf(test.later)
			read, next := spotResources(state, answer, stored(t, private), after[0], after[1])
			if drift := !read.Parties.equal(state.Parties); drift != test.drift {
				t.Fatalf("drift: %v, want %v; seen %v", drift, test.drift, private.Seen)
			}
			switch again, twice := spotResources(state, answer, stored(t, next), after[0], after[1]); {
			case test.drift:
				if !reflect.DeepEqual(next.learn(answer, read), privateData{Containers: map[string][]string{"alice/": {"main"}}, TextEnd: "plain"}) {
					t.Errorf("after the drift %+v is known", next.learn(answer, read))
				}
			default:
				sameModel(t, again, state)
				if !reflect.DeepEqual(stored(t, twice), stored(t, next)) {
					t.Errorf("reading again changes %+v to %+v", next, twice)
				}
			}
		})
	}
}

// TestSpotResourcesAfterUpdate: an update brings the resources of the app image
// to the pods. Once the app image is as it was before, they differ from it, and
// nobody has stored any.
func TestSpotResourcesAfterUpdate(t *testing.T) {
	t.Parallel()
	state := stateOf(configOf(partyOf("alice")))
	answer := &kuscia.Serving{
		Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "sf", Resources: []kuscia.Resource{limited("1")}}},
		Status: &kuscia.ServingStatusDetail{PartyStatuses: []kuscia.PartyStatus{{DomainID: "alice"}}},
	}
	before, after := templatesOf([]*kuscia.AppImage{resourced("1")}), templatesOf([]*kuscia.AppImage{resourced("2")})
	_, private := spotResources(state, answer, privateData{}, before[0], before[1])

	private = stored(t, private).afterSending()
	answer.Parties[0].Resources = []kuscia.Resource{limited("2")} // the app image had these meanwhile
	read, private := spotResources(state, answer, stored(t, private), before[0], before[1])
	sameModel(t, read, state)
	answer.Parties[0].Resources = []kuscia.Resource{limited("3")}
	if read, _ := spotResources(state, answer, stored(t, private), before[0], before[1]); read.Parties.equal(state.Parties) {
		t.Error("resources that are stored later are not seen")
	}
	if read, _ := spotResources(state, answer, stored(t, private), after[0], after[1]); !read.Parties.equal(state.Parties) {
		t.Error("a later change of the app image is taken for somebody's resources")
	}
}

// TestSpotResourcesAsksSeldom: as long as an answer stays as it is, no app
// image is looked up.
func TestSpotResourcesAsksSeldom(t *testing.T) {
	t.Parallel()
	state := stateOf(configOf(partyOf("alice")))
	answer := &kuscia.Serving{
		Parties: []kuscia.ServingParty{{DomainID: "alice", Resources: []kuscia.Resource{limited("1")}}},
		Status:  &kuscia.ServingStatusDetail{PartyStatuses: []kuscia.PartyStatus{{DomainID: "alice"}}},
	}
	asked := 0
	lookup := func(kuscia.ServingParty) *kuscia.DeployTemplate {
		asked++
		return &resourced("1").DeployTemplates[0]
	}
	var private privateData
	for range 3 {
		_, private = spotResources(state, answer, private, lookup, lookup)
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

// stored is private data after a way through the state.
func stored(t *testing.T, data privateData) (back privateData) {
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

// templatesOf are the lookups of what is remembered and what is asked anew, by
// default the same; without app images neither gives an answer.
func templatesOf(images []*kuscia.AppImage) (lookups [2]templateLookup) {
	for i := range lookups {
		lookups[i] = func(p kuscia.ServingParty) *kuscia.DeployTemplate {
			if len(images) == 0 {
				return nil
			}
			return templateFor(images[min(i, len(images)-1)], p.Role)
		}
	}
	return lookups
}
