package sandbox

import (
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/distribution/reference"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// deployment is a Kubernetes Deployment, as far as its status shows it.
type deployment struct {
	key      objectKey
	owner    string // the id of who owns it
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

// podCount is how many pods the Deployment has, old ones too.
func (d *deployment) podCount() int {
	pods := 0
	for _, set := range d.sets {
		pods += len(set.pods)
	}
	return pods
}

// waiting is why pods of the Deployment do not run, if there is a reason.
func (d *deployment) waiting(now time.Time) (reason, message string) {
	for _, set := range d.sets {
		for _, pod := range set.pods {
			if pod.pullFailedAt.IsZero() || pod.pullFailedAt.After(now) {
				continue
			}
			if err := set.template.invalidImage(); err != nil {
				return "InvalidImageName", fmt.Sprintf("Failed to apply default image tag %[1]q: couldn't parse image name %[1]q: %[2]v", set.template.image, err)
			}
			return "ImagePullBackOff", fmt.Sprintf("Back-off pulling image %q", set.template.image)
		}
	}
	return "", ""
}
