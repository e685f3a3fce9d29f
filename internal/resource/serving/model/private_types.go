package model

import (
	"maps"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// DeployedParty is the definition from which the pods of a party were created.
// Kuscia does not show it, and a later change of the app image reaches the pods
// only in part, or not at all.
type DeployedParty struct {
	// Definition has a digest of each part of the app image that only a new
	// serving gets, by attribute name. A part that is empty has none.
	Definition map[string]string `json:"definition,omitempty"`
	// Resources is a digest of the resources of the containers that the last update applied.
	Resources string `json:"resources,omitempty"`
	// AppImage is the image that the app image had at the last refresh or apply.
	AppImage string `json:"app_image,omitempty"`
	// MaybeApplied is what the app image has had since then, and the pods
	// therefore may have: another client can have rolled it out.
	MaybeApplied *PodSpec `json:"maybe_applied,omitempty"`
}

// PodSpec is the part of an app image that an update applies to running pods.
type PodSpec struct {
	// Image is the reference of the container image.
	Image string `json:"image"`
	// Resources is a digest of the resources of the containers.
	Resources string `json:"resources,omitempty"`
}

// PendingRollout is an update whose rollout is not known to be complete. It is
// in the private state because a refresh cannot distinguish the pods from before
// the update from those after it.
type PendingRollout struct {
	// Since is when Kuscia accepted the update or, for an update of another
	// client, when a refresh detected it.
	Since time.Time `json:"since"`
	// ReachableSince is since when no outage of Kuscia has been noticed; zero if
	// unknown. During an outage its controllers do not work either.
	ReachableSince time.Time `json:"reachable_since,omitzero"`
	// NotStarted has the parties whose pods the update replaces and whose
	// rollout start has not been observed yet.
	NotStarted map[string]PendingParty `json:"not_started,omitempty"`
}

// PendingParty is a party whose rollout start has to be observed.
type PendingParty struct {
	// Replacement is how the pods are replaced.
	Replacement wait.PodReplacement `json:"replacement"`
	// Before are the pods before the update; nil where they are not known.
	Before *PodsBefore `json:"before,omitempty"`
}

// PodsBefore are the pods of a party before an update.
type PodsBefore struct {
	Replicas    int32  `json:"replicas"`
	Updated     int32  `json:"updated"`
	Available   int32  `json:"available"`
	Unavailable int32  `json:"unavailable"`
	CreateTime  string `json:"create_time"`
}

// WithoutStarted returns the rollout after the rollout starts of some parties of a target
// were observed.
func (r PendingRollout) WithoutStarted(target wait.Target, started []bool) *PendingRollout {
	r.NotStarted = maps.Clone(r.NotStarted)
	for i, p := range target.Parties {
		if i < len(started) && started[i] {
			delete(r.NotStarted, party.Key{DomainID: p.DomainID, Role: p.Role}.String())
		}
	}
	if len(r.NotStarted) == 0 {
		r.NotStarted = nil
	}
	return &r
}

// WithReachableSince returns the rollout with another ReachableSince.
func (r PendingRollout) WithReachableSince(at time.Time) *PendingRollout {
	r.ReachableSince = at.UTC().Truncate(time.Second)
	return &r
}

// NotAfter returns the rollout with its times at most now. One that is later was stored
// before the clock was set back, or on another machine: nothing would be due until the
// clock reaches it.
func (r *PendingRollout) NotAfter(now time.Time) *PendingRollout {
	if r == nil || !r.Since.After(now) && !r.ReachableSince.After(now) {
		return r
	}
	out := *r
	for _, at := range []*time.Time{&out.Since, &out.ReachableSince} {
		if at.After(now) {
			*at = now.UTC().Truncate(time.Second)
		}
	}
	return &out
}

// Merge returns the rollout that remains after two consecutive updates.
func (r *PendingRollout) Merge(later *PendingRollout) *PendingRollout {
	if r == nil {
		return later
	}
	for key, notStarted := range r.NotStarted {
		if _, ok := later.NotStarted[key]; !ok {
			if later.NotStarted == nil {
				later.NotStarted = map[string]PendingParty{}
			}
			later.NotStarted[key] = notStarted
		}
	}
	return later
}
