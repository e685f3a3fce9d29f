package serving

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// Controllers are external controllers of servings, which replace the sandbox's
// own. They are called before the response to a request.
type Controllers interface {
	// Stored is called for a serving that was created or changed. It must not call
	// the sandbox.
	Stored(id string, spec Spec)
	// Removed is called for a serving that was deleted.
	Removed(id string)
}

// UseControllers makes external controllers run the servings from now on. They
// set the status of a serving with ShowStatus.
func (s *Store) UseControllers(to Controllers) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	w.external, w.externalEndpoints = to, map[cluster.Key][]any{}
}

// ShowStatus sets the status of a serving that external controllers run.
func (s *Store) ShowStatus(id string, shown kuscia.ServingStatusDetail) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	sv := w.byID[id]
	if sv == nil {
		return fmt.Errorf("serving %q: %w", id, server.ErrUnknown)
	}
	status := servingStatus{
		phase: shown.State, reason: shown.Reason, message: shown.Message,
		total: int(shown.TotalParties), available: int(shown.AvailableParties),
		parties: map[cluster.Key]partyStatus{},
	}
	for _, party := range shown.PartyStatuses {
		key := cluster.Key{Namespace: party.DomainID, Name: deploymentName(id, party.Role)}
		w.externalEndpoints[key] = nil
		for _, e := range party.Endpoints {
			w.externalEndpoints[key] = append(w.externalEndpoints[key], endpointData{PortName: e.PortName, Scope: e.Scope, Endpoint: e.Endpoint})
		}
		status.parties[key] = partyStatus{
			phase: party.State, role: party.Role, created: sv.created,
			replicas: party.Replicas, available: party.AvailableReplicas,
			unavailable: party.UnavailableReplicas, updated: party.UpdatedReplicas,
		}
	}
	if !status.equal(sv.status) {
		sv.status = status
		w.touch(sv)
	}
	return nil
}

// stored calls the external controllers, and reports whether there are any.
func (w *Servings) stored(sv *serving) bool {
	if w.external == nil {
		return false
	}
	w.external.Stored(sv.id, sv.spec.clone())
	return true
}
