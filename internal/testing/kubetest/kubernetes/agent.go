package kubernetes

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

// agentStore implements agent.Store: it reads from the caches.
type agentStore struct{ objects *controller.Objects }

var storedConfigMaps = controller.Kind[objects.ConfigMap]{Resource: ConfigMaps.Resource, Kind: "ConfigMap"}

// ConfigMap implements agent.Store.
func (s agentStore) ConfigMap(namespace, name string) (*objects.ConfigMap, error) {
	return storedConfigMaps.Cached(s.objects, namespace, name)
}

// ConfigEntry implements agent.Store.
func (s agentStore) ConfigEntry(domain, key string) (value string, known bool) {
	found, err := s.ConfigMap(domain, objects.DomainConfig)
	if found == nil || err != nil {
		return "", err == nil
	}
	return objects.ConfigEntry(domain, found.Data, key), true
}
