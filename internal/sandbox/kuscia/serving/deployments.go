package serving

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
)

// partyStatusOf is the part of a serving's status for a Deployment.
func partyStatusOf(d *cluster.Deployment, role string) partyStatus {
	s := d.Shown
	status := partyStatus{
		phase: phaseProgressing, role: role, created: d.Created,
		replicas: s.Replicas, available: s.Available, unavailable: s.Unavailable, updated: s.Updated,
	}
	// Neither the desired number nor the updated pods matter.
	if s.Available > 0 {
		status.phase = phasePartial
		if s.Available >= s.Replicas {
			status.phase = phaseAvailable
		}
	}
	return status
}

// syncDeployments creates and changes the Deployments in the order of the
// parties. If Kubernetes refuses one, the pass ends.
func (w *Servings) syncDeployments(sv *serving, kits []*kit) error {
	for _, k := range kits {
		existing := w.Cluster.Deployments[k.key]
		if existing == nil {
			if err := w.createDeployment(sv, k); err != nil {
				return err
			}
			continue
		}
		if existing.Owner != sv.id {
			return &failure{reasonDeployment, fmt.Sprintf(
				"domain %s deployment %s already exist, please ensure that the deployment name can't be duplicated", k.key.Namespace, k.key.Name)}
		}
		if err := w.updateDeployment(sv, existing, k); err != nil {
			return err
		}
	}
	return nil
}

func (w *Servings) createDeployment(sv *serving, k *kit) error {
	d := &cluster.Deployment{
		Key: k.key, Owner: sv.id, Created: w.Now(),
		Replicas: k.replicas, Strategy: k.party.Strategy,
		Template: cluster.NewPodTemplate(k.image, sv.spec.InputConfig, k.resources),
	}
	if messages := cluster.CheckDeployment(d, k.template); len(messages) > 0 {
		return &failure{reasonDeployment, fmt.Sprintf("failed to create deployment %s/%s for deployment %s, %s",
			k.key.Namespace, k.key.Name, k.key.Name, cluster.InvalidDeployment(k.key.Name, messages))}
	}
	w.Cluster.AddDeployment(d)
	w.Cluster.Schedule(d, w.Timing.Step)
	return nil
}

// desiredDeployment is the Deployment as Kuscia wants it: Kuscia updates replicas if set,
// strategy, image, resources by container name and configuration.
func desiredDeployment(sv *serving, d *cluster.Deployment, k *kit) (desired cluster.Deployment, changed bool) {
	desired = *d
	for _, party := range sv.spec.Parties {
		if party.DomainID != k.party.DomainID || party.Role != k.party.Role {
			continue
		}
		if party.Replicas != nil {
			desired.Replicas = *party.Replicas
		}
		desired.Strategy = party.Strategy
	}
	containers := slices.Clone(d.Template.Containers)
	for i, running := range containers {
		for _, resources := range k.resources {
			if resources.ContainerName == running.ContainerName {
				containers[i] = resources
			}
		}
	}
	if k.image != d.Template.Image || sv.spec.InputConfig != d.Template.InputConfig || !slices.Equal(containers, d.Template.Containers) {
		desired.Template = cluster.NewPodTemplate(k.image, sv.spec.InputConfig, containers)
	}
	changed = desired.Replicas != d.Replicas || desired.Strategy != d.Strategy || desired.Template.Hash != d.Template.Hash
	return desired, changed
}

// updateDeployment updates a Deployment. An error of Kubernetes is not written
// to the status, it is retried.
func (w *Servings) updateDeployment(sv *serving, d *cluster.Deployment, k *kit) error {
	desired, changed := desiredDeployment(sv, d, k)
	if !changed {
		return nil
	}
	if messages := cluster.CheckDeployment(&desired, nil); len(messages) > 0 {
		return fmt.Errorf("failed to update deployment %s/%s, %s", k.key.Namespace, k.key.Name, cluster.InvalidDeployment(k.key.Name, messages))
	}
	d.Replicas, d.Strategy, d.Template = desired.Replicas, desired.Strategy, desired.Template
	w.Cluster.Schedule(d, w.Timing.Step)
	return nil
}
