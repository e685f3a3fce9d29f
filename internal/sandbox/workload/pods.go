package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/rand"
)

// RunPods creates, starts and removes the pods of all ReplicaSets, and returns when
// it has to be called again; zero means never.
func RunPods(d *Deployment, now time.Time, t Timing, starter Starter) (next time.Time) {
	for _, set := range d.Sets {
		if len(set.Pods) != set.Desired {
			if set.podsAt.After(now) {
				next = soonest(next, set.podsAt)
			} else {
				d.follow(set, now, t)
			}
		}
		for _, p := range set.Pods {
			next = soonest(next, kubelet{d, set, now, t, starter}.sync(p))
		}
		if at := set.changed.Add(t.Report); at.After(now) {
			next = soonest(next, at)
		}
	}
	return next
}

// follow creates or removes pods of a set until it has the desired number; pods that
// are not ready are removed first.
func (d *Deployment) follow(set *ReplicaSet, now time.Time, t Timing) {
	set.changed = now
	for len(set.Pods) < set.Desired {
		set.Pods = append(set.Pods, d.newPod(set, now, now.Add(t.Start)))
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

// newPod returns a pod with a name that no pod of the Deployment has had, as random as a
// real one.
func (d *Deployment) newPod(set *ReplicaSet, now, start time.Time) *Pod {
	const length = 5
	for {
		d.pods++
		digest := sha256.Sum256(fmt.Append(nil, d.UID, "/", d.Name, "/", d.pods))
		suffix := rand.SafeEncodeString(hex.EncodeToString(digest[:]))[:length]
		if d.names[suffix] {
			continue
		}
		if d.names == nil {
			d.names = map[string]bool{}
		}
		d.names[suffix] = true
		uid := fmt.Sprintf("%x-%x-%x-%x-%x", digest[:4], digest[4:6], digest[6:8], digest[8:10], digest[10:16])
		p := &Pod{Namespace: d.Namespace, Name: set.Name + "-" + suffix, UID: uid, Created: now, Unschedulable: tooLarge(set.Template.Pod.Spec)}
		if p.Unschedulable == "" {
			p.Containers = newContainers(set.Template.Pod.Spec, start)
		}
		return p
	}
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

// Waiting is the reason why pods do not run, if any: that of the first container, in the
// order of the names of pods and containers.
func (d *Deployment) Waiting() (reason, message string) {
	var pods []*Pod
	for _, set := range d.Sets {
		pods = append(pods, set.Pods...)
	}
	slices.SortFunc(pods, func(a, b *Pod) int { return strings.Compare(a.Name, b.Name) })
	for _, p := range pods {
		for i := range p.Containers {
			switch c := &p.Containers[i]; {
			case c.Terminated != nil:
				return c.Terminated.Reason, c.Terminated.Message
			case c.Waiting != nil && c.Waiting.Reason != ContainerCreating:
				return c.Waiting.Reason, c.Waiting.Message
			}
		}
	}
	return "", ""
}
