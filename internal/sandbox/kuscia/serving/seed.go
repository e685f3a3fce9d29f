package serving

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// Store is what tests and demos do with servings beside the API.
type Store struct{ server *server.Node }

// NewStore gives access to the servings that a server has.
func NewStore(s *server.Node) *Store { return &Store{server: s} }

// PutServing creates a serving as the API does, without a request.
func (s *Store) PutServing(request kuscia.CreateServingRequest) error {
	return createServing(s.server, server.Caller{}, &request).Err()
}

// ServingExists reports whether there is a serving of this id.
func (s *Store) ServingExists(id string) bool {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	return w.byID[id] != nil
}

// ServingIDs lists the ids of all servings, sorted.
func (s *Store) ServingIDs() []string {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	return slices.Sorted(maps.Keys(w.byID))
}

// Serving is a copy of what is stored of a serving.
func (s *Store) Serving(id string) (Spec, error) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	sv := w.byID[id]
	if sv == nil {
		return Spec{}, fmt.Errorf("serving %q: %w", id, server.ErrUnknown)
	}
	return sv.spec.clone(), nil
}

// StoredStatus is the status that is stored of a serving, also while the API
// shows none.
func (s *Store) StoredStatus(id string) (kuscia.ServingStatusDetail, error) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	sv := w.byID[id]
	if sv == nil {
		return kuscia.ServingStatusDetail{}, fmt.Errorf("serving %q: %w", id, server.ErrUnknown)
	}
	return kuscia.ServingStatusDetail{
		State: sv.status.phase, Reason: sv.status.reason, Message: sv.status.message,
		TotalParties: int32(sv.status.total), AvailableParties: int32(sv.status.available), CreateTime: sv.created.UTC().Format(time.RFC3339Nano),
	}, nil
}

// ServingGeneration counts the changes of a serving's specification, from 1.
func (s *Store) ServingGeneration(id string) (int64, error) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	sv := w.byID[id]
	if sv == nil {
		return 0, fmt.Errorf("serving %q: %w", id, server.ErrUnknown)
	}
	return sv.generation, nil
}

// MutateServing changes what is stored, as somebody with access to the store
// could: also what the API has no way to change. The controller takes notice.
func (s *Store) MutateServing(id string, change func(*Spec)) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	sv := w.byID[id]
	if sv == nil {
		return fmt.Errorf("serving %q: %w", id, server.ErrUnknown)
	}
	spec := sv.spec.clone()
	change(&spec)
	w.leaveAlone(sv, server.Caller{})
	w.storeSpec(sv, spec)
	return nil
}

// RemoveServing deletes a serving behind everybody's back.
func (s *Store) RemoveServing(id string) error {
	return deleteServing(s.server, server.Caller{}, &DeleteServingRequest{ServingID: id}).Err()
}

// HoldRollout pauses the Deployments of a serving, as a rollout controller
// does, or lets them go on. While paused, changes reach no pods and the state
// stays Available.
func (s *Store) HoldRollout(id string, hold bool) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	if w.byID[id] == nil {
		return fmt.Errorf("serving %q: %w", id, server.ErrUnknown)
	}
	for _, key := range w.Cluster.OwnedBy(id).Deployments {
		if d := w.Cluster.Deployments[key]; d != nil {
			d.Paused = hold
			w.Cluster.Schedule(d, w.Timing.Step)
		}
	}
	return nil
}

// Deployment is the Deployment of a party.
func (s *Store) Deployment(id, domainID, role string) (cluster.Deployment, error) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	d := w.Cluster.Deployments[cluster.Key{Namespace: domainID, Name: deploymentName(id, role)}]
	if d == nil {
		return cluster.Deployment{}, fmt.Errorf("deployment of serving %q in %s: %w", id, domainID, server.ErrUnknown)
	}
	return *d, nil
}

// DeployedImage is the container image that the Deployment of a party runs or
// rolls out.
func (s *Store) DeployedImage(id, domainID, role string) (string, error) {
	d, err := s.Deployment(id, domainID, role)
	return d.Template.Image, err
}

// PodsRun returns nil if every party of a serving runs what is stored: as many
// pods as wanted, all of them ready, of the stored image, configuration and
// resources, and no others. It looks at the pods themselves and not at a status.
func (s *Store) PodsRun(id string) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	sv := w.byID[id]
	if sv == nil {
		return fmt.Errorf("serving %q: %w", id, server.ErrUnknown)
	}
	kits, err := w.buildKits(sv)
	if err != nil {
		return fmt.Errorf("serving %q: %w", id, err)
	}
	for _, k := range kits {
		d := w.Cluster.Deployments[k.key]
		if d == nil {
			return fmt.Errorf("serving %q has no Deployment in %s", id, k.key.Namespace)
		}
		if wanted, changed := desired(sv, d, k); changed && (wanted.Replicas != d.Replicas || wanted.Template.Hash != d.Template.Hash) {
			return fmt.Errorf("the Deployment of serving %q in %s is not as stored", id, k.key.Namespace)
		}
		for _, set := range d.Sets {
			if len(set.Pods) > 0 && set.Template.Hash != d.Template.Hash {
				return fmt.Errorf("serving %q has %d old pods in %s", id, len(set.Pods), k.key.Namespace)
			}
		}
		if current := d.CurrentSet(); current == nil || int32(len(current.Pods)) != d.Replicas || current.Available() != d.Replicas {
			return fmt.Errorf("serving %q has not %d ready pods in %s", id, d.Replicas, k.key.Namespace)
		}
	}
	return nil
}
