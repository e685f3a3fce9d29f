package provider_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// mover moves stored states into the provider with all wrappers.
type mover struct{ *request }

func newMover(t *testing.T) *mover {
	t.Helper()
	m := &mover{start(t)}
	if !m.Schemas.ServerCapabilities.MoveResourceState {
		t.Error("the server does not declare that it supports moves")
	}
	return m
}

func (m *mover) move(t *testing.T, from, to string, state []byte) *tfprotov6.MoveResourceStateResponse {
	t.Helper()
	moved, _ := m.Server.Resource(t, to).Move(t, tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: "registry.terraform.io/example/other", SourceTypeName: from,
		SourceState: &tfprotov6.RawState{JSON: state}, SourcePrivate: []byte(`{"other": "private"}`),
	})
	return moved
}

func (m *mover) planAfter(t *testing.T, read *tfprotov6.ReadResourceResponse) *tfprotov6.PlanResourceChangeResponse {
	t.Helper()
	planned, _ := m.Plan(t, protocol.Decode(m.Kind, m.config), protocol.State{
		Value: protocol.Decode(m.Kind, read.NewState), Private: read.Private, Identity: read.NewIdentity,
	})
	return planned
}

func stored(t *testing.T, name string) []byte {
	t.Helper()
	return []byte(testfile.Read(t, "../tfkit/movestate/testdata/"+name+".json"))
}

// TestMoveServing: a stored state of each other provider becomes the serving:
// nothing is written, the plan of the matching configuration is empty, and the
// identity is set.
func TestMoveServing(t *testing.T) {
	t.Parallel()
	m := newMover(t)
	for _, from := range []string{"restapi_object", "restful_resource", "terracurl_request", "kubernetes_manifest", "kubectl_manifest"} {
		t.Run(from, func(t *testing.T) {
			m.box.ResetRequests()
			moved := m.move(t, from, "kuscia_serving", stored(t, from))
			protocol.Check(t, nil, moved.Diagnostics)
			if n := len(m.box.Requests()); n != 0 {
				t.Errorf("a move sends %d requests", n)
			}
			if strings.Contains(string(moved.TargetState.MsgPack)+string(moved.TargetPrivate), "storage-key") {
				t.Error("the moved state has the configuration text")
			}
			upgraded := m.Upgrade(t, protocol.Decode(m.Kind, moved.TargetState))
			read, _ := m.Read(t, protocol.State{
				Value: protocol.Decode(m.Kind, upgraded.UpgradedState), Private: moved.TargetPrivate, Identity: moved.TargetIdentity,
			})
			protocol.Check(t, nil, upgraded.Diagnostics)
			protocol.Says(t, "the first read", protocol.Messages(read.Diagnostics), "may have fields that are not imported", "Updates keep them", "a replacement removes them")
			planned := m.planAfter(t, read)
			protocol.Check(t, nil, planned.Diagnostics)
			if !protocol.Decode(m.Kind, planned.PlannedState).Equal(protocol.Decode(m.Kind, read.NewState)) || len(planned.RequiresReplace) > 0 {
				t.Errorf("planned %v\nread %v", planned.PlannedState, read.NewState)
			}
			if got := m.Identity(t, read.NewIdentity); got["serving_id"] != "s" {
				t.Errorf("identity %v", got)
			}
		})
	}
}

// TestMoveServingWithoutRefresh: without the refresh nothing can be compared,
// and the plan fails.
func TestMoveServingWithoutRefresh(t *testing.T) {
	t.Parallel()
	m := newMover(t)
	moved := m.move(t, "restapi_object", "kuscia_serving", stored(t, "restapi_object"))
	planned := m.planAfter(t,
		&tfprotov6.ReadResourceResponse{NewState: moved.TargetState, Private: moved.TargetPrivate, NewIdentity: moved.TargetIdentity})
	failsWith(t, planned.Diagnostics, "Unable to plan a moved serving", `serving "s"`, "-refresh=false")
}

// TestMoveOwn: the same type from another provider address keeps state and
// private state.
func TestMoveOwn(t *testing.T) {
	t.Parallel()
	m := newMover(t)
	from := tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: "registry.terraform.io/example/kuscia", SourceTypeName: "kuscia_serving",
		SourceState: &tfprotov6.RawState{JSON: m.stateJSON}, SourcePrivate: m.private,
	}
	moved, state := m.Move(t, from)
	protocol.Check(t, nil, moved.Diagnostics)
	if want := protocol.Decode(m.Kind, m.state); !state.Value.Equal(want) || !bytes.Equal(state.Private, m.private) {
		t.Errorf("moved %s\nfrom %s\nprivate %s from %s", state.Value, want, state.Private, m.private)
	}

	from.SourceSchemaVersion, from.SourcePrivate = 7, nil
	moved, _ = m.Move(t, from)
	failsWith(t, moved.Diagnostics, "schema version 7")
}

func TestMoveRefused(t *testing.T) {
	t.Parallel()
	m := newMover(t)
	for name, test := range map[string]struct {
		from, to, state string
		want            []string
	}{
		"another type":     {"terraform_data", "kuscia_serving", `{}`, []string{"Unable to move this resource type", "terraform_data", "restapi_object", "KusciaDeployment", "removed block", "import block"}},
		"app image":        {"restapi_object", "kuscia_serving", string(stored(t, "restapi_object_appimage")), []string{"Unable to move serving", "This restapi_object cannot become kuscia_serving", `app image "app"`}},
		"no serving":       {"restapi_object", "kuscia_serving", `{"data": "{}"}`, []string{"serving_id"}},
		"bad id":           {"restapi_object", "kuscia_serving", `{"data": "{\"serving_id\": \"a.b\"}"}`, []string{`"a.b" is not a serving_id`}},
		"own type, broken": {"kuscia_serving", "kuscia_serving", `{"serving_id": []}`, []string{"is not what this provider writes"}},
	} {
		t.Run(name, func(t *testing.T) {
			failsWith(t, m.move(t, test.from, test.to, []byte(test.state)).Diagnostics, test.want...)
		})
	}
}
