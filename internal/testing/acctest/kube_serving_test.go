package acctest_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestKubeRunsServings: a serving of the KusciaAPI is a KusciaDeployment with
// Deployments, Services and app images in the cluster; its status is theirs,
// and a Rollout can pause it.
func TestKubeRunsServings(t *testing.T) {
	t.Parallel()
	k := acctest.NewKube(t)
	k.RequireSimulated(t, "servings of a sandbox")
	e := acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(e)
	name := e.Name("held")
	replicas := int32(2)
	for _, tag := range []string{"v1", "v2"} {
		err := e.API.CreateAppImage(t.Context(), &kuscia.AppImage{
			Name: name + "-" + tag, Image: kuscia.AppImageInfo{Name: "example/app", Tag: tag},
			DeployTemplates: []kuscia.DeployTemplate{{Name: "t", Replicas: 1, Containers: []kuscia.Container{{
				Name: "main", WorkingDir: "/work", Ports: []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Domain"}},
			}}}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := e.API.CreateServing(t.Context(), &kuscia.CreateServingRequest{
		ServingID: name, Initiator: "alice", ServingInputConfig: "{}",
		Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: name + "-v1", Replicas: &replicas}},
	}); err != nil {
		t.Fatal(err)
	}
	if k.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, name) == nil {
		t.Error("no KusciaDeployment after the response to the create")
	}
	status := func() *kuscia.ServingStatusDetail {
		all, err := e.API.BatchQueryServingStatus(t.Context(), []string{name})
		if err != nil || len(all) != 1 || all[0].Status == nil {
			return &kuscia.ServingStatusDetail{}
		}
		return all[0].Status
	}
	eventually(t, "available", func() bool {
		s := status()
		return s.State == "Available" && len(s.PartyStatuses) == 1 && s.PartyStatuses[0].AvailableReplicas == 2 && len(s.PartyStatuses[0].Endpoints) == 1
	})
	k.Create(acctest.KubeRollouts, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"namespace": "alice", "name": name},
		"spec": map[string]any{
			"workloadRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
			"strategy":    map[string]any{"canary": map[string]any{"steps": []any{map[string]any{"replicas": "50%", "pause": map[string]any{}}}}},
		},
	}})
	inPhase := func(phase, state string) func(*unstructured.Unstructured) bool {
		return func(rollout *unstructured.Unstructured) bool {
			is, _, _ := unstructured.NestedString(rollout.Object, "status", "phase")
			at, _, _ := unstructured.NestedString(rollout.Object, "status", "canaryStatus", "currentStepState")
			return is == phase && at == state
		}
	}
	k.Eventually(acctest.KubeRollouts, "alice", name, "healthy", inPhase("Healthy", "Completed"))
	if err := e.API.UpdateServing(t.Context(), &kuscia.UpdateServingRequest{
		ServingID: name, Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: name + "-v2"}},
	}); err != nil {
		t.Fatal(err)
	}
	k.Eventually(acctest.KubeRollouts, "alice", name, "paused", inPhase("Progressing", "StepPaused"))
	eventually(t, "held with one new pod", func() bool {
		s := status()
		return s.State == "Available" && s.PartyStatuses[0].UpdatedReplicas == 1 && s.PartyStatuses[0].AvailableReplicas == 2
	})
	if err := e.API.DeleteServing(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	k.Eventually(acctest.KubeDeployments, "alice", name, "gone", func(d *unstructured.Unstructured) bool { return d == nil })
}

// TestKubeHasDomains: a domain of the KusciaAPI is a Domain with a namespace, and the other
// way round; each can be changed and deleted on either side. Its namespace remains.
func TestKubeHasDomains(t *testing.T) {
	t.Parallel()
	k := acctest.NewKube(t)
	k.RequireSimulated(t, "domains of a sandbox")
	e := acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(e)
	const deleted = "kuscia.secretflow/deleted"
	namespace := func(name, what string, desired func(labels map[string]string) bool) {
		t.Helper()
		k.Eventually(acctest.KubeNamespaces, "", name, what, func(n *unstructured.Unstructured) bool { return n != nil && desired(n.GetLabels()) })
	}
	spec := func(name string, fields ...string) any {
		t.Helper()
		object := k.Get(acctest.KubeDomains, "", name)
		if object == nil {
			t.Fatalf("there is no Domain %s", name)
		}
		value, _, _ := unstructured.NestedFieldNoCopy(object.Object, append([]string{"spec"}, fields...)...)
		return value
	}

	ours, theirs := k.Name("ours"), k.Name("theirs")
	if err := e.API.CreateDomain(t.Context(), &kuscia.DomainRequest{DomainID: ours}); err != nil {
		t.Fatal(err)
	}
	if got := spec(ours, "authCenter", "tokenGenMethod"); got != "RSA-GEN" {
		t.Errorf("the Domain has the method %v", got)
	}
	namespace(ours, "that of the domain", func(labels map[string]string) bool {
		return labels["kuscia.secretflow/domain-name"] == ours && labels["kubernetes.io/metadata.name"] == ours
	})
	if err := e.API.UpdateDomain(t.Context(), &kuscia.DomainRequest{DomainID: ours, Role: "partner"}); err != nil {
		t.Fatal(err)
	}
	if got := spec(ours, "role"); got != "partner" {
		t.Errorf("the Domain has the role %v", got)
	}
	namespace(ours, "that of a partner", func(labels map[string]string) bool { return labels["kuscia.secretflow/role"] == "partner" })
	k.Delete(acctest.KubeDomains, "", ours)
	if _, err := e.API.QueryDomain(t.Context(), ours); err == nil {
		t.Error("the KusciaAPI still has a Domain that was deleted")
	}
	namespace(ours, "marked as deleted", func(labels map[string]string) bool { return labels[deleted] == "true" })

	k.Create(acctest.KubeDomains, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "Domain", "metadata": map[string]any{"name": theirs}, "spec": map[string]any{"role": "partner"},
	}})
	if found, err := e.API.QueryDomain(t.Context(), theirs); err != nil || found.Role != "partner" {
		t.Errorf("the KusciaAPI has %+v, %v", found, err)
	}
	k.Patch(acctest.KubeDomains, "", theirs, types.MergePatchType, `{"spec":{"role":null}}`)
	if found, err := e.API.QueryDomain(t.Context(), theirs); err != nil || found.Role != "" {
		t.Errorf("the KusciaAPI has %+v, %v", found, err)
	}
	if err := e.API.DeleteDomain(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	if k.Get(acctest.KubeDomains, "", theirs) != nil {
		t.Error("the Domain still exists")
	}
	namespace(theirs, "marked as deleted", func(labels map[string]string) bool { return labels[deleted] == "true" })
	if err := e.API.CreateDomain(t.Context(), &kuscia.DomainRequest{DomainID: theirs}); err != nil {
		t.Fatal(err)
	}
	namespace(theirs, "in use again", func(labels map[string]string) bool { return labels[deleted] == "" })
}
