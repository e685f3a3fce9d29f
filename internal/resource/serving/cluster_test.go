package serving_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// clustered is a serving whose Deployments are in a cluster, with the app images
// v1 and v2.
type clustered struct {
	t    *testing.T
	env  *acctest.Env
	kube *acctest.Kube
	name string
	// images are the names of the app images by their tags.
	images map[string]string
	state  protocol.State
	said   string
}

func newClustered(t *testing.T, k *acctest.Kube) *clustered {
	t.Helper()
	e := kusciaOf(t, k)
	k.RunServings(e)
	c := &clustered{t: t, env: e, kube: k, name: k.Name("s"), images: map[string]string{}}
	for _, tag := range []string{"v1", "v2"} {
		c.images[tag] = e.AppImage(func(image *kuscia.AppImage) {
			image.Name, image.Image.Tag = c.name+"-"+tag, tag
		})
	}
	k.Sweep(c.name)
	c.state = c.resource().None()
	return c
}

// kusciaOf returns the Kuscia of a control plane: a sandbox, or for a real control plane
// the one at KUSCIA_ENDPOINT.
func kusciaOf(t *testing.T, k *acctest.Kube) *acctest.Env {
	t.Helper()
	if k.Server != nil {
		return acctest.NewSandbox(t, sandbox.Options{})
	}
	if os.Getenv("KUSCIA_ENDPOINT") == "" {
		t.Skip("a real control plane needs its Kuscia: KUSCIA_ENDPOINT")
	}
	return acctest.New(t)
}

// withoutCluster is kuscia_serving in a new run without kubernetes in the provider
// block.
func (c *clustered) withoutCluster() *protocol.Resource {
	c.t.Helper()
	return c.env.Server(map[string]string{acctest.EnvKubeConfigPath: ""}).Resource(c.t, "kuscia_serving")
}

func (c *clustered) resource() *protocol.Resource {
	c.t.Helper()
	return c.env.Server(c.kube.Variables()).Resource(c.t, "kuscia_serving")
}

// config is the serving with an image, and with other attributes.
func (c *clustered) config(r *protocol.Resource, tag string, more protocol.Object) tftypes.Value {
	object := protocol.Object{
		"serving_id": c.name, "initiator": "alice", "serving_input_config": "{}", "timeouts": protocol.Object{"update": "60s", "create": "60s"},
		"redeploy_triggers": protocol.Object{"again": "0"}, "replace_triggers": protocol.Object{"again": "0"},
		"parties": protocol.Object{"alice": protocol.Object{"app_image": c.images[tag], "replicas": 4}},
	}
	for name, value := range more {
		object[name] = value
	}
	return protocol.Value(r.Kind, object)
}

// apply is an apply in its own run, after a refresh.
func (c *clustered) apply(tag string, more protocol.Object) {
	c.t.Helper()
	first := c.resource()
	_, planned := first.Plan(c.t, c.config(first, tag, more), c.state)
	r := c.resource()
	c.state, c.said = r.Apply(c.t, c.config(r, tag, more), c.state)
	if strings.Contains(c.said, "ERROR") {
		return
	}
	// Terraform rejects a state that differs from the plan.
	if is, after := protocol.Fields(planned)["rollout_complete"], c.state.At("rollout_complete"); is.IsKnown() && !is.Equal(after) {
		c.t.Errorf("rollout_complete is planned as %s, and the apply returns %s", is, after)
	}
}

func (c *clustered) read() {
	c.t.Helper()
	response, state := c.resource().Read(c.t, c.state)
	c.state, c.said = state, protocol.Messages(response.Diagnostics)
}

// expect checks rollout_complete and the diagnostics: "" means none.
func (c *clustered) expect(complete bool, says ...string) {
	c.t.Helper()
	var is bool
	if value := protocol.Fields(c.state.Value)["rollout_complete"]; value.IsNull() || value.As(&is) != nil || is != complete {
		c.t.Fatalf("rollout_complete is not %t: %s\n%s", complete, value, c.said)
	}
	for _, text := range says {
		if !strings.Contains(c.said, text) {
			c.t.Fatalf("it does not say %q: %s", text, c.said)
		}
	}
	if strings.Contains(c.said, "is exceeded in domain") {
		c.t.Fatalf("no progress deadline is exceeded: %s", c.said)
	}
	if len(says) == 0 && c.said != "" {
		c.t.Fatalf("the diagnostics are %s", c.said)
	}
}

