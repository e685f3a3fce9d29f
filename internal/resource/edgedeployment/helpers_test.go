package edgedeployment

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
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
func configured(config tree) tftypes.Value { return edgeDeployment.Definition.Encode(config) }

// stored is the state that a configuration leads to.
func stored(t *testing.T, config tree, more map[string]tftypes.Value) tftypes.Value {
	t.Helper()
	planned := plan(configured(config), edgeDeployment.Definition.Null(), providerSettings{known: true, projectID: "p"}).Planned
	all := map[string]tftypes.Value{"id": definition.StringValue("id-1"), "created_at": definition.StringValue("now"), "source": definition.StringValue("userdefine")}
	for name, value := range more {
		all[name] = value
	}
	state := edgeDeployment.Definition.With(planned, all)
	if !state.IsFullyKnown() {
		t.Fatal("the state is not known")
	}
	return state
}

// providerSettings are the settings of the provider block that a plan knows.
type providerSettings struct {
	known                 bool
	projectID, instanceID string
}

// plan is the plan of a deployment with a provider block.
func plan(config, prior tftypes.Value, settings providerSettings) definition.Plan {
	from := crud.Planned{Config: config, Prior: prior}
	if !settings.known {
		return edgeDeployment.Plan(context.Background(), nil, from).Plan
	}
	client, err := ief.New(ief.Config{Endpoint: "https://127.0.0.1", ProjectID: settings.projectID, InstanceID: settings.instanceID, AccessKey: "a", SecretKey: "s"})
	if err != nil {
		panic(err)
	}
	return edgeDeployment.Plan(context.Background(), run.New(clients.Clients{IEF: clients.IEF{Client: client}}), from).Plan
}

// createRequest is the request for a plan.
func createRequest(planned, config tftypes.Value) (*ief.CreateRequest, diag.Diagnostics) {
	wire, diags := edgeDeployment.Request(planned, config)
	return wire.request, diags
}

// fromResponse is a response as a value.
func fromResponse(scope ief.Scope, d *ief.Deployment, known tftypes.Value) tftypes.Value {
	return edgeDeployment.Definition.FromServer(response(&object{found: d, scope: scope}, known))
}

// refresh is the state after a read.
func refresh(scope ief.Scope, d *ief.Deployment, prior tftypes.Value) tftypes.Value {
	return edgeDeployment.Definition.Refreshed(fromResponse(scope, d, prior), prior)
}

// issues are the issues of a configuration.
func issues(config tftypes.Value) []check.Issue {
	found := edgeDeployment.Issues(config)
	for _, p := range edgeDeployment.Definition.Problems(config) {
		found = append(found, check.Issue{At: p.Path, Summary: p.Summary, Detail: p.Detail})
	}
	return found
}

func bool2(b bool) tftypes.Value { return tftypes.NewValue(tftypes.Bool, b) }

func joined(issues []check.Issue) string {
	var all []string
	for _, i := range issues {
		all = append(all, i.At.String()+": "+i.Summary+": "+i.Detail)
	}
	return strings.Join(all, "\n")
}
