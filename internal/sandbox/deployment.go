package sandbox

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/distribution/reference"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// deployment is the Kubernetes Deployment of a party, as far as the status
// shows it.
type deployment struct {
	key      objectKey
	serving  string // the id of the serving that owns it
	created  time.Time
	replicas int32
	strategy kuscia.UpdateStrategy
	template podTemplate
	// paused is set by whoever holds the rollout from outside.
	paused bool
	sets   []*replicaSet // oldest first
	syncAt time.Time
	// shown is the status written by the last sync.
	shown deploymentStatus
}

// podTemplate is what decides whether pods are replaced.
type podTemplate struct {
	image       string
	inputConfig string
	containers  []kuscia.Resource
	hash        uint64
}

func newPodTemplate(image, inputConfig string, containers []kuscia.Resource) podTemplate {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%q%q%q", image, inputConfig, containers) // a hash never fails
	return podTemplate{image: image, inputConfig: inputConfig, containers: containers, hash: h.Sum64()}
}

// neverStarts tells images whose pods stay in ImagePullBackOff, or in
// InvalidImageName.
func (t podTemplate) neverStarts() bool {
	return strings.Contains(t.image, "broken") || t.invalidImage() != nil
}

// invalidImage is what the kubelet finds wrong with the image reference. The
// Kubernetes API takes any that has no space around it.
func (t podTemplate) invalidImage() error {
	_, err := reference.ParseNormalizedNamed(t.image)
	return err
}

type deploymentStatus struct{ replicas, updated, available, unavailable int32 }

func (d *deployment) partyStatus(role string) partyStatus {
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

// waiting is why the pods of the Deployment do not run, if there is a reason.
func (d *deployment) waiting(now time.Time) (reason, message string) {
	pods := 0
	for _, set := range d.sets {
		for _, pod := range set.pods {
			pods++
			if !pod.pullFailedAt.IsZero() && !pod.pullFailedAt.After(now) {
				if err := set.template.invalidImage(); err != nil {
					return "InvalidImageName", fmt.Sprintf("Failed to apply default image tag %[1]q: couldn't parse image name %[1]q: %[2]v", set.template.image, err)
				}
				return "ImagePullBackOff", fmt.Sprintf("Back-off pulling image %q", set.template.image)
			}
		}
	}
	if pods == 0 {
		text := fmt.Sprintf("kd's pods: %s not found", d.key.name)
		return text, text
	}
	return "", ""
}

// syncDeployments makes and changes the Deployments in the order of the
// parties. The first that Kubernetes refuses ends the pass.
func (w *world) syncDeployments(sv *serving, kits []*kit) error {
	for _, k := range kits {
		existing := w.deployments[k.key]
		if existing == nil {
			if err := w.createDeployment(sv, k); err != nil {
				return err
			}
			continue
		}
		if existing.serving != sv.id {
			return &failure{reasonDeployment, fmt.Sprintf(
				"domain %s deployment %s already exist, please ensure that the deployment name can't be duplicated", k.key.namespace, k.key.name)}
		}
		if err := w.updateDeployment(sv, existing, k); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) createDeployment(sv *serving, k *kit) error {
	d := &deployment{
		key: k.key, serving: sv.id, created: w.now,
		replicas: k.replicas, strategy: k.party.Strategy,
		template: newPodTemplate(k.image, sv.spec.InputConfig, k.resources),
	}
	if complaints := checkDeployment(d, k.template); len(complaints) > 0 {
		return &failure{reasonDeployment, fmt.Sprintf("failed to create deployment %s/%s for deployment %s, %s",
			k.key.namespace, k.key.name, k.key.name, invalidDeployment(k.key.name, complaints))}
	}
	w.deployments[k.key] = d
	w.ownedBy(sv.id).deployments = append(w.ownedBy(sv.id).deployments, k.key)
	w.schedule(d, w.timing.Step)
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
func (w *world) updateDeployment(sv *serving, d *deployment, k *kit) error {
	wanted, changed := desired(sv, d, k)
	if !changed {
		return nil
	}
	if complaints := checkDeployment(&wanted, nil); len(complaints) > 0 {
		return fmt.Errorf("failed to update deployment %s/%s, %s", k.key.namespace, k.key.name, invalidDeployment(k.key.name, complaints))
	}
	d.replicas, d.strategy, d.template = wanted.replicas, wanted.strategy, wanted.template
	w.schedule(d, w.timing.Step)
	return nil
}