// runs fails unless all pods of the Deployment have a tag.
func (c *clustered) runs(tag string) {
	c.t.Helper()
	d := c.kube.Get(acctest.KubeDeployments, "alice", c.name)
	containers, _, _ := unstructured.NestedSlice(d.Object, "spec", "template", "spec", "containers")
	image := containers[0].(map[string]any)["image"]
	updated, _, _ := unstructured.NestedInt64(d.Object, "status", "updatedReplicas")
	available, _, _ := unstructured.NestedInt64(d.Object, "status", "availableReplicas")
	replicas, _, _ := unstructured.NestedInt64(d.Object, "status", "replicas")
	seen, _, _ := unstructured.NestedInt64(d.Object, "status", "observedGeneration")
	if !strings.HasSuffix(image.(string), ":"+tag) || updated != 4 || available != 4 || replicas != 4 || seen != d.GetGeneration() {
		c.t.Fatalf("the Deployment has the image %s, and %d of %d pods updated, %d available", image, updated, replicas, available)
	}
}

// TestWaitByDeployments: with a cluster a wait ends when the Deployments are as
// specified, however short their rollout was, and not before: neither by replica
// counts nor by time.
func TestWaitByDeployments(t *testing.T) {
	t.Parallel()
	c := newClustered(t, acctest.NewKubeServer(t))
	c.apply("v1", nil)
	c.expect(true)
	c.runs("v1")
	began := time.Now()
	for _, tag := range []string{"v2", "v1"} {
		c.apply(tag, nil)
		c.expect(true)
		c.runs(tag)
	}
	c.apply("v1", protocol.Object{"redeploy_triggers": protocol.Object{"again": "1"}})
	c.expect(true)
	if took := time.Since(began); took > time.Minute {
		t.Errorf("three updates took %s", took)
	}

	// Kuscia's controller is stopped, so that all replica counts stay as
	// specified.
	c.kube.StopController(acctest.KusciaController)
	late := protocol.Object{"redeploy_triggers": protocol.Object{"again": "1"}, "timeouts": protocol.Object{"update": "4s"}}
	c.apply("v2", late)
	c.expect(false, "was updated but does not run", "All replica counts are as configured, but the Deployment of party alice is not",
		"In the cluster: domain \"alice\": the Deployment still has the image example/app:v1")
	c.read()
	c.expect(false)
	c.apply("v2", late)
	c.expect(false, "does not run", "Nothing was sent")
	c.kube.StartController(acctest.KusciaController)
	c.apply("v2", protocol.Object{"redeploy_triggers": protocol.Object{"again": "1"}})
	c.expect(true)
	c.runs("v2")

	// Kuscia gets a Deployment by its name, so that a refresh sees a change of one without labels.
	c.kube.StopController(acctest.KusciaController)
	c.kube.Patch(acctest.KubeDeployments, "alice", c.name, types.MergePatchType, `{"metadata":{"labels":null}}`)
	c.noQuery()
	c.kube.Patch(acctest.KubeDeployments, "alice", c.name, types.MergePatchType, `{"spec":{"revisionHistoryLimit":7}}`)
	if n := c.queried(c.state); n != 1 {
		t.Errorf("after a change: %d queries", n)
	}
	c.kube.StartController(acctest.KusciaController)
	if gone, said := c.resource().Delete(t, c.state); !gone.Value.IsNull() || said != "" {
		t.Error(said)
	}
}

// rollout creates a Rollout of alice's Deployment with one step.
func (c *clustered) rollout(strategy, replicas string, pause map[string]any) {
	c.kube.Create(acctest.KubeRollouts, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"namespace": "alice", "name": c.name},
		"spec": map[string]any{
			"workloadRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": c.name},
			"strategy":    map[string]any{strategy: map[string]any{"steps": []any{map[string]any{"replicas": replicas, "pause": pause}}}},
		},
	}})
}

