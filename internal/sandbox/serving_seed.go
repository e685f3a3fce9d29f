package sandbox

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// ServingStore is what tests and demos do with servings beside the API.
type ServingStore struct{ server *Server }

// NewServingStore gives access to the servings that a server has.
func NewServingStore(s *Server) *ServingStore { return &ServingStore{server: s} }

// PutServing creates a serving as the API does, without a request.
func (s *ServingStore) PutServing(request kuscia.CreateServingRequest) error {
	return createServing(s.server, caller{}, &request).err()
}

// ServingExists reports whether there is a serving of this id.
func (s *ServingStore) ServingExists(id string) bool {
	w := servingsOf(s.server.World)
	defer w.Enter()()
	return w.byID[id] != nil
}

// ServingIDs lists the ids of all servings, sorted.
func (s *ServingStore) ServingIDs() []string {
	w := servingsOf(s.server.World)
	defer w.Enter()()
	return slices.Sorted(maps.Keys(w.byID))
}

// Serving is a copy of what is stored of a serving.
func (s *ServingStore) Serving(id string) (ServingSpec, error) {
	w := servingsOf(s.server.World)
	defer w.Enter()()
	sv := w.byID[id]
	if sv == nil {
		return ServingSpec{}, fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	return sv.spec.clone(), nil
}

// StoredStatus is the status that is stored of a serving, also while the API
// shows none.
func (s *ServingStore) StoredStatus(id string) (kuscia.ServingStatusDetail, error) {
	w := servingsOf(s.server.World)
	defer w.Enter()()
	sv := w.byID[id]
	if sv == nil {
		return kuscia.ServingStatusDetail{}, fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	return kuscia.ServingStatusDetail{
		State: sv.status.phase, Reason: sv.status.reason, Message: sv.status.message,
		TotalParties: int32(sv.status.total), AvailableParties: int32(sv.status.available), CreateTime: sv.created.UTC().Format(time.RFC3339Nano),
	}, nil
}

// ServingGeneration counts the changes of a serving's specification, from 1.
func (s *ServingStore) ServingGeneration(id string) (int64, error) {
	w := servingsOf(s.server.World)
	defer w.Enter()()
	sv := w.byID[id]
	if sv == nil {
		return 0, fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	return sv.generation, nil
}

// MutateServing changes what is stored, as somebody with access to the store
// could: also what the API has no way to change. The controller takes notice.
func (s *ServingStore) MutateServing(id string, change func(*ServingSpec)) error {
	w := servingsOf(s.server.World)
	defer w.Enter()()
	sv := w.byID[id]
	if sv == nil {
		return fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	spec := sv.spec.clone()
	change(&spec)
	w.leaveAlone(sv, caller{})
	w.storeSpec(sv, spec)
	return nil
}

// RemoveServing deletes a serving behind everybody's back.
func (s *ServingStore) RemoveServing(id string) error {
	return deleteServing(s.server, caller{}, &DeleteServingRequest{ServingID: id}).err()
}

// HoldRollout pauses the Deployments of a serving, as a rollout controller
// does, or lets them go on. While paused, changes reach no pods and the state
// stays Available.
func (s *ServingStore) HoldRollout(id string, hold bool) error {
	w := servingsOf(s.server.World)
	defer w.Enter()()
	if w.byID[id] == nil {
		return fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	for _, key := range w.cluster.ownedBy(id).deployments {
		if d := w.cluster.deployments[key]; d != nil {
			d.paused = hold
			w.cluster.schedule(d, w.Timing.Step)
		}
	}
	return nil
}

// Deployment is the Deployment of a party.
func (s *ServingStore) Deployment(id, domainID, role string) (deployment, error) {
	w := servingsOf(s.server.World)
	defer w.Enter()()
	d := w.cluster.deployments[objectKey{domainID, deploymentName(id, role)}]
	if d == nil {
		return deployment{}, fmt.Errorf("deployment of serving %q in %s: %w", id, domainID, ErrUnknown)
	}
	return *d, nil
}

// DeployedImage is the container image that the Deployment of a party runs or
// rolls out.
func (s *ServingStore) DeployedImage(id, domainID, role string) (string, error) {
	d, err := s.Deployment(id, domainID, role)
	return d.template.image, err
}

// PodsRun returns nil if every party of a serving runs what is stored: as many
// pods as wanted, all of them ready, of the stored image, configuration and
// resources, and no others. It looks at the pods themselves and not at a status.
func (s *ServingStore) PodsRun(id string) error {
	w := servingsOf(s.server.World)
	defer w.Enter()()
	sv := w.byID[id]
	if sv == nil {
		return fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	kits, err := w.buildKits(sv)
	if err != nil {
		return fmt.Errorf("serving %q: %w", id, err)
	}
	for _, k := range kits {
		d := w.cluster.deployments[k.key]
		if d == nil {
			return fmt.Errorf("serving %q has no Deployment in %s", id, k.key.namespace)
		}
		if wanted, changed := desired(sv, d, k); changed && (wanted.replicas != d.replicas || wanted.template.hash != d.template.hash) {
			return fmt.Errorf("the Deployment of serving %q in %s is not as stored", id, k.key.namespace)
		}
		for _, set := range d.sets {
			if len(set.pods) > 0 && set.template.hash != d.template.hash {
				return fmt.Errorf("serving %q has %d old pods in %s", id, len(set.pods), k.key.namespace)
			}
		}
		if current := d.currentSet(); current == nil || int32(len(current.pods)) != d.replicas || current.available() != d.replicas {
			return fmt.Errorf("serving %q has not %d ready pods in %s", id, d.replicas, k.key.namespace)
		}
	}
	return nil
}
