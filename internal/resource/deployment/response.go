package deployment

import (
	"bytes"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// treeOf returns an object as a tree, without the attributes that the
// cluster does not store. It never fails: it shows any content of the cluster, even
// if a configuration must not have it. Parties of a known value keep their keys. It
// returns the labels that the known value has, or all labels if there is no known
// value, as after an import.
func treeOf(kd *kube.KusciaDeployment, known definition.Value) definition.Tree {
	identities, parties := make([]party.Key, len(kd.Spec.Parties)), definition.Tree{}
	for i, p := range kd.Spec.Parties {
		identities[i] = party.Key{DomainID: p.DomainID, Role: p.Role}
	}
	for i, key := range party.MapKeys(identities, mapKeys(known)) {
		parties[key] = partyTree(kd.Spec.Parties[i])
	}
	return definition.Tree{
		attrName: kd.Metadata.Name, attrInitiator: kd.Spec.Initiator, attrInputConfig: kd.Spec.InputConfig,
		attrAffinityMode: affinityMode(kd), attrLabels: labelsOf(kd, known), attrParties: parties,
	}
}

// decoded decodes an object.
func decoded(object *unstructured.Unstructured) (*kube.KusciaDeployment, error) {
	kd := &kube.KusciaDeployment{}
	return kd, kube.Decode(object, kd)
}

// labelsOf returns the labels that the provider manages. Only an import knows no initiator.
func labelsOf(kd *kube.KusciaDeployment, known definition.Value) map[string]string {
	fields := definition.FieldsOf(known)
	before, ok := fields[attrLabels]
	if !ok || !before.IsKnown() || before.IsNull() && fields[attrInitiator].IsNull() {
		return maps.Clone(kd.Metadata.Labels)
	}
	labels := map[string]string{}
	for name := range definition.FieldsOf(before) {
		if value, has := kd.Metadata.Labels[name]; has {
			labels[name] = value
		}
	}
	return labels
}

// affinityMode returns the mode of the affinity of the parties, which is what
// Kuscia applies. If they have none, it returns that of the annotation.
func affinityMode(kd *kube.KusciaDeployment) string {
	for _, party := range kd.Spec.Parties {
		if a := party.Template.Spec.Affinity; a != nil {
			switch {
			case len(bytes.TrimSpace(a.PodAffinity)) > 0 && len(a.PodAntiAffinity) == 0:
				return affinityPod
			case len(a.PodAntiAffinity) > 0:
				return affinityAnti
			}
		}
	}
	if kd.Metadata.Annotations[kube.AnnotationAffinityMode] == affinityNone {
		return affinityNone
	}
	return affinityAnti
}

func partyTree(p kube.KusciaDeploymentParty) definition.Tree {
	names, containers := make([]string, len(p.Template.Spec.Containers)), definition.Tree{}
	for i, c := range p.Template.Spec.Containers {
		names[i] = c.Name
	}
	for i, name := range party.UniqueKeys(names) {
		resources := p.Template.Spec.Containers[i].Resources
		containers[name] = definition.Tree{attrRequests: plain(resources.Requests), attrLimits: plain(resources.Limits)}
	}
	tree := definition.Tree{
		attrDomainID: p.DomainID, attrRole: p.Role, attrAppImage: p.AppImageRef, attrPrefix: p.ServiceNamePrefix, attrContainers: containers,
	}
	if p.Template.Replicas != nil {
		tree[attrReplicas] = *p.Template.Replicas
	}
	if s := p.Template.Strategy; s != nil {
		tree[attrStrategy] = strategyTree(s)
	}
	return tree
}

func strategyTree(s *kube.Strategy) definition.Tree {
	tree := definition.Tree{"type": s.Type}
	if s.Type == "" {
		tree["type"] = rollingUpdate
	}
	if r := s.RollingUpdate; r != nil {
		if r.MaxSurge != nil {
			tree[attrMaxSurge] = tfvalue.CanonicalCountOrPercent(string(*r.MaxSurge))
		}
		if r.MaxUnavailable != nil {
			tree[attrMaxUnavailable] = tfvalue.CanonicalCountOrPercent(string(*r.MaxUnavailable))
		}
	}
	return tree
}

func plain(values map[string]kube.IntOrString) map[string]string {
	out := make(map[string]string, len(values))
	for name, value := range values {
		out[name] = string(value)
	}
	return out
}
