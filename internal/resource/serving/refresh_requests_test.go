package serving_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// stillCluster is a Kubernetes API with the objects of servings that do not
// change. It serves only lists, page by page, and counts them.
type stillCluster struct {
	lists    map[string][]any
	kinds    map[string]string
	requests atomic.Int32
}

func newStillCluster(image string, ids []string) *stillCluster {
	type object = map[string]any
	s := &stillCluster{lists: map[string][]any{}, kinds: map[string]string{
		"kusciadeployments": "KusciaDeployment", "deployments": "Deployment", "services": "Service", "appimages": "AppImage",
	}}
	for i, id := range ids {
		labels := object{"kuscia.secretflow/kd-name": id, "kuscia.secretflow/deployment-name": id}
		metadata := func(namespace, name string) object {
			return object{"namespace": namespace, "name": name, "uid": fmt.Sprint("u", i), "resourceVersion": fmt.Sprint(i), "generation": 1, "labels": labels}
		}
		s.lists["kusciadeployments"] = append(s.lists["kusciadeployments"], object{"metadata": metadata("cross-domain", id), "spec": object{
			"parties": []any{object{"domainID": "alice", "appImageRef": image}},
		}})
		s.lists["deployments"] = append(s.lists["deployments"], object{"metadata": metadata("alice", id)})
		for _, port := range []string{"service", "communication"} {
			s.lists["services"] = append(s.lists["services"], object{"metadata": metadata("alice", id+"-"+port)})
		}
	}
	s.lists["appimages"] = []any{object{"metadata": object{"name": image, "uid": "i", "resourceVersion": "1"}}}
	return s
}

func (s *stillCluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	name := path.Base(r.URL.Path)
	items, found := s.lists[name]
	if !found {
		http.NotFound(w, r)
		return
	}
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	first, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	last, metadata := min(first+limit, len(items)), map[string]any{}
	if last < len(items) {
		metadata["continue"] = strconv.Itoa(last)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": s.kinds[name] + "List", "apiVersion": "v1", "metadata": metadata, "items": items[first:last]})
}

// TestRefreshRequests: a thousand unchanged servings, or some hundred with -short, are
// refreshed with a few lists, also those that were imported.
func TestRefreshRequests(t *testing.T) {
	t.Parallel()
	const atOnce = 10
	servings := 1000
	if testing.Short() {
		servings = 300
	}
	e := acctest.NewSandbox(t, sandbox.Options{})
	image := e.AppImage()
	ids := make([]string, servings)
	for i := range ids {
		ids[i] = fmt.Sprintf("s%d", i)
		e.Do(func(ctx context.Context, api *kuscia.Client) error {
			return api.CreateServing(ctx, &kuscia.CreateServingRequest{ServingID: ids[i], Initiator: "alice", ServingInputConfig: "{}",
				Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: image}}})
		})()
	}
	cluster := newStillCluster(image, ids)
	server := httptest.NewServer(cluster)
	t.Cleanup(server.Close)
	states := make([]protocol.State, servings)
	unread := func(r *protocol.Resource, i int) protocol.State {
		state := r.None()
		state.Value = protocol.Value(r.Kind, protocol.Object{"serving_id": ids[i], "wait_for_rollout": false})
		return state
	}
	refresh := func(each func(i int, r *protocol.Resource)) {
		r := e.Server(map[string]string{"KUSCIA_KUBE_HOST": server.URL}).Resource(t, "kuscia_serving")
		r.Read(t, unread(r, 0)) // a single read makes no list
		var all sync.WaitGroup
		for worker := range atOnce {
			all.Go(func() {
				for i := worker; i < servings; i += atOnce {
					each(i, r)
				}
			})
		}
		all.Wait()
	}
	refresh(func(i int, r *protocol.Resource) {
		state := unread(r, i)
		if i%2 == 0 {
			imported, _ := r.Import(t, ids[i])
			state.Private = imported.Private
		}
		_, states[i] = r.Read(t, state)
	})

	cluster.requests.Store(0)
	const version = "/version"
	before, versions := e.CountRequests(), e.Sandbox.Count(version)
	refresh(func(i int, r *protocol.Resource) {
		if response, read := r.Read(t, states[i]); !read.Value.Equal(states[i].Value) || len(response.Diagnostics) > 0 || string(read.Private) != string(states[i].Private) {
			t.Errorf("%s: %s\n%s", ids[i], read.Value, protocol.Messages(response.Diagnostics))
		}
	})
	queries := before.Since(acctest.PathServingQuery)
	all := int(cluster.requests.Load()) + queries + e.Sandbox.Count(version) - versions
	for _, asked := range []string{acctest.PathServingStatus, acctest.PathAppImageQuery, acctest.PathAppImageBatch, acctest.PathDomainBatch} {
		all += before.Since(asked)
	}
	if all > 15 {
		t.Errorf("%d requests for %d servings, %d of them queries and %d to the cluster", all, servings, queries, cluster.requests.Load())
	}
	t.Logf("%d requests, %d of them queries", all, queries)
}
