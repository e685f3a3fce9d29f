package sandbox

import (
	"fmt"
	"slices"
)

// partyStatusOf is what the status of a serving has of a Deployment.
func partyStatusOf(d *deployment, role string) partyStatus {
	s := d.shown
	status := partyStatus{
		phase: phaseProgressing, role: role, created: d.created,
		replicas: s.replicas, available: s.available, unavailable: s.unavailable, updated: s.updated,
	}
	// Neither the wanted number nor the updated pods are looked at.
	if s.available > 0 {
		status.phase = phasePartial
		if s.available >= s.replicas {
			status.phase = phaseAvailable
		}
	}
	return status
}

// syncDeployments makes and changes the Deployments in the order of the
// parties. The first that Kubernetes refuses ends the pass.
func (w *Servings) syncDeployments(sv *serving, kits []*kit) error {
	for _, k := range kits {
		existing := w.cluster.deployments[k.key]
		if existing == nil {
			if err := w.createDeployment(sv, k); err != nil {
				return err
			}
			continue
		}
		if existing.owner != sv.id {
			return &failure{reasonDeployment, fmt.Sprintf(
				"domain %s deployment %s already exist, please ensure that the deployment name can't be duplicated", k.key.namespace, k.key.name)}
		}
		if err := w.updateDeployment(sv, existing, k); err != nil {
			return err
		}
	}
	return nil
}

func (w *Servings) createDeployment(sv *serving, k *kit) error {
	d := &deployment{
		key: k.key, owner: sv.id, created: w.Now(),
		replicas: k.replicas, strategy: k.party.Strategy,
		template: newPodTemplate(k.image, sv.spec.InputConfig, k.resources),
	}
	if complaints := checkDeployment(d, k.template); len(complaints) > 0 {
		return &failure{reasonDeployment, fmt.Sprintf("failed to create deployment %s/%s for deployment %s, %s",
			k.key.namespace, k.key.name, k.key.name, invalidDeployment(k.key.name, complaints))}
	}
	w.cluster.addDeployment(d)
	w.cluster.schedule(d, w.Timing.Step)
	return nil
}

// desired is the Deployment as Kuscia wants it: it keeps in step replicas that
// are set, strategy, image, resources by container name and configuration.
func desired(sv *serving, d *deployment, k *kit) (wanted deployment, changed bool) {
	wanted = *d
	for _, party := range sv.spec.Parties {
		if party.DomainID != k.party.DomainID || party.Role != k.party.Role {
			continue
		}
		if party.Replicas != nil {
			wanted.replicas = *party.Replicas
		}
		wanted.strategy = party.Strategy
	}
	containers := slices.Clone(d.template.containers)
	for i, running := range containers {
		for _, resources := range k.resources {
			if resources.ContainerName == running.ContainerName {
				containers[i] = resources
			}
		}
	}
	if k.image != d.template.image || sv.spec.InputConfig != d.template.inputConfig || !slices.Equal(containers, d.template.containers) {
		wanted.template = newPodTemplate(k.image, sv.spec.InputConfig, containers)
	}
	changed = wanted.replicas != d.replicas || wanted.strategy != d.strategy || wanted.template.hash != d.template.hash
	return wanted, changed
}

// updateDeployment brings a Deployment in step. A refusal of Kubernetes is not
// a failure for the status here, it is retried.
func (w *Servings) updateDeployment(sv *serving, d *deployment, k *kit) error {
	wanted, changed := desired(sv, d, k)
	if !changed {
		return nil
	}
	if complaints := checkDeployment(&wanted, nil); len(complaints) > 0 {
		return fmt.Errorf("failed to update deployment %s/%s, %s", k.key.namespace, k.key.name, invalidDeployment(k.key.name, complaints))
	}
	d.replicas, d.strategy, d.template = wanted.replicas, wanted.strategy, wanted.template
	w.cluster.schedule(d, w.Timing.Step)
	return nil
}
