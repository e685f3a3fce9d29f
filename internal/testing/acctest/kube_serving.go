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
// responds to a request, the serving exists as KusciaDeployment and AppImage,
// and its status is copied back. So a Rollout can pause a serving. For a real
// Kuscia, whose cluster this is, it does nothing.
func (k *Kube) RunServings(e *Env) {
	k.t.Helper()
	if e.Sandbox == nil {
		return
	}
	k.RequireSimulated(k.t, "a sandbox writes to no real control plane")
	ctx, cancel := context.WithCancel(context.Background())
	s := &servings{kube: k, env: e, ctx: ctx, images: map[string]string{}, mine: map[string]bool{}}
	s.sendImages()
	e.Sandbox.UseControllers(s)
	var running sync.WaitGroup
	running.Go(s.follow)
	k.t.Cleanup(func() {
		cancel()
		running.Wait()
		s.clean()
	})
}

// servings copies servings of a sandbox to a Kubernetes API, and their status
// back.
type servings struct {
	kube *Kube
	env  *Env
	ctx  context.Context // ends with the test

	mu     sync.Mutex
	images map[string]string
	mine   map[string]bool
}

// Stored implements serving.Controllers. App images are written first: Kuscia
// does not retry a KusciaDeployment whose app image does not exist.
func (s *servings) Stored(id string, spec serving.Spec, images []kuscia.AppImage) {
	for i := range images {
		s.sendImage(&images[i])
	}
	err := s.put(KubeKusciaDeployments, kusciaDeploymentOf(id, spec))
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
func (s *servings) put(resource schema.GroupVersionResource, object *unstructured.Unstructured) error {
	client := s.kube.client(resource, object.GetNamespace())
	// The end of the test does not leave a request behind that may still succeed.
	ctx := context.WithoutCancel(s.ctx)
	_, err := client.Create(ctx, object, metav1.CreateOptions{FieldManager: kusciaManager})
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	text, err := json.Marshal([]map[string]any{{"op": "replace", "path": "/spec", "value": object.Object["spec"]}})
	if err == nil {
		_, err = client.Patch(ctx, object.GetName(), types.JSONPatchType, text, metav1.PatchOptions{FieldManager: kusciaManager})
	}
	return err
}

// follow copies app images to the cluster and the status to the sandbox.
func (s *servings) follow() {
	for s.ctx.Err() == nil {
		s.sendImages()
		s.showStatuses()
		select {
		case <-time.After(lookTime):
		case <-s.ctx.Done():
		}
	}
}

func (s *servings) sendImages() {
	there := map[string]bool{}
	for _, name := range s.env.Sandbox.AppImageNames() {
		there[name] = true
		image, err := s.env.Sandbox.AppImage(name)
		if err != nil {
			continue // deleted meanwhile
		}
		s.sendImage(&image)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.images {
		if !there[name] {
			err := s.kube.client(KubeAppImages, "").Delete(s.ctx, name, metav1.DeleteOptions{})
			if err == nil || apierrors.IsNotFound(err) {
				delete(s.images, name) // else clean deletes it
			}
		}
	}
}

func (s *servings) sendImage(image *kuscia.AppImage) {
	object := appImageOf(image)
	text, err := json.Marshal(object)
	s.mu.Lock() // held until it exists, so that no one continues without it
	defer s.mu.Unlock()
	if err == nil && s.images[image.Name] != string(text) {
		err = s.put(KubeAppImages, object)
	}
	s.images[image.Name] = string(text)
	s.report(err)
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
	for name := range s.images {
		_ = s.kube.client(KubeAppImages, "").Delete(ctx, name, metav1.DeleteOptions{})
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

// appImageOf is the AppImage that the KusciaAPI writes, with the fields that
// the controllers here use.
func appImageOf(image *kuscia.AppImage) *unstructured.Unstructured {
	type object = map[string]any
	templates := []any{}
	for _, t := range image.DeployTemplates {
		containers := []any{}
		for _, c := range t.Containers {
			ports := []any{}
			for _, p := range c.Ports {
				ports = append(ports, object{"name": p.Name, "protocol": p.Protocol, "scope": p.Scope})
			}
			one := object{"name": c.Name, "workingDir": c.WorkingDir, "ports": ports}
			if len(c.Command) > 0 {
				command := make([]any, len(c.Command))
				for i, word := range c.Command {
					command[i] = word
				}
				one["command"] = command
			}
			if r := c.Resources; r != nil {
				var requests, limits kuscia.ResourceSpec
				if r.Requests != nil {
					requests = *r.Requests
				}
				if r.Limits != nil {
					limits = *r.Limits
				}
				one["resources"] = resourcesOf(requests.CPU, requests.Memory, limits.CPU, limits.Memory)
			}
			containers = append(containers, one)
		}
		template := object{"name": t.Name, "replicas": int64(t.Replicas), "spec": object{"containers": containers}}
		if t.Role != "" {
			template["role"] = t.Role
		}
		templates = append(templates, template)
	}
	spec := object{
		"image":           object{"name": image.Image.Name, "tag": image.Image.Tag, "id": image.Image.ID, "sign": image.Image.Sign},
		"deployTemplates": templates,
	}
	if len(image.ConfigTemplates) > 0 {
		spec["configTemplates"] = stringsOf(image.ConfigTemplates)
	}
	return &unstructured.Unstructured{Object: object{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "AppImage", "metadata": object{"name": image.Name}, "spec": spec,
	}}
}

func stringsOf(texts map[string]string) map[string]any {
	made := map[string]any{}
	for name, text := range texts {
		made[name] = text
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
