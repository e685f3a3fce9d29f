package serving

import (
	"errors"
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kusciadeployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Store has the methods by which tests and demos access servings without the
// API.
type Store struct{ server *server.Node }

// NewStore returns access to the servings of a node.
func NewStore(s *server.Node) *Store { return &Store{server: s} }

// UseAPI makes an API server have the objects from now on, as that of a real Kuscia: its
// controllers run the servings. There must be no servings yet; what there is else is written
// to it.
func (s *Store) UseAPI(api objects.API) error {
	defer s.server.ControlPlane.Acquire()()
	if len(Of(s.server.ControlPlane).memory.passes) > 0 {
		return errors.New("there are servings in memory")
	}
	return s.server.ControlPlane.UseAPI(api)
}

// PutServing creates a serving as the API does, without a request.
func (s *Store) PutServing(request kuscia.CreateServingRequest) error {
	defer s.server.ControlPlane.Acquire()()
	return createServing(Of(s.server.ControlPlane), s.server, server.Caller{}, &request).Err()
}

// kusciaDeployment is that of a serving. It is called with the lock held.
func (s *Store) kusciaDeployment(id string) (*objects.KusciaDeployment, error) {
	if kd := Of(s.server.ControlPlane).get(id); kd != nil {
		return kd, nil
	}
	return nil, fmt.Errorf("serving %q: %w", id, server.ErrUnknown)
}

// ServingExists reports whether there is a serving of this id.
func (s *Store) ServingExists(id string) bool {
	defer s.server.ControlPlane.Acquire()()
	_, err := s.kusciaDeployment(id)
	return err == nil
}

// ServingIDs lists the ids of all servings, sorted.
func (s *Store) ServingIDs() []string {
	defer s.server.ControlPlane.Acquire()()
	var ids []string
	servings := Of(s.server.ControlPlane)
	for _, kd := range servings.table.List(servings.namespace()) {
		ids = append(ids, kd.Name)
	}
	return ids
}

// Serving is a copy of a stored serving.
func (s *Store) Serving(id string) (Spec, error) {
	defer s.server.ControlPlane.Acquire()()
	kd, err := s.kusciaDeployment(id)
	if err != nil {
		return Spec{}, err
	}
	return specOf(kd), nil
}

// KusciaDeployment is that of a serving, with its status even while the API returns none.
func (s *Store) KusciaDeployment(id string) (*objects.KusciaDeployment, error) {
	defer s.server.ControlPlane.Acquire()()
	return s.kusciaDeployment(id)
}

// MutateServing changes a stored serving like a client with access to the
// store, including fields that the API cannot change. The controller is
// notified.
func (s *Store) MutateServing(id string, change func(*Spec)) error {
	defer s.server.ControlPlane.Acquire()()
	kd, err := s.kusciaDeployment(id)
	if err != nil {
		return err
	}
	spec := specOf(kd)
	change(&spec)
	spec.into(kd)
	w := Of(s.server.ControlPlane)
	w.memory.lag(id, server.Caller{})
	return w.table.Update(kd)
}

// RemoveServing deletes a serving without the API.
func (s *Store) RemoveServing(id string) error {
	defer s.server.ControlPlane.Acquire()()
	return deleteServing(Of(s.server.ControlPlane), s.server, server.Caller{}, &DeleteServingRequest{ServingID: id}).Err()
}

// PauseRollout pauses the Deployments of a serving in memory, as a rollout controller
// does, or resumes them. While paused, changes do not reach the pods and the
// state stays Available.
func (s *Store) PauseRollout(id string, hold bool) error {
	defer s.server.ControlPlane.Acquire()()
	if _, err := s.kusciaDeployment(id); err != nil {
		return err
	}
	m := Of(s.server.ControlPlane).memory
	for _, d := range m.DeploymentsOf(id) {
		m.Pause(d, hold)
	}
	return nil
}

// Deployment is the Deployment of a party.
func (s *Store) Deployment(id, domainID, role string) (objects.Deployment, error) {
	defer s.server.ControlPlane.Acquire()()
	d := Of(s.server.ControlPlane).deployment(domainID, kusciadeployment.DeploymentName(id, role))
	if d == nil {
		return objects.Deployment{}, fmt.Errorf("deployment of serving %q in %s: %w", id, domainID, server.ErrUnknown)
	}
	return *d, nil
}

// DeployedImage is the image of the first container of a party's Deployment.
func (s *Store) DeployedImage(id, domainID, role string) (string, error) {
	d, err := s.Deployment(id, domainID, role)
	if err != nil {
		return "", err
	}
	return d.Spec.Template.Spec.Containers[0].Image, nil
}

// PodNames are the names of the pods of a party in memory, sorted.
func (s *Store) PodNames(id, domainID, role string) (names []string, err error) {
	defer s.server.ControlPlane.Acquire()()
	d := Of(s.server.ControlPlane).memory.Simulated(cluster.Key{Namespace: domainID, Name: kusciadeployment.DeploymentName(id, role)})
	if d == nil {
		return nil, fmt.Errorf("deployment of serving %q in %s: %w", id, domainID, server.ErrUnknown)
	}
	for _, set := range d.Workload.Sets {
		for _, pod := range set.Pods {
			names = append(names, pod.Name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// PodsRun returns nil if every party of a serving in memory runs as stored: the desired
// number of pods, all ready, with the stored image, configuration and
// resources, and no others. It checks the pods themselves, not a status.
func (s *Store) PodsRun(id string) error {
	defer s.server.ControlPlane.Acquire()()
	kd, err := s.kusciaDeployment(id)
	if err != nil {
		return err
	}
	m := Of(s.server.ControlPlane).memory
	outdated, err := m.controller.Outdated(kd)
	if err != nil {
		return fmt.Errorf("serving %q: %w", id, err)
	}
	if outdated {
		return fmt.Errorf("a Deployment of serving %q is not as stored", id)
	}
	for _, party := range kd.Spec.Parties {
		d := m.Simulated(cluster.Key{Namespace: party.DomainID, Name: kusciadeployment.DeploymentName(id, party.Role)})
		for _, set := range d.Workload.Sets {
			if len(set.Pods) > 0 && set.Template.Hash != d.Hash() {
				return fmt.Errorf("serving %q has %d old pods in %s", id, len(set.Pods), party.DomainID)
			}
		}
		replicas := int(d.Spec.Pods())
		if current := d.Workload.Current(); current == nil || len(current.Pods) != replicas || current.Ready() != replicas {
			return fmt.Errorf("serving %q has not %d ready pods in %s", id, replicas, party.DomainID)
		}
	}
	return nil
}
