package workload

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/distribution/reference"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Starter starts the containers of pods.
type Starter interface {
	// Start starts a container of a pod, and says what becomes of it. It is called again at each
	// restart.
	Start(namespace string, pod *objects.PodTemplate, container int) Outcome
}

// Outcome is what becomes of a container that is started: it runs on, unless one of the two is
// set.
type Outcome struct {
	// Waiting is why it could not be made.
	Waiting *Waiting
	// Ended is how it has ended at once.
	Ended *Terminated
}

// Waiting is why a container does not run.
type Waiting struct{ Reason, Message string }

// Terminated is how a container has ended.
type Terminated struct {
	ExitCode        int32
	Reason, Message string
	At              time.Time
}

// The reasons of containers, as the kubelet has them.
const (
	ContainerCreating          = "ContainerCreating"
	CrashLoopBackOff           = "CrashLoopBackOff"
	CreateContainerConfigError = "CreateContainerConfigError"
	// ReasonError and ReasonCompleted are those of a container that has ended.
	ReasonError     = "Error"
	ReasonCompleted = "Completed"
)

// Pod is a pod with the state of its containers.
type Pod struct {
	Namespace, Name string
	// UID may be replaced by that of the store.
	UID     string
	Created time.Time
	// Unschedulable is why no node takes it; "" for a pod that has one.
	Unschedulable string
	// Containers are in the order of their names, as in a status.
	Containers []Container
	Ready      bool
	readyAt    time.Time
}

// ReadyAt is when the pod became ready, zero for one that is not.
func (p *Pod) ReadyAt() time.Time { return p.readyAt }

// Container is the state of a container: it runs, unless it waits or has ended.
type Container struct {
	Name       string
	Waiting    *Waiting
	Terminated *Terminated
	// StartedAt is when a container that runs or has ended was started.
	StartedAt time.Time
	// Last is how it has ended before its last restart.
	Last     *Terminated
	Restarts int32
	Ready    bool

	index int       // in the template
	next  time.Time // when its state changes; zero: never
	ends  int       // how often it has ended
}

// Running reports whether the container runs.
func (c *Container) Running() bool { return c.Waiting == nil && c.Terminated == nil }

// kubelet syncs the pods of a set.
type kubelet struct {
	*Deployment
	set     *ReplicaSet
	now     time.Time
	timing  Timing
	starter Starter
}

// sync starts and restarts the containers of a pod when their time has come, and returns when
// the pod changes next.
func (k kubelet) sync(p *Pod) (next time.Time) {
	ready := p.Unschedulable == ""
	for i := range p.Containers {
		c := &p.Containers[i]
		for !c.next.IsZero() && !c.next.After(k.now) {
			k.step(p, c)
		}
		if next = soonest(next, c.next); !c.Ready {
			ready = false
		}
	}
	if ready && !p.Ready {
		p.Ready, p.readyAt = true, k.now
		k.progressed = k.now
	}
	if at := p.readyAt.Add(k.timing.seconds(k.set.MinReady)); p.Ready && at.After(k.now) {
		next = soonest(next, at)
	}
	return next
}

// newContainers are the containers of a pod, which are started at a time.
func newContainers(pod objects.PodSpec, start time.Time) []Container {
	all := make([]Container, len(pod.Containers))
	for i, c := range pod.Containers {
		all[i] = Container{Name: c.Name, Waiting: &Waiting{Reason: ContainerCreating}, index: i, next: start}
	}
	slices.SortStableFunc(all, func(a, b Container) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// step is the next change of a container: it becomes ready, its restart is put off, or it is
// started.
func (k kubelet) step(p *Pod, c *Container) {
	switch {
	case c.Running():
		c.Ready, c.next = true, time.Time{}
	case c.Terminated != nil && c.ends > 1: // the first restart is at once
		delay := backOff(c.ends)
		c.Last, c.Terminated = c.Terminated, nil
		c.Waiting = &Waiting{CrashLoopBackOff, fmt.Sprintf("back-off %s restarting failed container=%s pod=%s_%s(%s)", delay, c.Name, p.Name, p.Namespace, p.UID)}
		c.next = c.Last.At.Add(k.scaled(delay))
	default:
		if c.Terminated != nil {
			c.Last = c.Terminated
		}
		k.start(c)
	}
}

// start starts a container.
func (k kubelet) start(c *Container) {
	spec := &k.set.Template.Pod.Spec.Containers[c.index]
	c.Waiting, c.Terminated, c.next = nil, nil, time.Time{}
	if waiting, unusable := Pull(spec.Image); unusable {
		c.Waiting = waiting
		return
	}
	outcome := k.starter.Start(k.Namespace, &k.set.Template.Pod, c.index)
	if outcome.Waiting != nil {
		c.Waiting, c.next = outcome.Waiting, k.now.Add(k.scaled(firstBackOff))
		return
	}
	if c.ends > 0 {
		c.Restarts++
	}
	c.StartedAt = k.now
	switch {
	case outcome.Ended != nil:
		c.Terminated = outcome.Ended
		c.Terminated.At = k.now
		c.ends++
		c.next = k.now.Add(k.scaled(noticed))
	case neverSucceeds(spec):
	case c.ends > 0:
		c.next = k.now.Add(k.timing.Start)
	default:
		c.Ready = true // Start has passed
	}
}

// The delays of the kubelet before restarts.
const (
	// noticed is the time until it does something about a container that has ended.
	noticed      = time.Second
	firstBackOff = 10 * time.Second
	maxBackOff   = 300 * time.Second
)

// backOff is the delay before the restart of a container that has ended n times, from 2.
func backOff(n int) time.Duration {
	if n > 10 {
		return maxBackOff
	}
	return min(firstBackOff<<(n-2), maxBackOff)
}

// scaled is a delay of the kubelet on the clock of the store, which always passes.
func (k kubelet) scaled(delay time.Duration) time.Duration {
	return max(time.Duration(delay.Seconds()/firstBackOff.Seconds()*float64(k.timing.BackOff)), time.Millisecond)
}

// neverSucceeds reports that the kubelet cannot carry out the readiness or startup probe of a
// container, which names a port that the container does not have: it runs and is never ready. A
// liveness probe without a result counts as passed, and so do all other probes here.
func neverSucceeds(c *objects.PodContainer) bool {
	for _, probe := range []*objects.Probe{c.ReadinessProbe, c.StartupProbe} {
		if probe == nil {
			continue
		}
		port := ""
		if probe.HTTPGet != nil {
			port = probe.HTTPGet.Port.StrVal
		} else if probe.TCPSocket != nil {
			port = probe.TCPSocket.Port.StrVal
		}
		if port != "" && !slices.ContainsFunc(c.Ports, func(p objects.ContainerPort) bool { return p.Name == port }) {
			return true
		}
	}
	return false
}

// Pull is what the kubelet says about an image that it cannot pull; unusable is false for any
// other image. Pods of images whose name contains "broken" never start. The Kubernetes API
// accepts any reference without surrounding space.
func Pull(image string) (why *Waiting, unusable bool) {
	if _, err := reference.ParseNormalizedNamed(image); err != nil {
		return &Waiting{"InvalidImageName", fmt.Sprintf("Failed to apply default image tag %[1]q: couldn't parse image name %[1]q: %[2]v", image, err)}, true
	}
	if strings.Contains(image, "broken") {
		return &Waiting{"ImagePullBackOff", fmt.Sprintf("Back-off pulling image %q", image)}, true
	}
	return nil, false
}
