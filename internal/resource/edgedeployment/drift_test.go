package edgedeployment

import (
	"hash/crc32"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// drawHidden makes some values of variables write-only.
func drawHidden(t *rapid.T, config tree) tree {
	for _, name := range []string{"containers", "init_containers"} {
		containers, _ := config[name].([]any)
		for _, c := range containers {
			envs, _ := c.(tree)["envs"].([]any)
			for _, env := range envs {
				fields := env.(tree)
				if fields["value"] != nil && fields["value"] != "" && rapid.Bool().Draw(t, "hidden") {
					fields["value_wo"], fields["value_wo_version"] = fields["value"], int64(1)
					delete(fields, "value")
				}
			}
		}
	}
	return config
}

// TestPropertyDrift: after any change by another client the refresh shows the
// change, and the update restores the configuration.
func TestPropertyDrift(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ours, theirs := configured(drawHidden(t, drawDeployment(t, false))), configured(drawDeployment(t, false))
		planned, request := created(t, ours)
		_, changed := created(t, theirs)
		changed.NodeIDs, changed.GroupID, changed.Tags, changed.Deployment.Annotations = request.NodeIDs, request.GroupID, request.Tags, request.Deployment.Annotations
		state := edgeDeployment.Definition.Filled(planned, asStored(t, request))
		response := asStored(t, changed)

		read := edgeDeployment.Definition.Refreshed(response, state)
		different := edgeDeployment.Definition.Differences(edgeDeployment.Definition.WithSecrets(read, edgeDeployment.Definition.Null(), read, response), response)
		// An empty value at the server cannot be told from none for a write-only value.
		different = slices.DeleteFunc(different, edgeDeployment.Definition.IsWriteOnlyInUse(read))
		if len(different) > 0 {
			t.Fatalf("the state does not say what there is: %v", different)
		}
		change := plan(ours, read, providerSettings{known: true, projectID: "p"})
		if len(change.Replaces) > 0 {
			t.Fatalf("replaced by %v", change.Replaces)
		}
		desired, diags := createRequest(edgeDeployment.Definition.WithSecrets(change.Planned, ours, read, response), edgeDeployment.Definition.Null())
		if diags.HasError() {
			t.Fatal(diags)
		}
		update := updateRequest(desired, edgeDeployment.Definition.Sent(read, change.Planned))
		if update.Description != nil {
			changed.Description = *update.Description
		}
		if update.Deployment != nil {
			changed.Deployment.Replicas, changed.Deployment.Template = update.Deployment.Replicas, update.Deployment.Template
		}
		for _, at := range edgeDeployment.Definition.Differences(asStored(t, request), asStored(t, changed)) {
			// The value of a hidden variable is not compared as long as its version stays.
			if !edgeDeployment.Definition.IsWriteOnlyInUse(change.Planned)(at) {
				t.Fatalf("after the update %s is not as configured", at)
			}
		}
	})
}

// created is the plan of a create with its request.
func created(t *rapid.T, config tftypes.Value) (tftypes.Value, *ief.CreateRequest) {
	planned := plan(config, edgeDeployment.Definition.Null(), providerSettings{known: true, projectID: "p"}).Planned
	request, diags := createRequest(edgeDeployment.Definition.WithSecrets(planned, config, edgeDeployment.Definition.Null(), edgeDeployment.Definition.Null()), config)
	if diags.HasError() {
		t.Fatal(diags)
	}
	return planned, request
}

// asStored is the response of a server that stores a request.
func asStored(t *rapid.T, request *ief.CreateRequest) tftypes.Value {
	return fromResponse(ief.Scope{Version: ief.V3}, echo(t, ief.V3, request), edgeDeployment.Definition.Null())
}

// TestPropertyUnknown: a plan with unknown values is consistent with the plan
// with all values known, and unknown values are not rejected.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v2 := rapid.Bool().Draw(t, "v2")
		settings := providerSettings{known: true, projectID: "p"}
		config := configured(drawHidden(t, drawDeployment(t, v2)))
		prior := edgeDeployment.Definition.Null()
		if rapid.Bool().Draw(t, "update") {
			before := configured(drawDeployment(t, v2))
			planned := plan(before, prior, settings).Planned
			request, _ := createRequest(planned, before)
			scope := ief.Scope{Version: ief.Version(definition.StringAt(planned, "api_version"))}
			prior = edgeDeployment.Definition.With(edgeDeployment.Definition.Filled(planned, fromResponse(scope, echo(t, scope.Version, request), planned)), map[string]tftypes.Value{"instance_id": definition.StringValue("")})
		}
		seed := rapid.StringN(1, 8, 8).Draw(t, "seed") // a value is visited before others in no fixed order
		hidden, err := tftypes.Transform(config, func(at *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
			if len(at.Steps()) > 0 && !v.IsNull() && crc32.ChecksumIEEE([]byte(seed+at.String()))%10 == 0 {
				return tftypes.NewValue(v.Type(), tftypes.UnknownValue), nil
			}
			return v, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if found := issues(hidden); len(found) > 0 {
			t.Fatalf("refused:\n%s", joined(found))
		}
		early, late := plan(hidden, prior, settings), plan(config, prior, settings)
		if len(early.Replaces) > 0 { // the create is planned by itself
			early = plan(hidden, edgeDeployment.Definition.Null(), settings)
			late = plan(config, edgeDeployment.Definition.Null(), settings)
		} else if len(late.Replaces) > 0 {
			t.Fatalf("an update becomes a replacement by %v", late.Replaces)
		}
		if where, ok := definitiontest.Conforms(early.Planned, late.Planned, "plan"); !ok {
			t.Fatalf("inconsistent final plan at %s\n%s", where, early.Planned)
		}
	})
}
