package edgedeployment

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestPlan_volumeTypeUnknown: values that depend on the type of a volume are
// unknown while the type is.
func TestPlan_volumeTypeUnknown(t *testing.T) {
	t.Parallel()
	volume := func(kind string) tree {
		return minimal(container("volumes", []any{tree{"name": "v", "type": kind, "source": "s", "destination": "/d"}}))
	}
	config, err := tftypes.Transform(configured(volume("secret")), func(at *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if at.String() == `AttributeName("containers").ElementKeyInt(0).AttributeName("volumes").ElementKeyInt(0).AttributeName("type")` {
			return definition.UnknownString(), nil
		}
		return v, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	planned := plan(config, edgeDeployment.Definition.Null(), providerSettings{}).Planned
	volumes := definition.FieldsOf(definition.ElementsOf(definition.FieldsOf(planned)["containers"])[0])["volumes"]
	fields := definition.FieldsOf(definition.ElementsOf(volumes)[0])
	if fields["type"].IsKnown() || fields["read_only"].IsKnown() {
		t.Errorf("planned is %s", volumes)
	}
	if found := issues(config); len(found) > 0 {
		t.Errorf("issues\n%s", joined(found))
	}
}
