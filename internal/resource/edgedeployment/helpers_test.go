package edgedeployment

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// tree is an object of a configuration.
type tree = definition.Tree

// minimal is the smallest configuration.
func minimal(change ...func(tree)) tree {
	config := tree{"name": "lite", "node_ids": []string{"node-1"}, "containers": []any{tree{"name": "app", "image_url": "kuscia:1"}}}
	for _, c := range change {
		c(config)
	}
	return config
}

// container changes the first container.
func container(name string, value any) func(tree) {
	return func(config tree) { firstContainer(config)[name] = value }
}

func firstContainer(config tree) tree { return config["containers"].([]any)[0].(tree) }

// attribute changes an attribute at the top.
func attribute(name string, value any) func(tree) { return func(config tree) { config[name] = value } }

func inV2(config tree) { config["api_version"] = "v2" }

// configured is a configuration as Terraform sends it: omitted attributes are
// null.
func configured(config tree) tftypes.Value { return deployment.Encode(config) }

// stored is the state that a configuration leads to.
func stored(t *testing.T, config tree, more map[string]tftypes.Value) tftypes.Value {
	t.Helper()
	planned := plan(configured(config), deployment.Null(), providerSettings{known: true, projectID: "p"}, false).planned
	all := map[string]tftypes.Value{"id": definition.StringValue("id-1"), "created_at": definition.StringValue("now"), "source": definition.StringValue("userdefine")}
	for name, value := range more {
		all[name] = value
	}
	state := deployment.With(planned, all)
	if !state.IsFullyKnown() {
		t.Fatal("the state is not known")
	}
	return state
}

func bool2(b bool) tftypes.Value { return tftypes.NewValue(tftypes.Bool, b) }

func joined(issues []issue) string {
	var all []string
	for _, i := range issues {
		all = append(all, i.at.String()+": "+i.summary+": "+i.detail)
	}
	return strings.Join(all, "\n")
}
