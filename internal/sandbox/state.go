package sandbox

import (
	"encoding/json"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// The saved form of the world. What is under way when it is saved starts again
// when it is restored.
type (
	savedWorld struct {
		Objects map[string]json.RawMessage `json:"objects"`
		// Earlier are the domains in files that were written before objects.
		Earlier     []earlierDomain   `json:"domains,omitempty"`
		AppImages   []savedAppImage   `json:"app_images"`
		Servings    []savedServing    `json:"servings"`
		Deployments []savedDeployment `json:"deployments"`
		Services    []savedService    `json:"services"`
	}
	savedAppImage struct {
		Image   kuscia.AppImage `json:"image"`
		Created time.Time       `json:"created"`
	}
	savedServing struct {
		ID         string       `json:"id"`
		Created    time.Time    `json:"created"`
		Generation int64        `json:"generation"`
		Spec       ServingSpec  `json:"spec"`
		Ports      []savedPorts `json:"ports"`
	}
	savedPorts struct {
		DomainID string           `json:"domain_id"`
		Role     string           `json:"role"`
		Numbers  map[string]int32 `json:"numbers"`
	}
	savedDeployment struct {
		Namespace   string                `json:"namespace"`
		Name        string                `json:"name"`
		Serving     string                `json:"serving"`
		Created     time.Time             `json:"created"`
		Replicas    int32                 `json:"replicas"`
		Strategy    kuscia.UpdateStrategy `json:"strategy"`
		Image       string                `json:"image"`
		InputConfig string                `json:"input_config"`
		Containers  []kuscia.Resource     `json:"containers"`
		Paused      bool                  `json:"paused"`
	}
	savedService struct {
		Namespace  string               `json:"namespace"`
		Name       string               `json:"name"`
		Deployment string               `json:"deployment"`
		Serving    string               `json:"serving"`
		Port       kuscia.ContainerPort `json:"port"`
		Number     int32                `json:"number"`
	}
)

// changes grows with everything that happens in the world.
func (w *world) changes() uint64 {
	defer w.enter()()
	return w.seq + w.uids
}

func (w *world) save() (savedWorld, error) {
	defer w.enter()()
	var saved savedWorld
	var err error
	if saved.Objects, err = w.saveObjects(); err != nil {
		return saved, err
	}
	for _, image := range w.appImages {
		saved.AppImages = append(saved.AppImages, savedAppImage{image.AppImage, image.created})
	}
	for _, sv := range w.servings {
		one := savedServing{ID: sv.id, Created: sv.created, Generation: sv.generation, Spec: sv.spec}
		for key, numbers := range sv.ports {
			one.Ports = append(one.Ports, savedPorts{key.domainID, key.role, numbers})
		}
		saved.Servings = append(saved.Servings, one)
	}
	for _, d := range w.deployments {
		saved.Deployments = append(saved.Deployments, savedDeployment{
			d.key.namespace, d.key.name, d.serving, d.created, d.replicas, d.strategy,
			d.template.image, d.template.inputConfig, d.template.containers, d.paused,
		})
	}
	for _, svc := range w.services {
		saved.Services = append(saved.Services, savedService{
			svc.key.namespace, svc.key.name, svc.owner.name, svc.serving, svc.port, svc.number,
		})
	}
	return saved, nil
}

// restore replaces the world by a saved one and lets the controller look at
// every serving. Deployments come back with all their pods running.
func (w *world) restore(saved savedWorld) error {
	defer w.enter()()
	if err := w.restoreObjects(saved.Objects); err != nil {
		return err
	}
	w.restoreEarlier(saved.Earlier)
	for _, image := range saved.AppImages {
		w.appImages[image.Image.Name] = &appImage{AppImage: image.Image, uid: w.nextUID(), created: image.Created}
	}
	for _, svc := range saved.Services {
		w.addService(&service{
			key: objectKey{svc.Namespace, svc.Name}, owner: objectKey{svc.Namespace, svc.Deployment},
			serving: svc.Serving, port: svc.Port, number: svc.Number,
		})
	}
	for _, d := range saved.Deployments {
		w.restoreDeployment(d)
	}
	for _, one := range saved.Servings {
		w.restoreServing(one)
	}
	for id := range w.owned {
		if w.servings[id] == nil {
			w.after(w.timing.Cleanup, func() { w.cleanUp(id) })
		}
	}
	return nil
}

func (w *world) restoreServing(saved savedServing) {
	sv := &serving{id: saved.ID, created: saved.Created, generation: saved.Generation, spec: saved.Spec}
	for _, ports := range saved.Ports {
		if sv.ports == nil {
			sv.ports = map[partyKey]map[string]int32{}
		}
		sv.ports[partyKey{ports.DomainID, ports.Role}] = ports.Numbers
	}
	w.servings[sv.id] = sv
	w.touch(sv)
	w.wake(sv, 0)
}

func (w *world) restoreDeployment(saved savedDeployment) {
	d := &deployment{
		key: objectKey{saved.Namespace, saved.Name}, serving: saved.Serving, created: saved.Created,
		replicas: saved.Replicas, strategy: saved.Strategy, paused: saved.Paused,
		template: newPodTemplate(saved.Image, saved.InputConfig, saved.Containers),
	}
	set := d.makeCurrent()
	set.wanted = d.replicas
	for range d.replicas {
		if d.template.neverStarts() {
			w.startPod(d, set)
		} else {
			set.pods = append(set.pods, &pod{ready: true})
		}
	}
	d.shown = d.status()
	w.deployments[d.key] = d
	owned := w.ownedBy(d.serving)
	owned.deployments = append(owned.deployments, d.key)
}