// TestHeldServing: a wait for a serving that a Rollout holds ends with a
// description of the step, and the serving is complete when the release is.
func TestHeldServing(t *testing.T) {
	t.Parallel()
	c := newClustered(t, acctest.NewKube(t))
	c.kube.RequireKruise(t)
	c.apply("v1", nil)
	c.expect(true)
	c.rollout("canary", "25%", map[string]any{})
	until := func(situation kruise.ReleaseState) {
		t.Helper()
		c.kube.Eventually(acctest.KubeRollouts, "alice", c.name, situation.String(), func(o *unstructured.Unstructured) bool {
			found, err := kruise.RolloutFrom(o.Object)
			return err == nil && found.Release().State == situation
		})
	}
	until(kruise.Healthy)
	c.apply("v2", nil)
	c.expect(false, "Serving is paused by a Rollout", "paused by Rollout \""+c.name+"\": paused at step 1 of 1 until it is approved", "kuscia_rollout_approve")
	c.read()
	c.expect(false)
	c.apply("v2", nil) // sends nothing and reads again
	c.expect(false, "is paused by a Rollout")
	r := c.resource()
	replaced, _ := r.Plan(t, c.config(r, "v2", protocol.Object{"replace_triggers": protocol.Object{"again": "1"}}), c.state)
	if said := protocol.Messages(replaced.Diagnostics); len(replaced.RequiresReplace) == 0 || !strings.Contains(said, "Serving is replaced during a release") {
		t.Errorf("the plan of a replacement says %s", said)
	}
	c.kube.SetStepState("alice", c.name, kruise.StepReady)
	c.kube.Eventually(acctest.KubeRollouts, "alice", c.name, "over", func(o *unstructured.Unstructured) bool {
		found, err := kruise.RolloutFrom(o.Object)
		return err == nil && found.Release().Outcome == kruise.Completed
	})
	c.apply("v2", nil)
	c.expect(true)
	c.runs("v2")
	c.read()
	c.expect(true)

	until(kruise.Healthy)
	c.apply("v1", nil)
	c.expect(false, "is paused by a Rollout")
	if c.env.Sandbox != nil {
		c.env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultUnauthorized, Path: "serving/delete", Times: 1})
		if _, said := c.resource().Delete(t, c.state); !strings.Contains(said, "Unable to delete serving") || strings.Contains(said, "was deleted") {
			t.Errorf("the refused delete says %s", said)
		}
	}
	gone, said := c.resource().Delete(t, c.state)
	if !gone.Value.IsNull() || strings.Contains(said, "ERROR") {
		t.Errorf("the delete says %s", said)
	}
	for _, text := range []string{
		"Serving was deleted during a release", "Rollout \"" + c.name + "\" is releasing Deployment \"alice/" + c.name + "\"",
		"promote_on_destroy = true", "-replace=kuscia_rollout.NAME", "the canary Deployment and its pods also keep running",
	} {
		if !strings.Contains(said, text) {
			t.Errorf("%q is not in %s", text, said)
		}
	}
}

// TestBlueGreenServing: a serving is not created or released under a blue-green
// Rollout: Kuscia sets the strategy of every serving, which breaks such a
// release.
func TestBlueGreenServing(t *testing.T) {
	t.Parallel()
	c := newClustered(t, acctest.NewKube(t))
	c.kube.RequireKruise(t)
	for _, state := range []string{"a create", "an update"} {
		c.rollout("blueGreen", "100%", map[string]any{})
		r := c.resource()
		response, _ := r.Plan(t, c.config(r, "v2", nil), c.state)
		if said := protocol.Messages(response.Diagnostics); !strings.Contains(said, "Blue-green does not work with the Deployment") {
			t.Errorf("%s says %s", state, said)
		}
		c.kube.Delete(acctest.KubeRollouts, "alice", c.name)
		c.kube.Eventually(acctest.KubeRollouts, "alice", c.name, "gone", func(o *unstructured.Unstructured) bool { return o == nil })
		c.apply("v1", nil)
		c.expect(true)
	}
}

