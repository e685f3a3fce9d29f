package edgedeployment

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// The results of a plan.
const (
	nothing     = "nothing"
	replace     = "replace"
	describeIt  = "description"
	newTemplate = "template"
	stateOnly   = "state only"
)

// becomes says what a plan from a stored configuration to another one does.
func becomes(t *testing.T, from, to tree) string {
	t.Helper()
	prior := stored(t, from, nil)
	change := plan(configured(to), prior, providerSettings{known: true, projectID: "p"})
	if len(change.Replaces) > 0 {
		return replace
	}
	if change.Planned.Equal(prior) {
		return nothing
	}
	desired, diags := createRequest(change.Planned, edgeDeployment.Definition.Null())
	if diags.HasError() {
		t.Fatal(diags)
	}
	sent := edgeDeployment.Definition.Sent(prior, change.Planned)
	switch request := updateRequest(desired, sent); {
	case len(sent) == 0:
		return stateOnly
	case request.Deployment == nil:
		return describeIt
	default:
		return newTemplate
	}
}

// TestPlan: the planned action for each difference.
func TestPlan(t *testing.T) {
	t.Parallel()
	full := func(change ...func(tree)) tree {
		return minimal(append([]func(tree){
			container("resources", tree{"limits": tree{"cpu": "500m", "memory": "1Gi"}}), container("npu_type", ""),
			container("liveness_probe", tree{"http_get": tree{"path": "/", "port": int64(1)}}),
			container("envs", []any{tree{"name": "A", "value": "a"}}), attribute("affinity", `{"a":[1, 2]}`),
			container("volumes", []any{tree{"name": "v", "type": "secret", "source": "s", "destination": "/d"}}),
		}, change...)...)
	}
	hidden := func(text string, version int64) func(tree) {
		return container("envs", []any{tree{"name": "A", "value_wo": text, "value_wo_version": version}})
	}
	v2 := func(change ...func(tree)) tree {
		return minimal(append([]func(tree){inV2, container("version", "1.0")}, change...)...)
	}
	for name, row := range map[string]struct {
		from, to tree
		want     string
	}{
		"the same":              {full(), full(), nothing},
		"source, spelling":      {minimal(), minimal(attribute("source", "userdefined")), nothing},
		"source left out":       {minimal(attribute("source", "userdefined")), minimal(), nothing},
		"description":           {minimal(), minimal(attribute("description", "text")), describeIt},
		"description, cleared":  {minimal(attribute("description", "text")), minimal(), describeIt},
		"description and more":  {minimal(), minimal(attribute("description", "text"), container("image_url", "kuscia:2")), newTemplate},
		"quantity, spelling":    {full(), full(container("resources", tree{"limits": tree{"cpu": "0.5", "memory": "1024Mi"}})), nothing},
		"affinity, spelling":    {full(), full(attribute("affinity", `{ "a": [1,2] }`)), nothing},
		"affinity of null":      {minimal(), minimal(attribute("affinity", "null")), stateOnly},
		"NPU type, spelling":    {full(), full(container("npu_type", "D310")), nothing},
		"scheme, spelling":      {full(), full(container("liveness_probe", tree{"http_get": tree{"path": "/", "port": int64(1), "scheme": "http"}})), nothing},
		"defaults, written out": {full(), full(attribute("replicas", int64(1)), attribute("restart_policy", "Always"), attribute("dns_policy", "Default"), container("volumes", []any{tree{"name": "v", "type": "secret", "source": "s", "destination": "/d", "read_only": true, "default_mode": int64(420)}})), nothing},
		"hidden, same version":  {minimal(hidden("a", 1)), minimal(hidden("b", 1)), nothing},
		"hidden, next version":  {minimal(hidden("a", 1)), minimal(hidden("a", 2)), newTemplate},
		"hidden from now on":    {minimal(container("envs", []any{tree{"name": "A", "value": "a"}})), minimal(hidden("a", 1)), newTemplate},
		"no longer hidden":      {minimal(hidden("a", 1)), minimal(container("envs", []any{tree{"name": "A", "value": "a"}})), newTemplate},
		"v2, image":             {v2(), v2(container("image_url", "kuscia:2")), newTemplate},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := becomes(t, row.from, row.to); got != row.want {
				t.Errorf("becomes %q, want %q", got, row.want)
			}
		})
	}
}

