package serving_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// readsTogether reads a serving in a run with other reads, so that lists are
// made.
func (c *clustered) readsTogether(state protocol.State) (protocol.State, string) {
	c.t.Helper()
	r := c.resource()
	r.Read(c.t, state)
	response, read := r.Read(c.t, state)
	return read, protocol.Messages(response.Diagnostics)
}

// queried is the number of queries in the last of these reads; 0 on a real Kuscia, which
// does not count.
func (c *clustered) queried(state protocol.State) int {
	c.t.Helper()
	r := c.resource()
	r.Read(c.t, state)
	requests := c.env.CountRequests()
	r.Read(c.t, state)
	return requests.Since(acctest.PathServingQuery)
}

// TestRefreshFromLists: a serving is refreshed without a query as long as no
// object behind the query's response has changed, and has the same state as with
// a query after every kind of manual change, in any order.
func TestRefreshFromLists(t *testing.T) {
	t.Parallel()
	c := newClustered(t, acctest.NewKube(t))
	for _, tag := range []string{"v2", "v1"} { // an apply records what it has read back
		c.apply(tag, nil)
		c.expect(true)
		if n := c.queried(c.state); n != 0 {
			t.Errorf("after an apply: %d queries", n)
		}
	}
	api := func(f func(context.Context, *kuscia.Client) error) func() { return c.env.Do(f) }
	services := func() []unstructured.Unstructured {
		return c.kube.List(acctest.KubeServices, "alice", "kuscia.secretflow/kd-name="+c.name)
	}
	merge := func(kind schema.GroupVersionResource, namespace, name, patch string, sub ...string) func() {
		return func() { c.kube.Patch(kind, namespace, name, types.MergePatchType, patch, sub...) }
	}
	image := func(change func(*kuscia.AppImage)) func() {
		return func() {
			before := c.kube.Get(acctest.KubeAppImages, "", c.images["v1"]).GetResourceVersion()
			c.env.ChangeAppImage(c.images["v1"], change)
			c.kube.Eventually(acctest.KubeAppImages, "", c.images["v1"], "in the cluster", func(i *unstructured.Unstructured) bool { return i.GetResourceVersion() != before })
		}
	}
	replicas := int32(3)
	steps := []struct {
		name string
		make func()
		// gone is set if the serving is deleted.
		gone bool
	}{
		{name: "spec", make: api(func(ctx context.Context, client *kuscia.Client) error {
			return client.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: c.name, Parties: []kuscia.ServingParty{{DomainID: "alice", Replicas: &replicas}}})
		})},
		{name: "configuration", make: api(func(ctx context.Context, client *kuscia.Client) error {
			return client.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: c.name, ServingInputConfig: `{"a": 1}`})
		})},
		{name: "status", make: merge(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name, `{"status":{"message":"by hand"}}`, "status")},
		{name: "annotation", make: merge(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name, `{"metadata":{"annotations":{"by":"hand"}}}`)},
		{name: "Deployment", make: merge(acctest.KubeDeployments, "alice", c.name, `{"spec":{"revisionHistoryLimit":7}}`)},
		{name: "Service", make: func() {
			merge(acctest.KubeServices, "alice", services()[0].GetName(), `{"metadata":{"annotations":{"by":"hand"}}}`)()
		}},
		{name: "Service of somebody else", make: func() {
			foreign := services()[0].DeepCopy()
			foreign.Object["metadata"] = map[string]any{"namespace": "alice", "name": c.name + "-foreign", "labels": map[string]any{"kuscia.secretflow/deployment-name": c.name}}
			c.kube.Create(acctest.KubeServices, foreign)
		}},
		{name: "app image", make: image(func(i *kuscia.AppImage) { i.Image.Tag = "v9" })},
		{name: "app image of a kind that no update brings", make: image(func(i *kuscia.AppImage) { i.DeployTemplates[0].Containers[0].Command = []string{"other"} })},
		{name: "Service deleted", make: func() { c.kube.Delete(acctest.KubeServices, "alice", services()[0].GetName()) }},
		{name: "Deployment deleted", make: func() {
			before := c.kube.Get(acctest.KubeDeployments, "alice", c.name).GetUID()
			c.kube.Delete(acctest.KubeDeployments, "alice", c.name)
			c.kube.Eventually(acctest.KubeDeployments, "alice", c.name, "made anew", func(d *unstructured.Unstructured) bool { return d != nil && d.GetUID() != before })
		}},
		{name: "app image deleted", make: func() {
			api(func(ctx context.Context, client *kuscia.Client) error {
				return client.DeleteAppImage(ctx, c.images["v1"])
			})()
			c.kube.Eventually(acctest.KubeAppImages, "", c.images["v1"], "gone", func(i *unstructured.Unstructured) bool { return i == nil })
		}},
		{name: "deleted", gone: true, make: api(func(ctx context.Context, client *kuscia.Client) error { return client.DeleteServing(ctx, c.name) })},
	}
	const last = 2 // deletes the app image, and the serving
	rand.Shuffle(len(steps)-last, func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	if testing.Short() {
		steps = steps[len(steps)-last-4:]
	}
	for _, step := range steps {
		t.Log(step.name)
		c.noQuery()
		step.make()
		if n := c.queried(c.state); n == 0 && c.env.Sandbox != nil {
			t.Errorf("%s: no query", step.name)
		}
		c.settle()
		c.state = c.sameAsQueried(step.name, step.gone)
		if step.name == "app image deleted" { // nothing can be read until it exists
			c.env.AppImage(func(i *kuscia.AppImage) { i.Name, i.Image.Tag = c.images["v1"], "v9" })
		}
	}
}

