package kruise

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// What OpenKruise Rollouts sets on a workload that a Rollout controls.
const (
	// WorkloadTypeLabel is the label by which the webhook recognizes the workloads
	// of Rollouts.
	WorkloadTypeLabel = Group + "/workload-type"
	// InProgressingAnnotation has the name of the Rollout whose release is in
	// progress.
	InProgressingAnnotation = Group + "/in-progressing"
	// RolloutIDAnnotation is set by clients that name each release of a workload. While a
	// workload has it, the webhook pauses it only for a change of this annotation.
	RolloutIDAnnotation = Group + "/rollout-id"
	// ControlInfoAnnotation refers to the BatchRelease that controls the workload.
	ControlInfoAnnotation = "batchrelease." + Group + "/control-info"
)

// Workload is a workload with what OpenKruise Rollouts has set on it.
type Workload struct {
	// Paused is spec.paused.
	Paused              bool
	Labels, Annotations map[string]string
}

// IsReleased reports whether a Rollout is releasing the workload: the webhook then replaces
// the update strategy. WorkloadTypeLabel does not tell, since it stays after the Rollout is
// deleted.
func (w Workload) IsReleased() bool {
	return w.Annotations[InProgressingAnnotation] != "" || w.Annotations[ControlInfoAnnotation] != ""
}

// ReleasedBy returns the name of the Rollout that is releasing the workload; "" if there is
// none.
func (w Workload) ReleasedBy() string {
	text := w.Annotations[InProgressingAnnotation]
	if text == "" {
		return ""
	}
	var mark struct {
		Rollout string `json:"rolloutName"`
	}
	if httpapi.DecodeText(text, &mark) != nil || strings.TrimSpace(mark.Rollout) == "" {
		return "an OpenKruise Rollout"
	}
	return mark.Rollout
}

// ControlledBy returns the name of the BatchRelease that controls the workload, which is
// that of its Rollout; "" if there is none. A BatchRelease controls the workload until the
// release has ended.
func (w Workload) ControlledBy() string {
	var owner struct {
		Name string `json:"name"`
	}
	if text := w.Annotations[ControlInfoAnnotation]; text == "" || httpapi.DecodeText(text, &owner) != nil {
		return ""
	}
	return owner.Name
}

// IsLetThrough reports whether the webhook lets a change of the pods through that does not
// change RolloutIDAnnotation: all pods get the new version at once. During a release, it does
// not.
func (w Workload) IsLetThrough() bool {
	return w.Annotations[RolloutIDAnnotation] != "" && w.ReleasedBy() == ""
}

// IsAwaitingControl reports whether the webhook has paused the workload for a release that
// the controller has not begun, as it is for about five seconds in each release. A Rollout
// that is deleted or disabled then leaves the workload paused, and a rollback is released
// step by step or leaves it paused, too (measured with OpenKruise Rollouts 0.6.2).
func (w Workload) IsAwaitingControl() bool {
	return w.Paused && w.ReleasedBy() != "" && w.Annotations[ControlInfoAnnotation] == ""
}
