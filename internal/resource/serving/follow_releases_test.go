package serving_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// newShared is a clustered serving of alice, with four pods, and of bob, with an app image each.
// The strategy of alice has no percentage.
func newShared(t *testing.T, k *acctest.Kube, strategy protocol.Object) (c *clustered, of protocol.Object) {
	t.Helper()
	c = newClustered(t, k)
	of = protocol.Object{
		"serving_input_config": "not json", "redeploy_triggers": nil, "replace_triggers": nil,
		"parties": protocol.Object{
			"alice": protocol.Object{"app_image": c.images["v1"], "replicas": 4, "update_strategy": strategy},
			"bob":   protocol.Object{"app_image": c.images["v2"], "replicas": 1},
		},
	}
	c.apply("v1", of)
	c.expect(true)
	return c, of
}

// podsOf are the names of the pods of a party.
func (c *clustered) podsOf(domain string) (names []string) {
	c.t.Helper()
	for _, pod := range c.kube.List(acctest.KubePods, domain, "kuscia.secretflow/kd-name="+c.name) {
		if pod.GetDeletionTimestamp() == nil {
			names = append(names, pod.GetName())
		}
	}
	slices.Sort(names)
	return names
}

func (c *clustered) redefine(tag, memory string) {
	c.env.ChangeAppImage(c.images["v1"], func(i *kuscia.AppImage) {
		i.Image.Tag = tag
		for j := range i.DeployTemplates[0].Containers {
			i.DeployTemplates[0].Containers[j].Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{Memory: memory}}
		}
	})
	c.read()
}

// TestFollowInCluster: in an API server too, another image and other resources of alice's app image,
// which has no percentage, reach alice's pods and not those of bob, with the percentage of bob.
func TestFollowInCluster(t *testing.T) {
	t.Parallel()
	c, of := newShared(t, acctest.NewKubeServer(t), protocol.Object{"type": "Recreate"})
	for i := range 2 {
		alice, bob := c.podsOf("alice"), c.podsOf("bob")
		if len(alice) != 4 || len(bob) != 1 {
			t.Fatalf("the pods are %s and %s", alice, bob)
		}
		c.redefine(fmt.Sprintf("r%d", i), fmt.Sprintf("%dGi", i+1))
		c.apply("v1", of)
		c.expect(true, "All pods of a party stop first")
		c.runs(fmt.Sprintf("r%d", i))
		if now := c.podsOf("alice"); slices.ContainsFunc(now, func(name string) bool { return slices.Contains(alice, name) }) {
			t.Errorf("the pods of alice are %s, and were %s", now, alice)
		}
		if now := c.podsOf("bob"); !slices.Equal(now, bob) {
			t.Errorf("the pods of bob are %s, and were %s", now, bob)
		}
		if got, want := revisions(c.state), fmt.Sprintf("alice %d, bob 1", i+2); got != want {
			t.Errorf("the revisions are %s, want %s", got, want)
		}
	}
}

// TestFollowReleases: under an OpenKruise Rollout of alice, the percentage of bob starts a release
// of alice's new image, and one in the middle of it moves nothing. pod_revision rises with the
// release and not with its steps.
func TestFollowReleases(t *testing.T) {
	t.Parallel()
	c, of := newShared(t, acctest.NewKube(t), protocol.Object{"max_surge": "1", "max_unavailable": "0"})
	c.kube.RequireKruise(t)
	until := func(what string, desired func(kruise.Release) bool) {
		t.Helper()
		c.kube.Eventually(acctest.KubeRollouts, "alice", c.name, what, func(o *unstructured.Unstructured) bool {
			found, err := kruise.RolloutFrom(o.Object)
			return err == nil && desired(found.Release())
		})
	}
	revised := func(when, want string) {
		t.Helper()
		if got := revisions(c.state); got != want {
			t.Errorf("%s the revisions are %s, want %s", when, got, want)
		}
	}
	c.rollout("canary", "50%", map[string]any{})
	until("healthy", func(r kruise.Release) bool { return r.State == kruise.Healthy })
	old, bob := c.podsOf("alice"), c.podsOf("bob")
	c.redefine("r1", "2Gi")
	r := c.resource()
	_, planned := r.Plan(t, c.config(r, "v1", of), c.state)
	if got := revisions(protocol.State{Value: planned}); got != "alice 2, bob 1" {
		t.Errorf("the plan of the release has %s", got)
	}
	c.apply("v1", of)
	c.expect(false, "Serving is paused by a Rollout")
	revised("in the release", "alice 2, bob 1")
	if now := c.podsOf("bob"); !slices.Equal(now, bob) {
		t.Errorf("the pods of bob are %s, and were %s", now, bob)
	}

	// Other spellings in the middle of the release move nothing, as measured.
	held := c.podsOf("alice")
	for _, spelling := range []string{"025%", "25%"} {
		c.env.Do(func(ctx context.Context, api *kuscia.Client) error {
			return api.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: c.name, Parties: []kuscia.ServingParty{{
				DomainID: "bob", UpdateStrategy: &kuscia.UpdateStrategy{Type: kuscia.StrategyRollingUpdate, MaxSurge: spelling, MaxUnavailable: "25%"},
			}}})
		})()
		c.kube.Eventually(acctest.KubeDeployments, "bob", c.name, spelling, func(o *unstructured.Unstructured) bool {
			surge, _, _ := unstructured.NestedString(o.Object, "spec", "strategy", "rollingUpdate", "maxSurge")
			return surge == spelling
		})
		if now := c.podsOf("alice"); !slices.Equal(now, held) {
			t.Errorf("after %s the pods of alice are %s, and were %s", spelling, now, held)
		}
	}

	// An update in the middle of the release that changes nothing of alice's pods.
	of["parties"].(protocol.Object)["bob"].(protocol.Object)["replicas"] = 2
	step := c.podsOf("alice")
	c.apply("v1", of)
	c.expect(false, "Serving is paused by a Rollout")
	revised("after scaling bob", "alice 2, bob 1")
	if now := c.podsOf("alice"); !slices.Equal(now, step) {
		t.Errorf("the pods of alice are %s, and were %s", now, step)
	}

	c.kube.SetStepState("alice", c.name, kruise.StepReady)
	until("over", func(r kruise.Release) bool { return r.Outcome == kruise.Completed })
	c.apply("v1", of)
	c.expect(true)
	c.runs("r1")
	revised("after the release", "alice 2, bob 1")
	if now := c.podsOf("alice"); slices.ContainsFunc(now, func(name string) bool { return slices.Contains(old, name) }) {
		t.Errorf("the pods of alice are %s, and were %s", now, old)
	}
	c.read()
	r = c.resource()
	if _, planned := r.Plan(t, c.config(r, "v1", of), c.state); !planned.Equal(c.state.Value) {
		t.Errorf("the plan after the release is not empty: %s", planned)
	}
}
