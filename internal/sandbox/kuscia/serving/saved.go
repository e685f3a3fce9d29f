package serving

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// The part of the state file for servings. Reconciliations that are in
// progress start again after a restart.
type (
	savedServings struct {
		Servings    []savedServing    `json:"servings"`
		Deployments []savedDeployment `json:"deployments"`
		Services    []savedService    `json:"services"`
	}
	savedServing struct {
		ID         string       `json:"id"`
		Created    time.Time    `json:"created"`
		Generation int64        `json:"generation"`
		Spec       Spec         `json:"spec"`
		Ports      []savedPorts `json:"ports"`
	}
	savedPorts struct {
		DomainID string           `json:"domain_id"`
		Role     string           `json:"role"`
		Numbers  map[string]int32 `json:"numbers"`
	}
	savedDeployment struct {
		Namespace   string                `json:"namespace"`
		Name        string                `json:"name"`
		Serving     string                `json:"serving"`
		Created     time.Time             `json:"created"`
		Replicas    int32                 `json:"replicas"`
		Strategy    kuscia.UpdateStrategy `json:"strategy"`
		Image       string                `json:"image"`
		InputConfig string                `json:"input_config"`
		Containers  []kuscia.Resource     `json:"containers"`
		Paused      bool                  `json:"paused"`
	}
	savedService struct {
		Namespace  string               `json:"namespace"`
		Name       string               `json:"name"`
		Deployment string               `json:"deployment"`
		Serving    string               `json:"serving"`
		Port       kuscia.ContainerPort `json:"port"`
		Number     int32                `json:"number"`
	}
)

func saveServings(controlPlane *server.ControlPlane) any {
	w := Of(controlPlane)
	var saved savedServings
	for _, id := range slices.Sorted(maps.Keys(w.byID)) {
		sv := w.byID[id]
		one := savedServing{ID: sv.id, Created: sv.created, Generation: sv.generation, Spec: sv.spec}
		for key, numbers := range sv.ports {
			one.Ports = append(one.Ports, savedPorts{key.domainID, key.role, numbers})
		}
		saved.Servings = append(saved.Servings, one)
	}
	for _, d := range w.Cluster.Deployments {
		saved.Deployments = append(saved.Deployments, savedDeployment{
			d.Key.Namespace, d.Key.Name, d.Owner, d.Created, d.Replicas, d.Strategy,
			d.Template.Image, d.Template.InputConfig, d.Template.Containers, d.Paused,
		})
	}
	for _, svc := range w.Cluster.Services {
		saved.Services = append(saved.Services, savedService{
			svc.Key.Namespace, svc.Key.Name, svc.Deployment.Name, svc.Owner, svc.Port, svc.Number,
		})
	}
	return saved
}

// restoreServings restores servings and schedules the controller for each.
// Deployments are restored with all their pods running.
func restoreServings(controlPlane *server.ControlPlane, text json.RawMessage) error {
	w := Of(controlPlane)
	var saved savedServings
	if err := json.Unmarshal(text, &saved); err != nil {
		return fmt.Errorf("reading servings: %w", err)
	}
	for _, svc := range saved.Services {
		w.addService(&cluster.Service{
			Key: cluster.Key{Namespace: svc.Namespace, Name: svc.Name}, Deployment: cluster.Key{Namespace: svc.Namespace, Name: svc.Deployment},
			Owner: svc.Serving, Port: svc.Port, Number: svc.Number,
		})
	}
	for _, d := range saved.Deployments {
		w.Cluster.RestoreDeployment(&cluster.Deployment{
			Key: cluster.Key{Namespace: d.Namespace, Name: d.Name}, Owner: d.Serving, Created: d.Created,
			Replicas: d.Replicas, Strategy: d.Strategy, Paused: d.Paused,
			Template: cluster.NewPodTemplate(d.Image, d.InputConfig, d.Containers),
		})
	}
	for _, one := range saved.Servings {
		w.restoreServing(one)
	}
	for _, id := range w.Cluster.Owners() {
		if w.byID[id] == nil {
			w.After(w.Timing.Cleanup, func() { w.cleanUp(id) })
		}
	}
	return nil
}

// restoreEarlierServings restores servings of the first release, which stored
// them separately, in three parts.
func restoreEarlierServings(w *server.ControlPlane, file map[string]json.RawMessage) error {
	if _, ok := file[servingsName]; !ok {
		return nil
	}
	text, err := json.Marshal(file)
	if err != nil {
		return fmt.Errorf("reading servings: %w", err)
	}
	return restoreServings(w, text)
}

func (w *Servings) restoreServing(saved savedServing) {
	sv := &serving{id: saved.ID, created: saved.Created, generation: saved.Generation, spec: saved.Spec}
	for _, ports := range saved.Ports {
		if sv.ports == nil {
			sv.ports = map[partyKey]map[string]int32{}
		}
		sv.ports[partyKey{ports.DomainID, ports.Role}] = ports.Numbers
	}
	w.byID[sv.id] = sv
	w.touch(sv)
	w.wake(sv, 0)
}