// TestUnreadableCluster: what a wait needs is checked before anything is
// sent, and a refresh that cannot read it does not report the rollout as
// complete.
func TestUnreadableCluster(t *testing.T) {
	t.Parallel()
	c := newClustered(t, acctest.NewKube(t))
	c.kube.RequireSimulated(t, "permissions and faults")
	refused := func(text string) {
		t.Helper()
		c.apply("v1", nil)
		if !c.state.Value.IsNull() || !strings.Contains(c.said, "Nothing was sent") || !strings.Contains(c.said, text) || !strings.Contains(c.said, "KUSCIA_KUBE_*") {
			t.Fatalf("the create says %s", c.said)
		}
		if _, err := c.env.API.QueryServing(t.Context(), c.name); !errors.Is(err, kuscia.ErrNotFound) {
			t.Fatalf("after %s there is a serving: %v", text, err)
		}
	}
	all := func(resource string, verbs ...string) acctest.KubeRule {
		group, name, _ := strings.Cut(resource, "/")
		return acctest.KubeRule{APIGroups: []string{group}, Resources: []string{name}, Verbs: verbs}
	}
	c.kube.Limit(all("kuscia.secretflow/kusciadeployments", "get"), all("kuscia.secretflow/appimages", "get"))
	refused(`cannot get resource "deployments" in API group "apps" in the namespace "alice"`)
	c.kube.Limit(all("kuscia.secretflow/kusciadeployments", "get"), all("apps/deployments", "get"))
	refused(`cannot get resource "appimages"`)
	c.kube.Limit(all("kuscia.secretflow/kusciadeployments", "get"), all("kuscia.secretflow/appimages", "get"), all("apps/deployments", "get"), all("rollouts.kruise.io/rollouts", "get", "list"))
	c.kube.Fault(acctest.KubeFault{Times: -1, Status: http.StatusForbidden, Message: "no"})
	c.apply("v1", nil)
	if !c.state.Value.IsNull() || !strings.Contains(c.said, "The Kubernetes API cannot be used with these settings") {
		t.Fatalf("the plan of the create says %s", c.said)
	}
	c.kube.NoFaults()

	other := acctest.NewSandbox(t, sandbox.Options{}) // which has another cluster
	other.AppImage(func(image *kuscia.AppImage) { image.Name = c.name + "-elsewhere" })
	mine := c.env
	c.env, c.images["v1"] = other, c.name+"-elsewhere"
	refused("it is not the cluster of this Kuscia")
	c.env, c.images["v1"] = mine, c.name+"-v1"

	c.apply("v1", nil)
	c.expect(true)
	c.apply("v2", protocol.Object{"wait_for_rollout": false})
	c.kube.Fault(acctest.KubeFault{Times: -1, Status: http.StatusForbidden, Message: "no"})
	c.apply("v2", nil) // turns waiting on
	if !strings.Contains(c.said, "Unable to query cluster for serving") {
		t.Fatal(c.said)
	}
	c.kube.NoFaults()
	c.apply("v2", nil)
	c.expect(true)
	c.runs("v2")

	// With an image that another client has changed, the rollout is not
	// complete.
	c.env.Do(func(ctx context.Context, api *kuscia.Client) error {
		return api.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: c.name, Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: c.images["v1"]}}})
	})()
	c.kube.Fault(acctest.KubeFault{Times: -1, Status: http.StatusForbidden, Message: "no"})
	c.read()
	c.expect(false, "Unknown whether serving runs")
	c.kube.NoFaults()
	c.apply("v2", nil)
	c.expect(true)
	c.runs("v2")
}

// anotherKuscia replaces the KusciaAPI by that of another Kuscia with the same app
// images. The cluster remains.
func (c *clustered) anotherKuscia(t *testing.T) {
	t.Helper()
	c.env = acctest.NewSandbox(t, sandbox.Options{})
	for _, tag := range []string{"v1", "v2"} {
		c.env.AppImage(func(image *kuscia.AppImage) { image.Name, image.Image.Tag = c.images[tag], tag })
	}
	c.state = c.resource().None()
}

