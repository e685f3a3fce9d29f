package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/distribution/reference"
	"k8s.io/apimachinery/pkg/util/rand"
)

// RunPods creates, starts and removes the pods of all ReplicaSets, and returns when
// it has to be called again; zero means never.
func RunPods(d *Deployment, now time.Time, t Timing) (next time.Time) {
	for _, set := range d.Sets {
		if len(set.Pods) != set.Desired {
			if set.podsAt.After(now) {
				next = soonest(next, set.podsAt)
			} else {
				d.follow(set, now)
			}
		}
		_, broken := set.Template.broken()
		for _, p := range set.Pods {
			next = soonest(next, d.startPod(set, p, broken, now, t))
		}
		if at := set.changed.Add(t.Report); at.After(now) {
			next = soonest(next, at)
		}
	}
	return next
}

// follow creates or removes pods of a set until it has the desired number; pods that
// are not ready are removed first.
func (d *Deployment) follow(set *ReplicaSet, now time.Time) {
	set.changed = now
	for len(set.Pods) < set.Desired {
		set.Pods = append(set.Pods, &Pod{Name: d.newName(set), Created: now})
	}
	if len(set.Pods) > set.Desired {
		slices.SortStableFunc(set.Pods, func(a, b *Pod) int {
			if a.Ready != b.Ready {
				return map[bool]int{true: -1, false: 1}[a.Ready]
			}
			return a.Created.Compare(b.Created)
		})
		set.Pods = set.Pods[:set.Desired]
	}
}

// newName is a name that no pod of the Deployment has had, as random as a real one.
func (d *Deployment) newName(set *ReplicaSet) string {
	const length = 5
	for {
		d.pods++
		digest := sha256.Sum256(fmt.Append(nil, d.UID, "/", d.Name, "/", d.pods))
		suffix := rand.SafeEncodeString(hex.EncodeToString(digest[:]))[:length]
		if !d.names[suffix] {
			if d.names == nil {
				d.names = map[string]bool{}
			}
			d.names[suffix] = true
			return set.Name + "-" + suffix
		}
	}
}

// startPod makes a pod ready, or not, when its time has come, and returns when it
// changes next.
func (d *Deployment) startPod(set *ReplicaSet, p *Pod, broken bool, now time.Time, t Timing) (next time.Time) {
	if !p.Ready && !p.Failed {
		if at := p.Created.Add(t.Start); at.After(now) {
			return at
		}
		p.Ready, p.Failed, p.readyAt = !broken, broken, now
		if p.Ready {
			d.progressed = now
		}
	}
	if at := p.readyAt.Add(t.seconds(set.MinReady)); p.Ready && at.After(now) {
		return at
	}
	return time.Time{}
}

// Delete removes pods by name, as another client does; their ReplicaSets replace them,
// also those of a paused Deployment.
func (d *Deployment) Delete(pods []string, now time.Time) {
	if len(pods) == 0 {
		return
	}
	for _, set := range d.Sets {
		set.Pods = slices.DeleteFunc(set.Pods, func(p *Pod) bool { return slices.Contains(pods, p.Name) })
		if len(set.Pods) != set.Desired {
			set.podsAt = now
		}
	}
}

// Pull is what the kubelet says about an image that it cannot pull; ok is false for
// any other image. Pods of images whose name contains "broken" never start. The
// Kubernetes API accepts any reference without surrounding space.
func Pull(image string) (reason, message string, ok bool) {
	if _, err := reference.ParseNormalizedNamed(image); err != nil {
		return "InvalidImageName", fmt.Sprintf("Failed to apply default image tag %[1]q: couldn't parse image name %[1]q: %[2]v", image, err), true
	}
	if strings.Contains(image, "broken") {
		return "ImagePullBackOff", fmt.Sprintf("Back-off pulling image %q", image), true
	}
	return "", "", false
}

// broken returns the first image that cannot be pulled.
func (t Template) broken() (image string, ok bool) {
	for _, image := range t.Images {
		if _, _, broken := Pull(image); broken {
			return image, true
		}
	}
	return "", false
}

// Waiting is the reason why pods do not run, if any.
func (d *Deployment) Waiting() (reason, message string) {
	for _, set := range d.Sets {
		for _, p := range set.Pods {
			if p.Failed {
				image, _ := set.Template.broken()
				reason, message, _ = Pull(image)
				return reason, message
			}
		}
	}
	return "", ""
}
