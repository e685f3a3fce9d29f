package serving

import (
	"bytes"
	"encoding/json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// savedCluster is the part of the state file for the objects of KusciaDeployments.
// Reconciliations that are in progress start again after a restart.
type savedCluster struct {
	Deployments []*objects.Deployment `json:"deployments"`
	Services    []*objects.Service    `json:"services"`
	ConfigMaps  []*objects.ConfigMap  `json:"config_maps"`
}

func saveCluster(controlPlane *server.ControlPlane) any {
	var saved savedCluster
	deployments, services, configMaps := Of(controlPlane).memory.All()
	for _, d := range deployments {
		saved.Deployments = append(saved.Deployments, &d.Deployment)
	}
	saved.Services, saved.ConfigMaps = services, configMaps
	return saved
}

// restoreCluster restores Deployments whose pods have started. The KusciaDeployments
// exist already.
func restoreCluster(controlPlane *server.ControlPlane, text json.RawMessage) error {
	m := Of(controlPlane).memory
	var saved savedCluster
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // nothing of another form of the file is dropped
	if err := decoder.Decode(&saved); err != nil {
		return err
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
	for _, id := range m.Owners() {
		if m.passes[id] == nil {
			m.After(m.servings.Timing.Cleanup, func() { m.cleanUp(id) })
		}
	}
	return nil
}