// TestPlan_surroundings: project and instance of the provider block are known
// in the plan of a create; without a provider configuration they are unknown, and
// so is what depends on an unknown type.
func TestPlan_surroundings(t *testing.T) {
	t.Parallel()
	known := plan(configured(minimal()), edgeDeployment.Definition.Null(), providerSettings{known: true, projectID: "p", instanceID: "i"}).Planned
	if definition.StringAt(known, "instance_id") != "i" || definition.StringAt(known, "project_id") != "p" {
		t.Errorf("%s %s", definition.StringAt(known, "instance_id"), definition.StringAt(known, "project_id"))
	}
	unknown := definition.FieldsOf(plan(configured(minimal()), edgeDeployment.Definition.Null(), providerSettings{}).Planned)
	if unknown["instance_id"].IsKnown() || unknown["project_id"].IsKnown() || unknown["id"].IsKnown() {
		t.Error("known without a provider block")
	}
	if readOnlyFiles(map[string]definition.Value{"type": definition.UnknownString()}).IsKnown() {
		t.Error("read_only is known before the type of the volume")
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ attribute, text, wire, back string }{
		{"cpu", "250m", "0.25", "0.25"}, {"cpu", "1", "1", "1"}, {"cpu", "1000", "1000", "1000"},
		{"memory", "512Mi", "512", "512Mi"}, {"memory", "1Gi", "1024", "1Gi"}, {"memory", "500M", "476.837158203125", "476.837158203125Mi"},
		{"memory", "1", "0.00000095367431640625", "0.00000095367431640625Mi"}, {"npu", "2", "2", "2"},
		{"memory", "4194304500m", "4.000000476837158203125", "4.000000476837158203125Mi"}, {"memory", "4194304000000001n", "4.00000000000000095367431640625", "4.00000000000000095367431640625Mi"},
	} {
		i := slices.IndexFunc(resourceQuantities, func(a resourceQuantity) bool { return a.attribute == test.attribute })
		a := resourceQuantities[i]
		if got := a.toWire(test.text); got != test.wire {
			t.Errorf("%s %s is sent as %s, want %s", test.attribute, test.text, got, test.wire)
		}
		if got := a.fromWire(test.wire); got != test.back || !definition.Quantity(got, test.text) {
			t.Errorf("%s %s is read as %s, want %s", test.attribute, test.wire, got, test.back)
		}
	}
	memory := resourceQuantities[1]
	for text, want := range map[string]string{"512.0": "512Mi", "512Mi": "512Mi", "": "", "x": "x", "1e99999999": "1e99999999"} {
		if got := memory.fromWire(text); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

// TestPlan_containersUnknown: in v2 a container that is not known yet may have
// another name, which an update cannot give it; in v3 it can.
func TestPlan_containersUnknown(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		config   tree
		replaces bool
	}{"v2": {minimal(inV2), true}, "v3": {minimal(), false}} {
		config := configured(row.config)
		hidden := edgeDeployment.Definition.With(config, map[string]tftypes.Value{"containers": tftypes.NewValue(definition.FieldsOf(config)["containers"].Type(), tftypes.UnknownValue)})
		change := plan(hidden, stored(t, row.config, nil), providerSettings{known: true, projectID: "p"})
		if (len(change.Replaces) > 0) != row.replaces {
			t.Errorf("%s: replaced by %v", name, change.Replaces)
		}
		if row.replaces && (!strings.Contains(change.Replaces[0].Warning(), "containers is not known yet") || !strings.Contains(change.Replaces[0].Warning(), "only when the deployment is created")) {
			t.Errorf("%s: the plan says %q", name, change.Replaces[0].Warning())
		}
	}
}
