package serving

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kusciadeployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Domain implements kusciadeployment.Store. A partner's control plane, which makes the
// objects of its domain, is simulated here too.
func (m *memory) Domain(name string) (*objects.Domain, error) {
	d := server.TableOf[objects.Domain](m.servings.ControlPlane).Get("", name)
	if d == nil {
		return nil, nil
	}
	return &objects.Domain{Meta: objects.Meta{Name: name}}, nil
}

// HasNamespace implements kusciadeployment.Store.
func (m *memory) HasNamespace(name string) (bool, error) {
	return m.servings.domains.HasNamespace(name), nil
}

// AppImage implements kusciadeployment.Store.
func (m *memory) AppImage(name string) (*objects.AppImage, error) {
	image, err := m.servings.images.Get(name)
	if image == nil || err != nil {
		return nil, err
	}
	return image.Object, nil
}

// ConfigEntry implements agent.Store.
func (m *memory) ConfigEntry(domain, key string) (value string, known bool) {
	return m.servings.domains.ConfigEntry(domain, key)
}

// Waiting implements kusciadeployment.Store.
func (m *memory) Waiting(d *objects.Deployment) (pods int, reason, message string, err error) {
	simulated := m.Simulated(cluster.KeyOf(d.Meta))
	reason, message = simulated.Workload.Waiting()
	return simulated.Workload.PodCount(), reason, message, nil
}

// TakePorts implements kusciadeployment.Store.
func (m *memory) TakePorts(domain string, n int) int32 {
	return m.ports.Take(domain, int32(n), m.Rand.Int32N)
}

// apply simulates the time to write Services and Deployments: the pass ends at its
// first write and is repeated when that time is over.
func (m *memory) apply() error {
	r, now := m.running, m.Now()
	if r.applyAt.IsZero() {
		r.applyAt = now.Add(m.servings.Timing.Apply)
	}
	if r.applyAt.After(now) {
		return kusciadeployment.ErrLater
	}
	return nil
}

// CreateService implements kusciadeployment.Store.
func (m *memory) CreateService(s *objects.Service) error {
	if err := m.apply(); err != nil {
		return err
	}
	return m.Cluster.CreateService(s)
}

// CreateConfigMap implements kusciadeployment.Store.
func (m *memory) CreateConfigMap(c *objects.ConfigMap) error {
	if err := m.apply(); err != nil {
		return err
	}
	return m.Cluster.CreateConfigMap(c)
}

// CreateDeployment implements kusciadeployment.Store.
func (m *memory) CreateDeployment(d *objects.Deployment) error {
	if err := m.apply(); err != nil {
		return err
	}
	return m.Cluster.CreateDeployment(d)
}

// UpdateDeployment implements kusciadeployment.Store.
func (m *memory) UpdateDeployment(before, after *objects.Deployment) error {
	if err := m.apply(); err != nil {
		return err
	}
	return m.Cluster.UpdateDeployment(before, after)
}

// Update implements kusciadeployment.Store: the change is reconciled in its turn.
func (m *memory) Update(kd *objects.KusciaDeployment) error { return m.servings.table.Update(kd) }

// UpdateStatus implements kusciadeployment.Store.
func (m *memory) UpdateStatus(kd *objects.KusciaDeployment) error {
	return m.servings.table.UpdateStatus(kd)
}
