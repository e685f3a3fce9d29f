package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// sampleStep is the interval at which the status is sampled.
const sampleStep = 4 * time.Millisecond

// seriesSlack is how much later than recorded a series may end.
const seriesSlack = 2 * time.Second

// series samples a value for a time and returns the distinct values in order.
func (r *replay) series(length time.Duration, see func() string) []string {
	var seen []string
	for passed := time.Duration(0); passed <= length; passed += sampleStep {
		if value := see(); len(seen) == 0 || seen[len(seen)-1] != value {
			seen = append(seen, value)
		}
		r.advance(sampleStep)
	}
	return seen
}

// inOrder reports whether all wanted values occur in this order; the sandbox is
// sampled more often than the recording was, and may have more values.
func inOrder(seen, wanted []string) bool {
	next := 0
	for _, value := range seen {
		if next < len(wanted) && wanted[next] == value {
			next++
		}
	}
	return next == len(wanted)
}

// observeStates checks a series of [seconds, state].
func (r *replay) observeStates(item transcriptItem) error {
	var wanted []string
	var last float64
	for _, entry := range observed[[][2]any](r, item) {
		last, _ = entry[0].(float64)
		wanted = append(wanted, fmt.Sprint(entry[1]))
	}
	seen := r.series(time.Duration(last*float64(time.Second))+seriesSlack, func() string {
		if status := statusOf(r.master, r.lastID); status != nil {
			return status.State
		}
		return "<nil>"
	})
	if !inOrder(seen, wanted) || seen[len(seen)-1] != wanted[len(wanted)-1] {
		return fmt.Errorf("states %v, recorded %v", seen, wanted)
	}
	return nil
}

// observeParties checks a series of [seconds, [state, available, parties]]: for
// each party the counts in order, and the state at both ends. Parties are
// checked one by one because they are independent.
func (r *replay) observeParties(item transcriptItem) error {
	wanted, seen := map[string][]string{}, map[string][]string{}
	add := func(to map[string][]string, domainID, counts string) {
		if list := to[domainID]; len(list) == 0 || list[len(list)-1] != counts {
			to[domainID] = append(list, counts)
		}
	}
	var seconds float64
	for _, entry := range observed[[][2]any](r, item) {
		seconds = entry[0].(float64)
		status, _ := entry[1].([]any)
		if status == nil {
			continue // null, before the first pass
		}
		for _, one := range status[2].([]any) {
			party := one.([]any)
			add(wanted, fmt.Sprint(party[0]), fmt.Sprint(party[1:]...))
		}
	}
	r.series(time.Duration(seconds*float64(time.Second))+seriesSlack, func() string {
		if status := statusOf(r.master, r.lastID); status != nil {
			for _, party := range status.PartyStatuses {
				add(seen, party.DomainID, fmt.Sprint(party.State, party.Replicas, party.AvailableReplicas, party.UnavailableReplicas, party.UpdatedReplicas))
			}
		}
		return ""
	})
	for domainID, counts := range wanted {
		have := seen[domainID]
		if !inOrder(have, counts) || have[len(have)-1] != counts[len(counts)-1] {
			return fmt.Errorf("%s went through\n%s\nrecorded\n%s", domainID, strings.Join(have, "\n"), strings.Join(counts, "\n"))
		}
	}
	return nil
}

func (r *replay) observeSlowFailures(transcriptItem) error {
	for _, id := range []string{"slow-update", "slow-domain"} {
		start := statusOf(r.master, id)
		if (start == nil) != (id == "slow-domain") {
			return fmt.Errorf("%s starts with status %v", id, start)
		}
	}
	seen := map[string]bool{}
	for passed := time.Duration(0); passed < 420*time.Second; passed += time.Second {
		r.advance(time.Second)
		if status := statusOf(r.master, "slow-update"); status == nil || status.State != kuscia.StateAvailable || status.Reason+status.Message != "" {
			return fmt.Errorf("slow-update after %s: %+v", passed, status)
		}
		if status := statusOf(r.master, "slow-domain"); status != nil {
			return fmt.Errorf("slow-domain after %s: %+v", passed, status)
		}
		kd, err := r.master.KusciaDeployment("slow-domain")
		if err != nil {
			return err
		}
		seen[kd.Status.Phase] = true
	}
	if !seen[kuscia.StateFailed] {
		return fmt.Errorf("slow-domain never failed; phases %v", slices.Sorted(maps.Keys(seen)))
	}
	return nil
}

func (r *replay) observeNoHealing(transcriptItem) error {
	r.lastID = "heal2"
	r.advance(390 * time.Second)
	if status := statusOf(r.master, "heal1"); status != nil {
		return fmt.Errorf("heal1 has status %+v", status)
	}
	d, err := r.deployment()
	if err != nil {
		return err
	}
	if image := d.Spec.Template.Spec.Containers[0].Image; image != "x/y:1" {
		return fmt.Errorf("heal2 runs %s", image)
	}
	return nil
}

