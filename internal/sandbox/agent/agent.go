// Package agent is Kuscia's agent, as far as it starts containers: it gives them their
// environment and their config files, and SecretFlow-Serving answers as package secretflow says.
// Other applications run.
//
// Kuscia's part was read in its source; nothing of it was recorded.
package agent

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
)

// Store has what the agents of domains read.
type Store interface {
	// ConfigMap returns nil for one that does not exist.
	ConfigMap(namespace, name string) (*objects.ConfigMap, error)
	// ConfigEntry is a value of the configuration of a domain, "" for one that is missing. known
	// is false if it is stored elsewhere.
	ConfigEntry(domain, key string) (value string, known bool)
}

// Agent implements workload.Starter for the nodes of all domains.
type Agent struct {
	Store
	// Version is the version of Kuscia; an unknown one does what the newest does.
	Version versions.Version
}

// Start implements workload.Starter: it reads what the container needs, and decides.
func (a Agent) Start(namespace string, pod *objects.PodTemplate, index int) workload.Outcome {
	c := container{
		pod: pod, index: index, version: a.Version,
		entry: func(key string) (string, bool) { return a.ConfigEntry(namespace, key) },
	}
	volume := pod.Meta.Annotations[objects.AnnotationTemplates]
	if at := slices.IndexFunc(pod.Spec.Volumes, func(v objects.Volume) bool { return v.Name == volume && v.ConfigMap != nil }); at >= 0 {
		found, err := a.ConfigMap(namespace, pod.Spec.Volumes[at].ConfigMap.Name)
		if found == nil || err != nil { // the volume cannot be mounted
			return workload.Outcome{Waiting: &workload.Waiting{Reason: workload.ContainerCreating}}
		}
		c.templates = found.Data
	}
	for _, from := range c.spec().EnvFrom {
		if from.ConfigMapRef == nil {
			continue // there are no Secrets here
		}
		if found, err := a.ConfigMap(namespace, from.ConfigMapRef.Name); err == nil && found != nil {
			c.from = append(c.from, source{from.Prefix, found.Data})
		}
	}
	return c.start()
}
