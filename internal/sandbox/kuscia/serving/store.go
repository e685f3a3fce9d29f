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

// Store has the methods by which tests and demos access servings without the
// API.
type Store struct{ server *server.Node }

// NewStore returns access to the servings of a node.
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

// Serving is a copy of a stored serving.
func (s *Store) Serving(id string) (Spec, error) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	sv := w.byID[id]
	if sv == nil {
		return Spec{}, fmt.Errorf("serving %q: %w", id, server.ErrUnknown)
	}
	return sv.spec.clone(), nil
}

// StoredStatus is the stored status of a serving, even while the API returns
// none.
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

// MutateServing changes a stored serving like a client with access to the
// store, including fields that the API cannot change. The controller is
// notified.
func (s *Store) MutateServing(id string, change func(*Spec)) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	sv := w.byID[id]
	if sv == nil {
		return fmt.Errorf("serving %q: %w", id, server.ErrUnknown)
	}
	spec := sv.spec.clone()
	change(&spec)
	w.delayReconcile(sv, server.Caller{})
	w.storeSpec(sv, spec)
	return nil
}

// RemoveServing deletes a serving without the API.
func (s *Store) RemoveServing(id string) error {
	return deleteServing(s.server, server.Caller{}, &DeleteServingRequest{ServingID: id}).Err()
}

// PauseRollout pauses the Deployments of a serving, as a rollout controller
// does, or resumes them. While paused, changes do not reach the pods and the
// state stays Available.
func (s *Store) PauseRollout(id string, hold bool) error {
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

// DeployedImage is the container image of a party's Deployment.
func (s *Store) DeployedImage(id, domainID, role string) (string, error) {
	d, err := s.Deployment(id, domainID, role)
	return d.Template.Image, err
}

// PodsRun returns nil if every party of a serving runs as stored: the desired
// number of pods, all ready, with the stored image, configuration and
// resources, and no others. It checks the pods themselves, not a status.
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
		if desired, changed := desiredDeployment(sv, d, k); changed && (desired.Replicas != d.Replicas || desired.Template.Hash != d.Template.Hash) {
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
