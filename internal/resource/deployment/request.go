package deployment

import (
	"cmp"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// toObject builds the object to send from a planned deployment with its
// write-only strings. live is the current object, nil for a create. Fields of
// existing parties that the provider does not know are copied from it, since
// Kubernetes replaces the list of parties as a whole. It has the canonical form: Kuscia's
// controller would rewrite any other, and would become the field manager of all parties.
func toObject(root definition.Reader, live *unstructured.Unstructured) *unstructured.Unstructured {
	name, mode := root.String(attrName), cmp.Or(root.String(attrAffinityMode), affinityAnti)
	metadata := map[string]any{"name": name, "namespace": kube.CrossDomain}
	if labels := root.StringMap(attrLabels); len(labels) > 0 {
		metadata["labels"] = texts(labels)
	}
	if mode != affinityAnti {
		metadata["annotations"] = map[string]any{kube.AnnotationAffinityMode: mode}
	}
	var parties []any
	for _, party := range root.ObjectMap(attrParties) {
		parties = append(parties, partyObject(party, name, mode, partyOf(live, party.String(attrDomainID), party.String(attrRole))))
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"metadata": metadata,
		"spec":     map[string]any{"initiator": root.String(attrInitiator), "inputConfig": inputConfig(root, live), "parties": parties},
	}}
}

// inputConfig returns the text to send: that of the current object if it means the same, since the
// pods have it in their environment, where another spelling would replace them.
func inputConfig(root definition.Reader, live *unstructured.Unstructured) string {
	text := root.String(attrInputConfig)
	if live == nil {
		return text
	}
	if current, _, _ := unstructured.NestedString(live.Object, "spec", "inputConfig"); definition.JSON(current, text) {
		return current
	}
	return text
}

func texts[T ~string](values map[string]T) map[string]any {
	out := make(map[string]any, len(values))
	for key, value := range values {
		out[key] = string(value)
	}
	return out
}

// partyOf returns the current party of an object, nil if there is none.
func partyOf(live *unstructured.Unstructured, domainID, role string) map[string]any {
	if live == nil {
		return nil
	}
	parties, _, _ := unstructured.NestedSlice(live.Object, "spec", "parties")
	for _, entry := range parties {
		party, _ := entry.(map[string]any)
		if hasRole, _ := party["role"].(string); party["domainID"] == domainID && hasRole == role {
			return party
		}
	}
	return nil
}

// partyObject returns a party to send. It omits an empty role and always has
// template.spec.
func partyObject(r definition.Reader, name, mode string, live map[string]any) map[string]any {
	made := child(map[string]any{"party": live}, "party")
	made["domainID"], made["appImageRef"] = r.String(attrDomainID), r.String(attrAppImage)
	setText(made, "role", r.String(attrRole))
	setText(made, "serviceNamePrefix", r.String(attrPrefix))
	template := child(made, "template")
	delete(template, "replicas")
	if r.Has(attrReplicas) {
		template["replicas"] = r.Int64(attrReplicas)
	}
	delete(template, "strategy")
	if strategy, ok := r.Object(attrStrategy); ok {
		template["strategy"] = strategyObject(strategy)
	}
	spec := child(template, "spec")
	before, _ := spec["containers"].([]any)
	delete(spec, "containers")
	var containers []any
	for name, container := range r.ObjectMap(attrContainers) {
		containers = append(containers, containerObject(name, container, before))
	}
	if len(containers) > 0 {
		spec["containers"] = containers
	}
	if _, has := spec["affinity"]; mode == affinityPod && !has {
		spec["affinity"] = map[string]any{"podAffinity": party.PodsOf(name)}
	}
	template["spec"] = spec
	made["template"] = template
	return made
}

// child returns a copy of a nested object, empty if there is none.
func child(of map[string]any, name string) map[string]any {
	inner, _ := of[name].(map[string]any)
	if inner == nil {
		return map[string]any{}
	}
	return runtime.DeepCopyJSON(inner)
}

func setText(object map[string]any, name, text string) {
	delete(object, name)
	if text != "" {
		object[name] = text
	}
}

// strategyObject returns a strategy with both numbers set, so that neither
// depends on a default. In the object a number is an integer, and a percentage
// a string.
func strategyObject(r definition.Reader) map[string]any {
	kind := cmp.Or(r.String("type"), rollingUpdate)
	surge, unavailable := r.String(attrMaxSurge), r.String(attrMaxUnavailable)
	if kind != rollingUpdate {
		return map[string]any{"type": kind}
	}
	return map[string]any{"type": kind, "rollingUpdate": map[string]any{"maxSurge": count(surge), "maxUnavailable": count(unavailable)}}
}

func count(text string) any {
	if text == "" {
		return defaultPercent
	}
	if number, percent, ok := tfvalue.ParseCountOrPercent(text); ok && !percent {
		return int64(number)
	} else if ok {
		return fmt.Sprintf("%d%%", number)
	}
	return text
}

// containerObject returns a container. It always has resources, even if they
// are empty, and workingDir, which the schema requires and Kuscia ignores.
func containerObject(name string, r definition.Reader, before []any) map[string]any {
	container := map[string]any{"workingDir": ""}
	for _, entry := range before {
		if live, ok := entry.(map[string]any); ok && live["name"] == name {
			maps.Copy(container, runtime.DeepCopyJSON(live))
		}
	}
	container["name"] = name
	resources := map[string]any{}
	if requests := amounts(r.StringMap(attrRequests)); len(requests) > 0 {
		resources["requests"] = requests
	}
	if limits := amounts(r.StringMap(attrLimits)); len(limits) > 0 {
		resources["limits"] = limits
	}
	container["resources"] = resources
	return container
}

// amounts returns quantities in Kubernetes' canonical form.
func amounts(values map[string]string) map[string]any {
	out := make(map[string]any, len(values))
	for name, text := range values {
		out[name] = text
		if quantity, err := tfvalue.ParseQuantity(text); err == nil {
			out[name] = quantity.String()
		}
	}
	return out
}