// TestAnotherCluster: kubernetes leads to the cluster of another Kuscia with the same app images. A
// serving of the same name there is recognized by its creation time: neither a wait nor a refresh
// uses it. A new serving is rejected if the difference can be detected; otherwise it is not tainted
// for a wait that could never end.
func TestAnotherCluster(t *testing.T) {
	t.Parallel()
	c := newClustered(t, acctest.NewKube(t))
	c.kube.RequireSimulated(t, "a second Kuscia")
	c.apply("v1", nil)
	c.expect(true)
	time.Sleep(6 * time.Second) // distinguishes the two
	c.anotherKuscia(t)
	c.apply("v1", protocol.Object{"wait_for_rollout": false})
	if c.said != "" {
		t.Fatal(c.said)
	}
	c.read()
	for range 2 {
		c.state, _ = c.readsTogether(c.state)
		if n := c.queried(c.state); n != 1 {
			t.Errorf("%d queries", n)
		}
	}
	c.apply("v2", nil)
	if !strings.Contains(c.said, "Nothing was sent") || !strings.Contains(c.said, "it is not the cluster of this Kuscia") {
		t.Errorf("the update says %s", c.said)
	}
	if found, err := c.env.API.QueryServing(t.Context(), c.name); err != nil || found.Parties[0].AppImage != c.images["v1"] {
		t.Errorf("after it there is %+v, %v", found, err)
	}

	c.name, c.state = c.name+"-too", c.resource().None()
	c.env.Do(func(ctx context.Context, api *kuscia.Client) error {
		return api.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: "elsewhere"})
	})()
	c.apply("v1", protocol.Object{"initiator": "elsewhere", "parties": protocol.Object{"elsewhere": protocol.Object{"app_image": c.images["v1"]}}})
	if !c.state.Value.IsNull() || !strings.Contains(c.said, "Nothing was sent") || !strings.Contains(c.said, `cluster has no Domain "elsewhere"`) {
		t.Fatal(c.said)
	}
	patient := protocol.Object{"timeouts": protocol.Object{"create": "10m"}}
	began := time.Now()
	c.apply("v1", patient)
	c.expect(false, "does not refer to the cluster of this Kuscia", "It has no KusciaDeployment of this name")
	if took := time.Since(began); strings.Contains(c.said, "ERROR") || took > time.Minute {
		t.Fatalf("after %s: %s", took, c.said)
	}
	c.apply("v1", patient)
	c.expect(false, "Nothing was sent", "it is not the cluster of this Kuscia")
}

// TestReleaseOfLateRollout: a redeploy, and an update of replicas that also applies an app image that
// was changed in place, come before the controller has bound the Deployment to its Rollout. They
// wait for it, and are released step by step. Otherwise all pods would be replaced at once.
func TestReleaseOfLateRollout(t *testing.T) {
	t.Parallel()
	k := acctest.NewKubeServer(t)
	k.SetLag(acctest.KruiseController, 2*time.Second)
	for name, release := range map[string]func(*clustered) (said string){
		"scale": func(c *clustered) string {
			c.retag("v2")
			c.read()
			c.apply("v1", protocol.Object{"parties": protocol.Object{"alice": protocol.Object{"app_image": c.images["v1"], "replicas": 5}}})
			return c.said
		},
		"redeploy": func(c *clustered) string {
			_, diagnostics := c.env.Server(c.kube.Variables()).Invoke(c.t, "kuscia_serving_redeploy", protocol.Object{"serving_id": c.name})
			return protocol.Messages(diagnostics)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClustered(t, k)
			c.apply("v1", nil)
			c.expect(true)
			c.rollout("canary", "25%", map[string]any{})
			if said := release(c); !strings.Contains(said, "WARNING") || !strings.Contains(said, "paused at step 1 of 1 until it is approved") {
				t.Errorf("it says %s", said)
			}
		})
	}
}
