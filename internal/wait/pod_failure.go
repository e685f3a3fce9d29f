package wait

import (
	"slices"
	"strings"
	"time"
)

// PodFailureTimeout is how long pods may not start for the same kind of reason before
// a wait for them ends. A registry that restarts is back earlier.
const PodFailureTimeout = 3 * time.Minute

// podFailureGap is how long the reason may be missing without a restart of the time: a
// container that crashes runs in between.
const podFailureGap = time.Minute

// podReason is a kind of reasons that Kubernetes gives for pods that do not start.
type podReason struct {
	marks []string
	// heals is set if the reason often disappears without a change.
	heals bool
	hint  string
}

var podReasons = []podReason{
	{marks: []string{"ImagePull", "ErrImage", "InvalidImageName", "ImageInspectError", "RegistryUnavailable"}, hint: "The container image cannot be pulled. Check name and tag in the app image, that the registry can be reached from the nodes of that party, and its credentials."},
	{marks: []string{"CrashLoopBackOff", "RunContainerError", "StartError", "ContainerCannotRun", endedMark}, hint: crashHint},
	{marks: []string{"OOMKilled"}, heals: true, hint: crashHint},
	{marks: []string{"CreateContainerConfigError", "CreateContainerError"}, hint: "The container cannot be created: something that the app image refers to (a ConfigMap, a Secret, a config template) is missing in that party's domain."},
	{marks: []string{"Unschedulable", "Insufficient"}, heals: true, hint: "No node of that party has enough free resources for the pods. Lower the requests (min_cpu, min_memory) or add nodes."},
	{marks: []string{NotReady}, heals: true, hint: "The container runs, and its readiness or startup probe has not succeeded. Check port and path of the probe in the app image, and that the application listens there."},
}

// NotReady is the reason of a pod whose containers run and are not ready, for which Kubernetes has
// no word.
const NotReady = "running, not ready"

// endedMark is in the reasons of Kuscia for containers that have ended with an exit code.
const endedMark = "reason: Error"

// IsEnded reports whether a reason of Kuscia is that of a container that has ended.
func IsEnded(reason string) bool { return strings.HasSuffix(reason, endedMark) }

const crashHint = "The container starts and exits again. Its log shows why; a wrong configuration text, wrong config templates and too little memory are the usual causes."

// podReasonIn returns the kind of reason that a text names; nil if it names none.
func podReasonIn(text string) *podReason {
	for i, r := range podReasons {
		if slices.ContainsFunc(r.marks, func(mark string) bool { return strings.Contains(text, mark) }) {
			return &podReasons[i]
		}
	}
	return nil
}

// PodHint explains the reason that a text of Kubernetes gives for pods that do not
// start; "" if it gives none that is known.
func PodHint(text string) string {
	if found := podReasonIn(text); found != nil {
		return found.hint
	}
	return ""
}

// PodFailure determines whether pods have not started for PodFailureTimeout for a
// reason that rarely heals: an image that cannot be pulled, a container that cannot
// start. The zero value is ready for use.
type PodFailure struct {
	counts      Progress
	since, last time.Time
}

// Record records an observation: the replica counts, as a text that is the same for
// the same counts, and the reason that Kubernetes gives, "" if there is none. It
// reports whether the wait should end. Counts that were not seen before are progress,
// after which the time starts again.
func (f *PodFailure) Record(at time.Time, counts, reason string) (ends bool) {
	if f.counts.Record(counts) || at.Sub(f.last) > podFailureGap {
		f.since = time.Time{}
	}
	if found := podReasonIn(reason); found == nil || found.heals {
		return false
	}
	f.last = at
	if f.since.IsZero() {
		f.since = at
	}
	return at.Sub(f.since) >= PodFailureTimeout
}
