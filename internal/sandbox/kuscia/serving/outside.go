package serving

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// Controllers are those of a cluster elsewhere, in place of the ones here. They
// are told of servings before a request is answered.
type Controllers interface {
	// Stored is told of a serving that was created or changed, and of the app
	// images of its parties: those that exist. It must not call the sandbox.
	Stored(id string, spec Spec, images []kuscia.AppImage)
	// Removed is told of a serving that was deleted.
	Removed(id string)
}

// HandOver lets controllers elsewhere run the servings from now on. What they
// make of one comes back with ShowStatus.
func (s *Store) HandOver(to Controllers) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	w.elsewhere, w.endpointsElsewhere = to, map[cluster.Key][]any{}
}

// ShowStatus is what a serving's status is from now on, if there is one.
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
		w.endpointsElsewhere[key] = nil
		for _, e := range party.Endpoints {
			w.endpointsElsewhere[key] = append(w.endpointsElsewhere[key], endpointData{PortName: e.PortName, Scope: e.Scope, Endpoint: e.Endpoint})
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

// stored tells the controllers elsewhere, and reports whether there are any.
func (w *Servings) stored(sv *serving) bool {
	if w.elsewhere == nil {
		return false
	}
	var images []kuscia.AppImage
	for _, party := range sv.spec.Parties {
		if image := w.images.ByName[party.AppImage]; image != nil {
			images = append(images, image.AppImage)
		}
	}
	w.elsewhere.Stored(sv.id, sv.spec.clone(), images)
	return true
}
