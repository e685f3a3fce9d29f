package rules

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
)

// Private is the private state: what plans and refreshes need and no attribute
// has.
type Private struct {
	// Imported is set until the first update after an import. What the API does
	// not return (affinity_mode, redeploy_triggers, replace_triggers, follow_app_image,
	// wait_for_rollout, progress_deadline, timeouts) is unknown until then, and
	// differences in it are ignored.
	Imported bool `json:"-"` // it is a flag of tfkit/crud
	// Containers has, for each party whose resources Kuscia stores, the
	// containers with stored resources. They are fixed when resources are first
	// set (Kuscia v1.1), whatever containers the app image has later.
	Containers map[string][]string `json:"containers,omitempty"`
	// Ports has the ports of each party at the creation of the serving. Kuscia
	// allocates ports only then, and shows only those with endpoints.
	Ports map[string][]string `json:"ports,omitempty"`
	// ObservedResources are the parties whose resources in the state were read from
	// Kuscia rather than configured.
	ObservedResources []string `json:"observed,omitempty"`
	// Deployed has what is known about the pods of each party.
	Deployed map[string]DeployedParty `json:"deployed,omitempty"`
	// Rollout is the last update while its rollout is not complete; nil
	// otherwise.
	Rollout *PendingRollout `json:"rollout,omitempty"`
	// ObservedReplicas are the parties whose replicas were never configured: the
	// state has the replicas of the app image.
	ObservedReplicas []string `json:"observed_replicas,omitempty"`
	// RefreshDigest identifies the last response and the state and private state
	// that it left unchanged, as far as the versions of its objects are known.
	RefreshDigest string `json:"refresh_digest,omitempty"`
}

// WithoutCreation returns the private state without what was recorded when the serving
// was created or updated: it is a new one, about which nothing is known.
func (d Private) WithoutCreation() Private {
	d.Ports, d.Containers, d.Deployed = nil, nil, nil
	return d
}

// ContainersOf returns the containers for which Kuscia stores resources of a
// party.
func (d Private) ContainersOf(key party.Key) []string { return d.Containers[key.String()] }

// ResourcesObserved reports whether the resources of a party were read from Kuscia rather than configured.
func (d Private) ResourcesObserved(key party.Key) bool {
	return slices.Contains(d.ObservedResources, key.String())
}

// KeepsReplicas reports whether a configured party keeps the number of replicas
// that was read.
func (d Private) KeepsReplicas(configured Party, key party.Key) bool {
	return configured.Replicas().IsNull() && slices.Contains(d.ObservedReplicas, key.String())
}

// KeepsObserved reports whether planned resources that set nothing keep those
// that were read from Kuscia.
func (d Private) KeepsObserved(key party.Key, planned Resources) bool {
	return d.ResourcesObserved(key) && planned.Known() && !planned.Spec().IsSet()
}

// AfterUpdate returns the private state after an accepted update: what the API
// does not return (see Imported) is known from then on, and only what the
// configuration leaves out keeps the value that was read.
func (d Private) AfterUpdate(config Serving) Private {
	configured := config.Parties().Items
	observed, replicas := d.ObservedResources, d.ObservedReplicas
	d.Imported, d.ObservedResources, d.ObservedReplicas = false, nil, nil
	for _, p := range configured {
		key := p.Key()
		if !p.Resources().Spec().IsSet() && slices.Contains(observed, key.String()) {
			d.ObservedResources = append(d.ObservedResources, key.String())
		}
		if p.Replicas().IsNull() && slices.Contains(replicas, key.String()) {
			d.ObservedReplicas = append(d.ObservedReplicas, key.String())
		}
	}
	return d
}

// ObserveReplicas records a party that is new in the state and has no configured
// replicas, until they are configured.
func (d Private) ObserveReplicas(key party.Key, known bool, stored *int32) Private {
	name := key.String()
	noted := slices.Contains(d.ObservedReplicas, name)
	switch {
	case stored == nil && !known && !noted:
		d.ObservedReplicas = append(slices.Clone(d.ObservedReplicas), name)
	case stored != nil && noted:
		d.ObservedReplicas = slices.DeleteFunc(slices.Clone(d.ObservedReplicas), func(other string) bool { return other == name })
	}
	return d
}

// WithContainers records for which containers Kuscia stores resources of a
// party.
func (d Private) WithContainers(key party.Key, names []string) Private {
	d.Containers = with(maps.Clone(d.Containers), key, names)
	return d
}

// with returns a map of parties, which may be nil, with another one.
func with[T any](of map[string]T, key party.Key, value T) map[string]T {
	if of == nil {
		of = map[string]T{}
	}
	of[key.String()] = value
	return of
}

// Equal reports whether two private states are stored identically.
func (d Private) Equal(other Private) bool {
	a, errA := json.Marshal(d)
	b, errB := json.Marshal(other)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// DeployedParty is the definition from which the pods of a party were created.
// Kuscia does not show it, and a later change of the app image reaches the pods
// only in part, or not at all.
type DeployedParty struct {
	// Definition has a digest of each part of the app image that only a new
	// serving gets, by attribute name. A part that is empty has none.
	Definition map[string]string `json:"definition,omitempty"`
	// Containers are the resources of the containers of the pods, as the last update applied them.
	Containers party.PodResources `json:"containers,omitempty"`
	// FromImage are the containers whose resources were those of the app image when they were
	// read.
	FromImage []string `json:"from_image,omitempty"`
	// Read are the resources of the containers of an imported serving of which it is not known
	// whether Kuscia stores them for the party.
	Read party.PodResources `json:"read,omitempty"`
	// Updated is set once an update has reached the pods while the app image had other ones than
	// Read, and NotCounted if pod_revision does not count that update.
	Updated    bool `json:"updated,omitempty"`
	NotCounted bool `json:"not_counted,omitempty"`
	// AppImage is the image that the app image had at the last refresh or apply, and Own are the
	// resources of its containers.
	AppImage string             `json:"app_image,omitempty"`
	Own      party.PodResources `json:"own,omitempty"`
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
	Replacement judge.Replacement `json:"replacement"`
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
func (r PendingRollout) WithoutStarted(target servingstatus.Target, started []bool) *PendingRollout {
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
