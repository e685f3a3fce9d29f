package podstatus

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// failure is why pods of a party do not run. Its texts are those of the cluster.
type failure struct {
	// pod is the newest of the pods with this failure, and pods is their number.
	pod  string
	pods int
	// container is "" for a failure of the whole pod.
	container string
	// state is a reason of Kubernetes, such as CrashLoopBackOff or Unschedulable, or wait.NotReady.
	state string
	// ended is how the container has ended last; nil if it has not.
	ended *kube.ContainerReason
	// restarts is the largest number of the pods.
	restarts int64
	message  string
	// starts is set if the pod may start without a change.
	starts bool
}

// starting are the reasons of containers that will start without a change.
var starting = []string{"", "ContainerCreating", "PodInitializing"}

// failuresOf returns why a pod does not run, nothing if it runs.
func failuresOf(pod *kube.Pod) []failure {
	ready, scheduled := condition(pod, "Ready"), condition(pod, "PodScheduled")
	status := pod.Status
	if ready.Status == "True" {
		return nil
	}
	whole := failure{pod: pod.Metadata.Name, pods: 1}
	if scheduled.Status == "False" {
		whole.state, whole.message = cmp.Or(scheduled.Reason, "Pending"), scheduled.Message
		return []failure{whole}
	}
	var found []failure
	for _, c := range status.InitContainerStatuses {
		if c.State.Running == nil && (c.State.Terminated == nil || c.State.Terminated.ExitCode != 0) {
			found = append(found, containerFailure(whole, c))
		}
	}
	for _, c := range status.ContainerStatuses {
		if !c.Ready {
			found = append(found, containerFailure(whole, c))
		}
	}
	if failing := slices.DeleteFunc(slices.Clone(found), func(f failure) bool { return f.starts }); len(failing) > 0 {
		return failing // the other containers may wait for these
	}
	if len(found) > 0 && status.Reason == "" {
		return found
	}
	if ready.Status == "" && len(status.ContainerStatuses) > 0 && status.Reason == "" {
		return nil // all containers are ready
	}
	whole.state = strings.Trim(status.Phase+", "+cmp.Or(status.Reason, ready.Reason), ", ")
	whole.message, whole.starts = cmp.Or(status.Message, ready.Message), status.Reason == ""
	whole.state = cmp.Or(whole.state, "Pending")
	return []failure{whole}
}

// containerFailure is why a container is not ready. How it has ended says more than that it is
// started again later.
func containerFailure(f failure, c kube.ContainerStatus) failure {
	f.container, f.restarts, f.ended = c.Name, c.RestartCount, c.LastState.Terminated
	switch waiting := c.State.Waiting; {
	case c.State.Terminated != nil:
		f.ended = c.State.Terminated
		f.state = cmp.Or(f.ended.Reason, "terminated")
	case c.State.Running != nil:
		f.state = wait.NotReady
	case waiting == nil:
		f.state, f.starts = "waiting", true
	default:
		f.state, f.message = cmp.Or(waiting.Reason, "waiting"), waiting.Message
		f.starts = slices.Contains(starting, waiting.Reason)
	}
	if f.ended != nil {
		f.message = cmp.Or(f.ended.Message, f.message)
	}
	return f
}

func condition(pod *kube.Pod, name string) kube.Condition {
	for _, c := range pod.Status.Conditions {
		if c.Type == name {
			return c
		}
	}
	return kube.Condition{}
}

// text describes the state of the failure.
func (f *failure) text() string {
	text := f.state
	if f.ended != nil {
		if reason := f.ended.Reason; reason != "" && reason != f.state && reason != "Error" {
			text += ", " + reason
		}
		text += fmt.Sprintf(", exit code %d", f.ended.ExitCode)
	}
	if f.restarts == 1 {
		text += ", 1 restart"
	} else if f.restarts > 1 {
		text += fmt.Sprintf(", %d restarts", f.restarts)
	}
	return text
}

// failing returns why the pods of a party do not run. Those of the newest ReplicaSet come first:
// older pods run until newer ones are available.
func failing(pods []kube.Pod) []failure {
	for _, set := range replicaSets(pods) {
		var found []failure
		index := map[string]int{}
		for i := range set {
			for _, f := range failuresOf(&set[i]) {
				if at, again := index[f.kind()]; again {
					found[at].pods++
					found[at].restarts = max(found[at].restarts, f.restarts)
				} else {
					index[f.kind()], found = len(found), append(found, f)
				}
			}
		}
		if len(found) > 0 {
			slices.SortStableFunc(found, func(a, b failure) int {
				if a.starts != b.starts {
					return map[bool]int{true: 1, false: -1}[a.starts]
				}
				return cmp.Compare(b.pods, a.pods)
			})
			return found
		}
	}
	return nil
}

// replicaSets are the pods of each ReplicaSet, the one with the newest pod first, and its newest
// pod first, without those that are being deleted.
func replicaSets(pods []kube.Pod) (sets [][]kube.Pod) {
	newest := slices.DeleteFunc(slices.Clone(pods), func(p kube.Pod) bool { return p.Metadata.Deleting() })
	slices.SortStableFunc(newest, func(a, b kube.Pod) int {
		return cmp.Or(cmp.Compare(b.Metadata.CreationTimestamp, a.Metadata.CreationTimestamp), cmp.Compare(a.Metadata.Name, b.Metadata.Name))
	})
	index := map[string]int{}
	for _, p := range newest {
		hash := p.Metadata.Labels[kube.LabelPodTemplateHash]
		i, known := index[hash]
		if !known {
			i = len(sets)
			index[hash], sets = i, append(sets, nil)
		}
		sets[i] = append(sets[i], p)
	}
	return sets
}

// varying is what differs in the messages of pods that fail for the same reason: durations, times,
// numbers, addresses, identifiers.
var varying = regexp.MustCompile(`(?:[0-9]+h)?(?:[0-9]+m)?[0-9]+s\b|[0-9A-Fa-f]*[0-9][0-9A-Fa-f]*`)

// maxCompared is how much of a message is compared.
const maxCompared = 8 << 10

// kind is the same for pods that fail for the same reason: what a program says at its end, not what
// it has logged before, nor whether it waits for its next start already.
func (f *failure) kind() string {
	code, state := int64(0), f.state
	if f.ended != nil {
		code, state = f.ended.ExitCode, "ended"
	}
	message := ""
	for line := range strings.Lines(f.message[max(0, len(f.message)-maxCompared):]) {
		if line = strings.TrimSpace(line); line != "" && !frame.MatchString(line) {
			message = line
		}
	}
	if f.pod != "" {
		message = strings.ReplaceAll(message, f.pod, "")
	}
	return fmt.Sprintf("%s\n%s\n%d\n%s", f.container, state, code, varying.ReplaceAllString(message, "0"))
}

// Reason is the reason why the newest pod of a party does not run, "" if it runs or may start
// without a change: those of the version before run until new ones are available.
func Reason(pods []kube.Pod) string {
	sets := replicaSets(pods)
	if len(sets) == 0 {
		return ""
	}
	for _, f := range failuresOf(&sets[0][0]) {
		if !f.starts {
			return f.state
		}
	}
	return ""
}