// sameAsQueried reads the serving with lists and with a query, and fails if they differ.
// Between the two reads the controllers of a real Kuscia may go on: it does not count
// queries, which would show that.
func (c *clustered) sameAsQueried(step string, gone bool) protocol.State {
	c.t.Helper()
	for began := time.Now(); ; {
		read, said := c.readsTogether(c.state)
		response, queried := c.withoutCluster().Read(c.t, c.state)
		if read.Value.Equal(queried.Value) && said == protocol.Messages(response.Diagnostics) && read.Value.IsNull() == gone {
			return read
		}
		if c.env.Sandbox != nil || time.Since(began) > 20*time.Second {
			c.t.Errorf("%s: with lists\n%s %s\nwith a query\n%s %s", step, read.Value, said, queried.Value, protocol.Messages(response.Diagnostics))
			return read
		}
		c.state = read
	}
}

// settle reads until a query finds nothing new, while the controllers work.
func (c *clustered) settle() {
	c.t.Helper()
	for range 200 {
		before := c.state
		read, said := c.readsTogether(c.state)
		if read.Value.IsNull() {
			return
		}
		c.state = read
		// A serving that Kuscia cannot return is queried in every read.
		if read.Value.Equal(before.Value) && slices.Equal(read.Private, before.Private) && (strings.Contains(said, "Unable to read serving") || c.queried(c.state) == 0) {
			return
		}
	}
}

// noQuery settles until a refresh makes no query, which it does again each time that a
// controller has reconciled.
func (c *clustered) noQuery() {
	c.t.Helper()
	began := time.Now()
	for c.settle(); c.queried(c.state) != 0; c.settle() {
		if time.Since(began) > time.Minute {
			c.t.Fatal("still a query")
		}
	}
}

// TestStateOfOtherLists: a digest is valid only for the state with which it was
// stored.
func TestStateOfOtherLists(t *testing.T) {
	t.Parallel()
	c := newClustered(t, acctest.NewKube(t))
	c.apply("v1", nil)
	c.noQuery()
	other := c.state.With(map[string]string{"initiator": "bob"})
	if n := c.queried(other); n != 1 && c.env.Sandbox != nil {
		t.Errorf("another state: %d queries", n)
	}
	if read, _ := c.readsTogether(other); protocol.Text(protocol.Fields(read.Value)["initiator"]) != "alice" {
		t.Errorf("the drift is not detected: %s", read.Value)
	}
	if c.kube.Server == nil {
		return // permissions of a real control plane are not changed
	}
	c.kube.Limit(acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"kusciadeployments"}, Verbs: []string{"list"}})
	if n := c.queried(c.state); n != 1 {
		t.Errorf("lists that may not be made: %d queries", n)
	}
}
