package acctest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

// kusciaManager is the field manager of Kuscia's writes.
const kusciaManager = "kuscia"

// lookTime is the maximum time until a status is in the sandbox.
const lookTime = 10 * time.Millisecond

// RunServings lets the controllers of this API run the servings of a sandbox,
// as those of a KusciaAPI that writes KusciaDeployments: before the sandbox
// responds to a request, app images and servings exist as AppImages and
// KusciaDeployments, and the status of these and changes of those are copied back. So a Rollout can pause a serving. For a real
// Kuscia, whose cluster this is, it does nothing.
func (k *Kube) RunServings(e *Env) {
	k.t.Helper()
	if e.Sandbox == nil {
		return
	}
	k.RequireSimulated(k.t, "a sandbox writes to no real control plane")
	ctx, cancel := context.WithCancel(context.Background())
	s := &servings{kube: k, env: e, ctx: ctx, mine: map[string]bool{}}
	images := &appImages{servings: s, mine: map[string]int64{}}
	e.Sandbox.UseCluster(images)
	e.Sandbox.UseControllers(s)
	var running sync.WaitGroup
	running.Go(func() { s.follow(images.show, s.showStatuses) })
	k.t.Cleanup(func() {
		cancel()
		running.Wait()
		s.clean()
		images.clean()
	})
}

// servings copies servings of a sandbox to a Kubernetes API, and their status
// back.
type servings struct {
	kube *Kube
	env  *Env
	ctx  context.Context // ends with the test

	mu   sync.Mutex
	mine map[string]bool
}

// Stored implements serving.Controllers.
func (s *servings) Stored(id string, spec serving.Spec) {
	_, err := s.put(KubeKusciaDeployments, kusciaDeploymentOf(id, spec))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mine[id] = true
	s.report(err)
}

// Removed implements serving.Controllers.
func (s *servings) Removed(id string) {
	s.mu.Lock()
	delete(s.mine, id)
	s.mu.Unlock()
	err := s.kube.client(KubeKusciaDeployments, KubeNamespace).Delete(s.ctx, id, metav1.DeleteOptions{})
	if !apierrors.IsNotFound(err) {
		s.report(err)
	}
}

func (s *servings) report(err error) {
	if err != nil && s.ctx.Err() == nil {
		s.kube.t.Errorf("running servings: %v", err)
	}
}

// put creates an object or changes the specification of an existing one.
func (s *servings) put(resource schema.GroupVersionResource, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	client := s.kube.client(resource, object.GetNamespace())
	// The end of the test does not leave a request behind that may still succeed.
	ctx := context.WithoutCancel(s.ctx)
	made, err := client.Create(ctx, object, metav1.CreateOptions{FieldManager: kusciaManager})
	if !apierrors.IsAlreadyExists(err) {
		return made, err
	}
	return s.patch(resource, object, map[string]any{"op": "replace", "path": "/spec", "value": object.Object["spec"]})
}

func (s *servings) patch(resource schema.GroupVersionResource, object *unstructured.Unstructured, operations ...map[string]any) (*unstructured.Unstructured, error) {
	text, err := json.Marshal(operations)
	if err != nil {
		return nil, err
	}
	return s.kube.client(resource, object.GetNamespace()).Patch(context.WithoutCancel(s.ctx), object.GetName(), types.JSONPatchType, text, metav1.PatchOptions{FieldManager: kusciaManager})
}

// follow copies from the cluster to the sandbox what changes there.
func (s *servings) follow(copies ...func()) {
	for s.ctx.Err() == nil {
		for _, from := range copies {
			from()
		}
		select {
		case <-time.After(lookTime):
		case <-s.ctx.Done():
		}
	}
}

func (s *servings) showStatuses() {
	list, err := s.kube.client(KubeKusciaDeployments, KubeNamespace).List(s.ctx, metav1.ListOptions{LabelSelector: "kuscia.secretflow/app-type=serving"})
	if err != nil {
		s.report(err)
		return
	}
	endpoints := s.endpoints()
	for _, item := range list.Items {
		s.mu.Lock()
		mine := s.mine[item.GetName()]
		s.mu.Unlock()
		if shown, ok := statusOf(&item, endpoints); ok && mine {
			_ = s.env.Sandbox.ShowStatus(item.GetName(), shown) // deleted meanwhile
		}
	}
}

// endpoints are the addresses of all Services of Kuscia, by the namespace and
// name of their Deployment.
func (s *servings) endpoints() map[string][]kuscia.Endpoint {
	all := map[string][]kuscia.Endpoint{}
	list, err := s.kube.client(KubeServices, "").List(s.ctx, metav1.ListOptions{LabelSelector: "kuscia.secretflow/deployment-name"})
	if err != nil {
		s.report(err)
		return all
	}
	for _, item := range list.Items {
		ports, _, _ := unstructured.NestedSlice(item.Object, "spec", "ports")
		scope := item.GetLabels()["kuscia.secretflow/port-scope"]
		for _, one := range ports {
			port, ok := one.(map[string]any)
			if !ok {
				continue
			}
			address := fmt.Sprintf("%s.%s.svc", item.GetName(), item.GetNamespace())
			if scope == "Domain" {
				address = fmt.Sprintf("%s:%v", address, port["port"])
			}
			key := item.GetNamespace() + "/" + item.GetLabels()["kuscia.secretflow/deployment-name"]
			all[key] = append(all[key], kuscia.Endpoint{PortName: fmt.Sprint(port["name"]), Scope: scope, Endpoint: address})
		}
	}
	return all
}

