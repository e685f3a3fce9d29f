package tfvalue

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func TestElementText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		in   tftypes.Value
		want basetypes.StringValue
	}{
		"within an unknown element": {tftypes.Value{}, types.StringUnknown()},
		"unknown":                   {tftypes.NewValue(tftypes.String, tftypes.UnknownValue), types.StringUnknown()},
		"null":                      {tftypes.NewValue(tftypes.String, nil), types.StringNull()},
		"text":                      {tftypes.NewValue(tftypes.String, "alice"), types.StringValue("alice")},
	} {
		if got, err := (ElementTextType{}).ValueFromTerraform(t.Context(), test.in); err != nil || !got.Equal(test.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := (ElementTextType{}).ValueFromTerraform(t.Context(), tftypes.NewValue(tftypes.Bool, true)); err == nil {
		t.Error("a bool is accepted as a string")
	}
	if !(ElementTextType{}).Equal(ElementTextType{}) || !(ElementTextType{}).Equal(types.StringType) || (ElementTextType{}).Equal(types.BoolType) {
		t.Error("Equal")
	}
}
