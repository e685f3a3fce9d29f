package serving

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// savedServings is the part of the state file for servings. Reconciliations that are
// in progress start again after a restart.
type savedServings struct {
	KusciaDeployments []*objects.KusciaDeployment `json:"kuscia_deployments"`
	Deployments       []*objects.Deployment       `json:"deployments"`
	Services          []*objects.Service          `json:"services"`
	ConfigMaps        []*objects.ConfigMap        `json:"config_maps"`
}

func saveServings(controlPlane *server.ControlPlane) any {
	m := Of(controlPlane).memory
	var saved savedServings
	saved.KusciaDeployments, _ = m.all() // memory does not fail
	deployments, services, configMaps := m.All()
	for _, d := range deployments {
		saved.Deployments = append(saved.Deployments, &d.Deployment)
	}
	saved.Services, saved.ConfigMaps = services, configMaps
	return saved
}

// restoreServings restores servings and schedules the controller for each.
// Deployments are restored with all their pods running.
func restoreServings(controlPlane *server.ControlPlane, text json.RawMessage) error {
	m := Of(controlPlane).memory
	var saved savedServings
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // nothing of another form of the file is dropped
	if err := decoder.Decode(&saved); err != nil {
		return fmt.Errorf("reading servings: %w", err)
	}
	for _, s := range saved.Services {
		if err := m.Cluster.CreateService(s); err != nil {
			return err
		}
		for _, port := range s.Spec.Ports {
			m.ports.Use(s.Meta.Namespace, port.Port)
		}
	}
	for _, c := range saved.ConfigMaps {
		if err := m.Cluster.CreateConfigMap(c); err != nil {
			return err
		}
	}
	for _, d := range saved.Deployments {
		m.RestoreDeployment(d)
	}
	for _, kd := range saved.KusciaDeployments {
		r := &record{KusciaDeployment: *kd}
		r.Status = objects.KusciaDeploymentStatus{}
		m.byID[kd.Meta.Name] = r
		m.touch(r)
		m.wake(r, 0)
	}
	for _, id := range m.Owners() {
		if m.byID[id] == nil {
			m.After(m.servings.Timing.Cleanup, func() { m.cleanUp(id) })
		}
	}
	return nil
}
