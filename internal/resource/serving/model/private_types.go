package model

import (
	"maps"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// DeployedParty is what the pods of a party were made from. Kuscia shows nothing of
// it, and an app image that changes later reaches them only in part, or not.
type DeployedParty struct {
	// Definition has a digest of each part of the app image that only a new
	// serving gets, by the name of the attribute. A part that is empty has none.
	Definition map[string]string `json:"definition,omitempty"`
	// Applied is what the last update brought.
	Applied PodSpec `json:"rollout"`
	// MaybeApplied is what the app image had meanwhile, and the pods therefore may
	// have: somebody else can have rolled it out.
	MaybeApplied *PodSpec `json:"other,omitempty"`
}

// PodSpec is what of an app image an update brings to running pods.
type PodSpec struct {
	// Image is the reference of the container image.
	Image string `json:"image"`
	// Resources is a digest of the resources of the containers.
	Resources string `json:"resources,omitempty"`
}

// PendingRollout is an update of which nobody has seen yet that it runs. It is kept
// beside the state, since a refresh cannot tell pods of before the update from
// those of after it.
type PendingRollout struct {
	// Since is when Kuscia accepted the update or, where somebody else made it,
	// when a refresh found it.
	Since time.Time `json:"since"`
	// ReachableSince is since when nobody has noticed that Kuscia did not answer;
	// zero is not known. While it does not, its controllers do nothing either.
	ReachableSince time.Time `json:"steady_since,omitzero"`
	// NotStarted has the parties whose pods the update replaces and whose rollout
	// nobody has seen to begin yet.
	NotStarted map[string]PendingParty `json:"unseen,omitempty"`
}

// PendingParty is what of a party has to be seen.
type PendingParty struct {
	// Replacement is how the pods are replaced.
	Replacement wait.PodReplacement `json:"rollout"`
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

// After is the rollout once parties of a target were seen to begin.
func (r PendingRollout) After(target wait.Target, begun []bool) *PendingRollout {
	r.NotStarted = maps.Clone(r.NotStarted)
	for i, p := range target.Parties {
		if i < len(begun) && begun[i] {
			delete(r.NotStarted, party.Key{DomainID: p.DomainID, Role: p.Role}.String())
		}
	}
	if len(r.NotStarted) == 0 {
		r.NotStarted = nil
	}
	return &r
}

// WithReachableSince is the rollout with another time since when Kuscia answers.
func (r PendingRollout) WithReachableSince(at time.Time) *PendingRollout {
	r.ReachableSince = at.UTC().Truncate(time.Second)
	return &r
}

// Merge is what remains to be seen after two updates, one after the other.
func (r *PendingRollout) Merge(later *PendingRollout) *PendingRollout {
	if r == nil {
		return later
	}
	for key, unseen := range r.NotStarted {
		if _, ok := later.NotStarted[key]; !ok {
			if later.NotStarted == nil {
				later.NotStarted = map[string]PendingParty{}
			}
			later.NotStarted[key] = unseen
		}
	}
	return later
}

// ResourceBaseline is what was last seen of a party whose resources nobody asked for.
type ResourceBaseline struct {
	// Answer is what the serving showed, Image what the template of its app
	// image gave at the same time.
	Answer ResourceSnapshot `json:"answer"`
	Image  ResourceSnapshot `json:"image"`
}
