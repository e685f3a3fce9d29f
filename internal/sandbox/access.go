package sandbox

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// ErrUnknown is returned by the direct access functions for an id or name that
// does not exist.
var ErrUnknown = errors.New("unknown to the sandbox")

// PutServing creates a serving as the API does, without a request.
func (s *Sandbox) PutServing(request kuscia.CreateServingRequest) error {
	return s.createServing(caller{}, &request).err()
}

// PutAppImage creates an app image, or replaces one of the same name.
func (s *Sandbox) PutAppImage(image kuscia.AppImage) error {
	func() {
		defer s.world.enter()()
		delete(s.world.appImages, image.Name)
	}()
	request := CreateAppImageRequest(image)
	return s.createAppImage(caller{}, &request).err()
}

func (a answer) err() error {
	if a.code == codeSuccess {
		return nil
	}
	return fmt.Errorf("code %d: %s", a.code, a.message)
}

// ServingExists reports whether there is a serving of this id.
func (s *Sandbox) ServingExists(id string) bool {
	defer s.world.enter()()
	return s.world.servings[id] != nil
}

// ServingIDs lists the ids of all servings, sorted.
func (s *Sandbox) ServingIDs() []string {
	defer s.world.enter()()
	return slices.Sorted(maps.Keys(s.world.servings))
}

// Serving is a copy of what is stored of a serving.
func (s *Sandbox) Serving(id string) (ServingSpec, error) {
	defer s.world.enter()()
	sv := s.world.servings[id]
	if sv == nil {
		return ServingSpec{}, fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	return sv.spec.clone(), nil
}

// ServingGeneration counts the changes of a serving's specification, from 1.
func (s *Sandbox) ServingGeneration(id string) (int64, error) {
	defer s.world.enter()()
	sv := s.world.servings[id]
	if sv == nil {
		return 0, fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	return sv.generation, nil
}

// MutateServing changes what is stored, as somebody with access to the store
// could: also what the API has no way to change. The controller takes notice.
func (s *Sandbox) MutateServing(id string, change func(*ServingSpec)) error {
	defer s.world.enter()()
	sv := s.world.servings[id]
	if sv == nil {
		return fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	spec := sv.spec.clone()
	change(&spec)
	s.world.leaveAlone(sv, caller{})
	s.world.storeSpec(sv, spec)
	return nil
}

// RemoveServing deletes a serving behind everybody's back.
func (s *Sandbox) RemoveServing(id string) error {
	return s.deleteServing(caller{}, &DeleteServingRequest{ServingID: id}).err()
}

// AppImageNames lists the names of all app images, sorted.
func (s *Sandbox) AppImageNames() []string {
	defer s.world.enter()()
	return slices.Sorted(maps.Keys(s.world.appImages))
}

// AppImage is what is stored of an app image.
func (s *Sandbox) AppImage(name string) (kuscia.AppImage, error) {
	defer s.world.enter()()
	image := s.world.appImages[name]
	if image == nil {
		return kuscia.AppImage{}, fmt.Errorf("app image %q: %w", name, ErrUnknown)
	}
	return image.AppImage, nil
}

// RemoveAppImage deletes an app image behind everybody's back.
func (s *Sandbox) RemoveAppImage(name string) error {
	return s.deleteAppImage(caller{}, &DeleteAppImageRequest{Name: name}).err()
}

// HoldRollout pauses the Deployments of a serving, as a rollout controller
// does, or lets them go on. While paused, changes reach no pods and the state
// stays Available.
func (s *Sandbox) HoldRollout(id string, hold bool) error {
	w := s.world
	defer w.enter()()
	if w.servings[id] == nil {
		return fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	for _, key := range w.ownedBy(id).deployments {
		if d := w.deployments[key]; d != nil {
			d.paused = hold
			w.schedule(d, w.timing.Step)
		}
	}
	return nil
}

// DeployedImage is the container image that the Deployment of a party runs or
// rolls out.
func (s *Sandbox) DeployedImage(id, domainID, role string) (string, error) {
	defer s.world.enter()()
	d := s.world.deployments[objectKey{domainID, deploymentName(id, role)}]
	if d == nil {
		return "", fmt.Errorf("deployment of serving %q in %s: %w", id, domainID, ErrUnknown)
	}
	return d.template.image, nil
}

// Advance moves the sandbox's clock ahead: what is due by then happens.
func (s *Sandbox) Advance(d time.Duration) {
	s.world.clock.advance(d)
	s.world.enter()()
}

// PodsRun returns nil if every party of a serving runs what is stored: as many
// pods as wanted, all of them ready, of the stored image, configuration and
// resources, and no others. It looks at the pods themselves and not at a status.
func (s *Sandbox) PodsRun(id string) error {
	w := s.world
	defer w.enter()()
	sv := w.servings[id]
	if sv == nil {
		return fmt.Errorf("serving %q: %w", id, ErrUnknown)
	}
	kits, err := w.buildKits(sv)
	if err != nil {
		return fmt.Errorf("serving %q: %w", id, err)
	}
	for _, k := range kits {
		d := w.deployments[k.key]
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
