package deployment

import (
	"bytes"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// fromResponse returns an object as a value, without the attributes that the
// cluster does not store, in the order of a known value. It never fails: it
// shows any content of the cluster, even if a configuration must not have it.
// It returns the labels that the known value has, or all labels if there is no
// known value, as after an import.
func fromResponse(kd *kube.KusciaDeployment, known definition.Value) definition.Value {
	return inOrderOf(deployment.FromServer(treeOf(kd, known)), known)
}

func treeOf(kd *kube.KusciaDeployment, known definition.Value) definition.Tree {
	return definition.Tree{
		attrID: kd.Metadata.Name, attrName: kd.Metadata.Name, attrInitiator: kd.Spec.Initiator, attrInputConfig: kd.Spec.InputConfig,
		attrAffinityMode: affinityMode(kd), attrLabels: labelsOf(kd, known), attrParties: definition.Each(kd.Spec.Parties, partyTree),
	}
}

// decoded decodes an object.
func decoded(object *unstructured.Unstructured) (*kube.KusciaDeployment, error) {
	kd := &kube.KusciaDeployment{}
	return kd, kube.Decode(object, kd) //nolint:wrapcheck // the error names the invalid field
}

// refreshed returns the state after a read.
func refreshed(kd *kube.KusciaDeployment, prior definition.Value) definition.Value {
	return deployment.KeepRollout(deployment.Refreshed(fromResponse(kd, prior), prior), prior)
}

// labelsOf returns the labels that the provider manages.
func labelsOf(kd *kube.KusciaDeployment, known definition.Value) map[string]string {
	before, ok := definition.FieldsOf(known)[attrLabels]
	if !ok || before.IsNull() || !before.IsKnown() {
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
	tree := definition.Tree{
		attrDomainID: p.DomainID, attrRole: p.Role, attrAppImage: p.AppImageRef, attrPrefix: p.ServiceNamePrefix,
		attrContainers: definition.Each(p.Template.Spec.Containers, func(c kube.PartyContainer) definition.Tree {
			return definition.Tree{attrName: c.Name, attrRequests: plain(c.Resources.Requests), attrLimits: plain(c.Resources.Limits)}
		}),
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
			tree[attrMaxSurge] = string(*r.MaxSurge)
		}
		if r.MaxUnavailable != nil {
			tree[attrMaxUnavailable] = string(*r.MaxUnavailable)
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
