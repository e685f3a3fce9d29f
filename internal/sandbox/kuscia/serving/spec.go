package serving

import (
	"maps"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
)

// Spec is what Kuscia stores of a serving.
type Spec struct {
	Initiator    string      `json:"initiator"`
	InputConfig  string      `json:"input_config"`
	AffinityMode string      `json:"affinity_mode"`
	Parties      []PartySpec `json:"parties"`
}

// PartySpec is what Kuscia stores of a party.
type PartySpec struct {
	DomainID          string                `json:"domain_id"`
	Role              string                `json:"role"`
	AppImage          string                `json:"app_image"`
	ServiceNamePrefix string                `json:"service_name_prefix"`
	Replicas          *int32                `json:"replicas"`
	Strategy          kuscia.UpdateStrategy `json:"strategy"`
	// Containers are the stored resources by container, with canonical
	// quantities; empty if resources were never set.
	Containers []kuscia.Resource `json:"containers"`
}

func (s Spec) clone() Spec {
	copied := s
	copied.Parties = make([]PartySpec, len(s.Parties))
	for i, p := range s.Parties {
		if p.Replicas != nil {
			replicas := *p.Replicas
			p.Replicas = &replicas
		}
		p.Containers = append([]kuscia.Resource(nil), p.Containers...)
		copied.Parties[i] = p
	}
	return copied
}

// serving is a stored serving with the state of its controller.
type serving struct {
	id      string
	created time.Time
	spec    Spec
	status  servingStatus
	// version changes on every write of the object, generation on every change
	// of the specification.
	version    uint64
	generation int64
	// ports are allocated once, by party and port name; nil before.
	ports map[partyKey]map[string]int32
	// reconcileAt is when the next pass is due; zero if none is.
	reconcileAt time.Time
	// applyAt is when the current pass has written everything.
	applyAt time.Time
	retries int
	// lagUntil is the time until which the controllers ignore the serving.
	lagUntil time.Time
}

type partyKey struct{ domainID, role string }

// servingStatus is the status that the API returns.
type servingStatus struct {
	phase, reason, message string
	total, available       int
	// parties is keyed by Deployment; while it is empty the API returns null.
	parties map[cluster.Key]partyStatus
}

type partyStatus struct {
	phase, role                               string
	replicas, available, unavailable, updated int32
	created                                   time.Time
}

func (s servingStatus) equal(other servingStatus) bool {
	return s.phase == other.phase && s.reason == other.reason && s.message == other.message &&
		s.total == other.total && s.available == other.available && maps.Equal(s.parties, other.parties)
}

func (s servingStatus) clone() servingStatus {
	s.parties = maps.Clone(s.parties)
	return s
}
