package cluster

import (
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/distribution/reference"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Deployment is a Kubernetes Deployment, with what its status depends on.
type Deployment struct {
	Key      Key
	Owner    string // the id of its owner
	Created  time.Time
	Replicas int32
	Strategy kuscia.UpdateStrategy
	Template PodTemplate
	// Paused is set by an external rollout controller.
	Paused bool
	Sets   []*ReplicaSet // oldest first
	syncAt time.Time
	// Shown is the status written by the last sync.
	Shown deploymentStatus
}

// PodTemplate has the fields whose change replaces pods.
type PodTemplate struct {
	Image       string
	InputConfig string
	Containers  []kuscia.Resource
	Hash        uint64
}

// NewPodTemplate returns a template with its hash.
func NewPodTemplate(image, inputConfig string, containers []kuscia.Resource) PodTemplate {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%q%q%q", image, inputConfig, containers) // a hash never fails
	return PodTemplate{Image: image, InputConfig: inputConfig, Containers: containers, Hash: h.Sum64()}
}

// neverStarts reports whether pods of the image stay in ImagePullBackOff or
// InvalidImageName.
func (t PodTemplate) neverStarts() bool {
	return strings.Contains(t.Image, "broken") || t.invalidImage() != nil
}

// invalidImage is the kubelet's error for the image reference. The Kubernetes
// API accepts any reference without surrounding space.
func (t PodTemplate) invalidImage() error {
	_, err := reference.ParseNormalizedNamed(t.Image)
	return err
}

type deploymentStatus struct{ Replicas, Updated, Available, Unavailable int32 }

// PodCount is the number of pods of the Deployment, including old ones.
func (d *Deployment) PodCount() int {
	pods := 0
	for _, set := range d.Sets {
		pods += len(set.Pods)
	}
	return pods
}

// Waiting is the reason why pods of the Deployment do not run, if any.
func (d *Deployment) Waiting(now time.Time) (reason, message string) {
	for _, set := range d.Sets {
		for _, pod := range set.Pods {
			if pod.pullFailedAt.IsZero() || pod.pullFailedAt.After(now) {
				continue
			}
			if err := set.Template.invalidImage(); err != nil {
				return "InvalidImageName", fmt.Sprintf("Failed to apply default image tag %[1]q: couldn't parse image name %[1]q: %[2]v", set.Template.Image, err)
			}
			return "ImagePullBackOff", fmt.Sprintf("Back-off pulling image %q", set.Template.Image)
		}
	}
	return "", ""
}
