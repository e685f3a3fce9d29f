package fastpath

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// upgrader has one resource type and counts the upgrade requests that reach it.
type upgrader struct {
	fullServer
	asked int
}

func (u *upgrader) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{ResourceSchemas: map[string]*tfprotov6.Schema{"thing": {
		Version: 2,
		Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "name", Type: tftypes.String}, {Name: "many", Type: tftypes.List{ElementType: tftypes.Number}}, {Name: "bag", Type: tftypes.Set{ElementType: tftypes.String}},
		}},
	}}}, nil
}

func (u *upgrader) UpgradeResourceState(context.Context, *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	u.asked++
	return &tfprotov6.UpgradeResourceStateResponse{}, nil
}

// TestUpgradeNothing: the wrapper upgrades states of the current schema only.
// crudtest.CompareResponses compares its responses with those of the framework.
func TestUpgradeNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		resource string
		version  int64
		state    string
		own      bool
	}{
		"today's form":       {"thing", 2, `{"name": "a", "many": [1, 2], "bag": null}`, true},
		"older":              {"thing", 1, `{"name": "a", "many": [], "bag": null}`, false},
		"another type":       {"other", 2, `{}`, false},
		"none":               {"thing", 2, ``, false},
		"attribute too many": {"thing", 2, `{"name": "a", "many": [], "bag": null, "more": null}`, false},
		"another attribute":  {"thing", 2, `{"name": "a", "many": [], "more": null}`, false},
		"fraction":           {"thing", 2, `{"name": "a", "many": [0.5], "bag": null}`, false},
		"object for list":    {"thing", 2, `{"name": "a", "many": {}, "bag": null}`, false},
		"no object":          {"thing", 2, `["a", [1], null]`, false},
		"set":                {"thing", 2, `{"name": "a", "many": [], "bag": []}`, false},
		"colons in texts":    {"thing", 2, `{"name": "a:\\\"b\\\":\\\\", "many": [], "bag": null}`, true},
		"twice":              {"thing", 2, `{"name": 1, "name": "a", "many": [], "bag": null}`, false},
		"more behind":        {"thing", 2, `{"name": "a", "many": [], "bag": null}{}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inner := &upgrader{}
			response, err := Wrap(inner, Options{}).UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
				TypeName: test.resource, Version: test.version, RawState: &tfprotov6.RawState{JSON: []byte(test.state)},
			})
			if err != nil {
				t.Fatal(err)
			}
			if own := inner.asked == 0; own != test.own || own != (response.UpgradedState != nil) {
				t.Errorf("answered by the wrapper: %t, want %t: %v", own, test.own, response)
			}
		})
	}
}