// clean deletes what the test has left.
func (s *servings) clean() {
	ctx, cancel := outOfBand()
	defer cancel()
	for id := range s.mine {
		_ = s.kube.client(KubeKusciaDeployments, KubeNamespace).Delete(ctx, id, metav1.DeleteOptions{})
	}
}

// kusciaDeploymentOf is the object that the KusciaAPI writes for a serving.
func kusciaDeploymentOf(id string, spec serving.Spec) *unstructured.Unstructured {
	type object = map[string]any
	parties := []any{}
	for _, party := range spec.Parties {
		template := object{"strategy": strategyOf(party.Strategy), "spec": object{"affinity": object{"podAntiAffinity": object{
			"preferredDuringSchedulingIgnoredDuringExecution": []any{object{"weight": int64(100), "podAffinityTerm": object{
				"topologyKey": "kubernetes.io/hostname", "labelSelector": object{"matchLabels": object{"kuscia.secretflow/kd-name": id}},
			}}},
		}}}}
		if party.Replicas != nil {
			template["replicas"] = int64(*party.Replicas)
		}
		var containers []any
		for _, c := range party.Containers {
			containers = append(containers, object{"name": c.ContainerName, "workingDir": "", "resources": resourcesOf(c.MinCPU, c.MinMemory, c.MaxCPU, c.MaxMemory)})
		}
		if containers != nil {
			template["spec"].(object)["containers"] = containers //nolint:forcetypeassert // made above
		}
		one := object{"domainID": party.DomainID, "appImageRef": party.AppImage, "template": template}
		if party.Role != "" {
			one["role"] = party.Role
		}
		if party.ServiceNamePrefix != "" {
			one["serviceNamePrefix"] = party.ServiceNamePrefix
		}
		parties = append(parties, one)
	}
	made := &unstructured.Unstructured{Object: object{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
		"metadata": object{
			"namespace": KubeNamespace, "name": id, "labels": object{"kuscia.secretflow/app-type": "serving"},
			"annotations": object{"kuscia.secretflow/affinity-mode": spec.AffinityMode},
		},
		"spec": object{"initiator": spec.Initiator, "inputConfig": spec.InputConfig, "parties": parties},
	}}
	return made
}

func strategyOf(s kuscia.UpdateStrategy) map[string]any {
	made := map[string]any{"type": s.Type}
	if s.Type == kuscia.StrategyRollingUpdate {
		made["rollingUpdate"] = map[string]any{"maxSurge": numberOrText(s.MaxSurge), "maxUnavailable": numberOrText(s.MaxUnavailable)}
	}
	return made
}

// numberOrText is the IntOrString for a text of the KusciaAPI.
func numberOrText(text string) any {
	var n int64
	if json.Unmarshal([]byte(text), &n) == nil {
		return n
	}
	return text
}

func resourcesOf(minCPU, minMemory, maxCPU, maxMemory string) map[string]any {
	made := map[string]any{}
	for name, amounts := range map[string][2]string{"requests": {minCPU, minMemory}, "limits": {maxCPU, maxMemory}} {
		list := map[string]any{}
		for i, resource := range []string{"cpu", "memory"} {
			if amounts[i] != "" {
				list[resource] = amounts[i]
			}
		}
		if len(list) > 0 {
			made[name] = list
		}
	}
	return made
}

// statusOf is the status of a serving that the KusciaAPI derives from its
// KusciaDeployment; ok is false before the controller has written one.
func statusOf(kd *unstructured.Unstructured, endpoints map[string][]kuscia.Endpoint) (kuscia.ServingStatusDetail, bool) {
	var object struct {
		Status struct {
			Phase, Reason, Message         string
			TotalParties, AvailableParties int32
			PartyDeploymentStatuses        map[string]map[string]struct {
				Phase, Role                                                       string
				Replicas, UpdatedReplicas, AvailableReplicas, UnavailableReplicas int32
			}
		}
	}
	text, err := kd.MarshalJSON()
	if err != nil || json.Unmarshal(text, &object) != nil || object.Status.TotalParties == 0 {
		return kuscia.ServingStatusDetail{}, false
	}
	s := object.Status
	shown := kuscia.ServingStatusDetail{
		State: s.Phase, Reason: s.Reason, Message: s.Message, TotalParties: s.TotalParties, AvailableParties: s.AvailableParties,
	}
	for domain, deployments := range s.PartyDeploymentStatuses {
		for name, d := range deployments {
			shown.PartyStatuses = append(shown.PartyStatuses, kuscia.PartyStatus{
				DomainID: domain, Role: d.Role, State: d.Phase, Replicas: d.Replicas, UpdatedReplicas: d.UpdatedReplicas,
				AvailableReplicas: d.AvailableReplicas, UnavailableReplicas: d.UnavailableReplicas,
				Endpoints: endpoints[domain+"/"+name],
			})
		}
	}
	return shown, true
}

var _ serving.Controllers = &servings{}
