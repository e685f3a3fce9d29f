package serving

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kusciadeployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Spec is what Kuscia stores of a serving, in the form of the KusciaAPI.
type Spec struct {
	Initiator    string
	InputConfig  string
	AffinityMode string
	Parties      []PartySpec
}

// PartySpec is what Kuscia stores of a party.
type PartySpec struct {
	DomainID          string
	Role              string
	AppImage          string
	ServiceNamePrefix string
	Replicas          *int32
	Strategy          kuscia.UpdateStrategy
	// Containers are the stored resources by container, with canonical
	// quantities; empty if resources were never set.
	Containers []kuscia.Resource
}

// specOf is the serving of a KusciaDeployment.
func specOf(kd *objects.KusciaDeployment) Spec {
	spec := Spec{
		Initiator: kd.Spec.Initiator, InputConfig: kd.Spec.InputConfig,
		AffinityMode: kd.Meta.Annotations[kusciadeployment.AnnotationAffinityMode], Parties: make([]PartySpec, len(kd.Spec.Parties)),
	}
	for i, party := range kd.Spec.Parties {
		spec.Parties[i] = PartySpec{
			DomainID: party.DomainID, Role: party.Role, AppImage: party.AppImageRef, ServiceNamePrefix: party.ServiceNamePrefix,
			Strategy: strategyOf(party.Template.Strategy),
		}
		if party.Template.Replicas != nil {
			spec.Parties[i].Replicas = new(*party.Template.Replicas)
		}
		for _, c := range party.Template.Spec.Containers {
			spec.Parties[i].Containers = append(spec.Parties[i].Containers, entryOf(c.Name, c.Resources))
		}
	}
	return spec
}

// newKusciaDeployment is the object that the KusciaAPI creates for a serving.
func newKusciaDeployment(namespace, id string, spec Spec) *objects.KusciaDeployment {
	kd := &objects.KusciaDeployment{Meta: objects.Meta{
		Namespace: namespace, Name: id, Labels: map[string]string{objects.LabelAppType: "serving"},
		Annotations: map[string]string{kusciadeployment.AnnotationAffinityMode: spec.AffinityMode},
	}}
	spec.into(kd)
	return kd
}

// into writes the serving to a KusciaDeployment, and keeps what the KusciaAPI does not
// know of.
func (s Spec) into(kd *objects.KusciaDeployment) {
	before := kd.Spec.Parties
	kd.Spec.Initiator, kd.Spec.InputConfig, kd.Spec.Parties = s.Initiator, s.InputConfig, make([]objects.Party, len(s.Parties))
	for i, p := range s.Parties {
		party := &kd.Spec.Parties[i]
		if i < len(before) && before[i].DomainID == p.DomainID && before[i].Role == p.Role {
			*party = before[i]
		} else {
			party.DomainID, party.Role = p.DomainID, p.Role
			party.Template.Spec.Affinity = affinity(s.AffinityMode, kd.Meta.Name)
		}
		party.AppImageRef, party.ServiceNamePrefix = p.AppImage, p.ServiceNamePrefix
		party.Template.Replicas, party.Template.Strategy = p.Replicas, strategyObject(p.Strategy)
		containers := slices.Clone(party.Template.Spec.Containers)
		for _, entry := range p.Containers {
			i := slices.IndexFunc(containers, func(c objects.Container) bool { return c.Name == entry.ContainerName })
			if i < 0 {
				i = len(containers)
				containers = append(containers, objects.Container{Name: entry.ContainerName})
			}
			containers[i].Resources = resourcesObject(containers[i].Resources, entry)
		}
		party.Template.Spec.Containers = containers
	}
}

// affinity is what the KusciaAPI stores for a mode: pods prefer nodes that have pods of
// the serving, or others, also for an unknown mode.
func affinity(mode, id string) *objects.Affinity {
	pods := &objects.PodAffinity{Preferred: []objects.WeightedAffinityTerm{{
		Weight: 100, PodAffinityTerm: objects.AffinityTerm{
			TopologyKey:   "kubernetes.io/hostname",
			LabelSelector: &objects.LabelSelector{MatchLabels: map[string]string{objects.LabelName: id}},
		},
	}}}
	switch mode {
	case kuscia.AffinityNone:
		return nil
	case kuscia.Affinity:
		return &objects.Affinity{PodAffinity: pods}
	default:
		return &objects.Affinity{PodAntiAffinity: pods}
	}
}

func strategyOf(s *objects.Strategy) kuscia.UpdateStrategy {
	if s == nil {
		return kuscia.UpdateStrategy{}
	}
	strategy := kuscia.UpdateStrategy{Type: s.Type}
	if bounds := s.RollingUpdate; bounds != nil && bounds.MaxSurge != nil {
		strategy.MaxSurge = bounds.MaxSurge.String()
	}
	if bounds := s.RollingUpdate; bounds != nil && bounds.MaxUnavailable != nil {
		strategy.MaxUnavailable = bounds.MaxUnavailable.String()
	}
	return strategy
}

func strategyObject(s kuscia.UpdateStrategy) *objects.Strategy {
	switch s.Type {
	case "":
		return nil
	case kuscia.StrategyRecreate:
		return &objects.Strategy{Type: s.Type}
	}
	surge, unavailable := intstr.Parse(s.MaxSurge), intstr.Parse(s.MaxUnavailable)
	return &objects.Strategy{Type: s.Type, RollingUpdate: &objects.Bounds{MaxSurge: &surge, MaxUnavailable: &unavailable}}
}

// entryOf are the resources of a container in the form of the KusciaAPI.
func entryOf(name string, r objects.Resources) kuscia.Resource {
	entry := kuscia.Resource{ContainerName: name}
	for _, field := range resourceFields {
		if amount, ok := r.Requests[field.resource]; ok && !field.isLimit {
			*field.of(&entry) = amount.String()
		}
		if amount, ok := r.Limits[field.resource]; ok && field.isLimit {
			*field.of(&entry) = amount.String()
		}
	}
	return entry
}

// resourcesObject sets the resources that an entry has; others are kept.
func resourcesObject(r objects.Resources, entry kuscia.Resource) objects.Resources {
	made := objects.Resources{Limits: maps.Clone(r.Limits), Requests: maps.Clone(r.Requests)}
	for _, field := range resourceFields {
		side := &made.Requests
		if field.isLimit {
			side = &made.Limits
		}
		amount, err := resource.ParseQuantity(*field.of(&entry))
		if err != nil { // none
			delete(*side, field.resource)
			continue
		}
		if *side == nil {
			*side = map[string]resource.Quantity{}
		}
		(*side)[field.resource] = amount
	}
	return made
}