func (r *replay) observeOrder(transcriptItem) error {
	r.advance(3 * time.Second)
	orders := map[string]int{}
	for range 200 {
		order := []string{}
		for _, party := range statusOf(r.master, "trap3").PartyStatuses {
			order = append(order, party.DomainID)
		}
		orders[strings.Join(order, ",")]++
	}
	if orders["alice,bob"] == 0 || orders["bob,alice"] == 0 {
		return fmt.Errorf("orders %v", orders)
	}
	return nil
}

func (r *replay) observeOwnWrites(transcriptItem) error {
	for i := range 30 {
		config := fmt.Sprint("own write ", i)
		if err := ask(r.master, "serving/update", &kuscia.UpdateServingRequest{ServingID: "trap5", ServingInputConfig: config}).err(); err != nil {
			return err
		}
		var data kuscia.Serving
		err := json.Unmarshal(ask(r.master, "serving/query", &serving.QueryServingRequest{ServingID: "trap5"}).Data, &data)
		if err != nil || data.ServingInputConfig != config {
			return fmt.Errorf("read %q after writing %q", data.ServingInputConfig, config)
		}
	}
	return nil
}

// observeRetries repeats the create of the previous exchange.
func (r *replay) observeRetries(transcriptItem) error {
	return r.recreate(r.lastCreate)
}

func (r *replay) observeRecreation(transcriptItem) error {
	request := kuscia.CreateServingRequest{
		ServingID: "again", Initiator: "alice",
		Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "secretflow-serving-image"}},
	}
	if err := r.master.PutServing(request); err != nil {
		return err
	}
	for range 6 {
		r.advance(3 * time.Second)
		if err := r.master.RemoveServing("again"); err != nil {
			return err
		}
		if err := r.recreate(request); err != nil {
			return err
		}
	}
	return nil
}

// leftovers is in the response to a create of a serving of which something is left.
const leftovers = "of sub resources for serving already exists"

// recreate retries every 0.1 s; the id must be blocked at first and free within
// a second.
func (r *replay) recreate(request kuscia.CreateServingRequest) error {
	var failures []string
	for range 10 {
		err := r.master.PutServing(request)
		if err == nil {
			if len(failures) == 0 {
				return fmt.Errorf("nothing was left of the deleted serving")
			}
			return nil
		}
		if !strings.Contains(err.Error(), leftovers) {
			return err
		}
		failures = append(failures, err.Error())
		r.advance(100 * time.Millisecond)
	}
	return fmt.Errorf("still blocked: %v", failures)
}

func (r *replay) observeDefaultPage(item transcriptItem) error {
	for i := range 12 {
		name := fmt.Sprint("pg-", i)
		must(r.t, r.master.PutAppImage(kuscia.AppImage{
			Name: name, Image: kuscia.AppImageInfo{Name: "x"}, DeployTemplates: []kuscia.DeployTemplate{{Name: "t", Containers: []kuscia.Container{{Name: "c"}}}},
		}))
		defer func() { must(r.t, r.master.RemoveAppImage(name)) }()
	}
	var page kuscia.AppImagePage
	must(r.t, json.Unmarshal(ask(r.master, "appimage/list", &appimage.ListAppImageRequest{}).Data, &page))
	names := []any{}
	for _, image := range page.AppImages {
		names = append(names, image.Name)
	}
	return same([]any{float64(len(names)), page.NextPageToken != "", names}, observed[[]any](r, item))
}

// observeObjects compares a print of kubectl: Deployments with their number of pods,
// ReplicaSets and pods by their Deployment, Services and ConfigMaps.
func (r *replay) observeObjects(item transcriptItem) error {
	var want []string
	id := ""
	for _, line := range observed[[]string](r, item) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] == "NAMESPACE" {
			continue
		}
		kind, name, _ := strings.Cut(fields[1], "/")
		switch kind {
		case "deployment.apps":
			id, name = name, name+" "+fields[2]
		case "replicaset.apps", "pod":
			name = id
		}
		want = append(want, fmt.Sprint(fields[0], " ", kind, " ", name))
	}
	withSets := strings.Contains(string(item.Observed), "replicaset.apps")
	return r.sameLines(want, func() (have []string) {
		deployments, services, configMaps := serving.Of(r.controlPlane).Memory().All()
		for _, d := range deployments {
			if d.Meta.Name != id {
				continue
			}
			have = append(have, fmt.Sprintf("%s deployment.apps %s %d/%d", d.Meta.Namespace, id, d.Status.AvailableReplicas, d.Spec.Pods()))
			for _, set := range d.Workload.Sets {
				if withSets {
					have = append(have, fmt.Sprintf("%s replicaset.apps %s", d.Meta.Namespace, id))
				}
				for range set.Pods {
					have = append(have, fmt.Sprintf("%s pod %s", d.Meta.Namespace, id))
				}
			}
		}
		for _, s := range services {
			if s.Meta.Labels[objects.LabelName] == id {
				have = append(have, fmt.Sprintf("%s service %s", s.Meta.Namespace, s.Meta.Name))
			}
		}
		for _, m := range configMaps {
			if m.Meta.Labels[objects.LabelName] == id {
				have = append(have, fmt.Sprintf("%s configmap %s", m.Meta.Namespace, m.Meta.Name))
			}
		}
		return have
	})
}
