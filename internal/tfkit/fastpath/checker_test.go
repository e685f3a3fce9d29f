package fastpath

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-validators/int32validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func thingSchema() schema.Schema {
	return schema.Schema{Attributes: map[string]schema.Attribute{
		"name":   schema.StringAttribute{Required: true, Validators: []validator.String{stringvalidator.LengthAtLeast(2)}},
		"number": schema.Int64Attribute{Optional: true, Validators: []validator.Int64{int64validator.AtLeast(1)}},
		"small":  schema.Int32Attribute{Optional: true},
		"is":     schema.BoolAttribute{Optional: true},
		"labels": schema.MapAttribute{Optional: true, ElementType: types.StringType},
		"list": schema.ListNestedAttribute{
			Optional: true, Validators: []validator.List{listvalidator.SizeAtMost(2)},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{"name": schema.StringAttribute{Required: true}}},
		},
		"one": schema.SingleNestedAttribute{
			Optional: true, Attributes: map[string]schema.Attribute{"name": schema.StringAttribute{Optional: true, Validators: []validator.String{stringvalidator.OneOf("a")}}},
		},
		"shown":  schema.StringAttribute{Computed: true},
		"hidden": schema.StringAttribute{Optional: true, WriteOnly: true},
		"old":    schema.StringAttribute{Optional: true, DeprecationMessage: "Use name."},
	}}
}

// TestChecker: the checker accepts only what is valid. A test in package
// provider compares it with the framework.
func TestChecker(t *testing.T) {
	t.Parallel()
	checker := NewChecker(t.Context(), thingSchema())
	for name, test := range map[string]struct {
		attribute string
		value     any
		want      bool
	}{
		"valid":              {"small", int64(7), true},
		"left out":           {"small", nil, true},
		"required left out":  {"name", nil, false},
		"too short":          {"name", "a", false},
		"not a text":         {"name", int64(1), false},
		"too small":          {"number", int64(0), false},
		"beyond 32 bits":     {"small", int64(1 << 31), false},
		"beyond 64 bits":     {"number", uint64(1 << 63), false},
		"not a number":       {"small", "1", false},
		"bool":               {"is", true, true},
		"not a bool":         {"is", "true", false},
		"map":                {"labels", map[string]any{"a": "1", "b": nil}, true},
		"map of numbers":     {"labels", map[string]any{"a": int64(1)}, false},
		"not a map":          {"labels", []any{}, false},
		"list":               {"list", []any{map[string]any{"name": "a"}}, true},
		"too long":           {"list", []any{map[string]any{"name": "a"}, map[string]any{"name": "b"}, map[string]any{"name": "c"}}, false},
		"null in a list":     {"list", []any{nil}, false},
		"null in an element": {"list", []any{map[string]any{"name": nil}}, false},
		"element without it": {"list", []any{map[string]any{}}, false},
		"object for list":    {"list", map[string]any{"name": "a"}, false},
		"object":             {"one", map[string]any{"name": "a"}, true},
		"invalid in object":  {"one", map[string]any{"name": "b"}, false},
		"list for object":    {"one", []any{map[string]any{"name": "a"}}, false},
		"read-only":          {"shown", "a", false},
		"write-only":         {"hidden", "a", false},
		"deprecated":         {"old", "a", false},
		"unknown attribute":  {"more", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := map[string]any{
				"name": "thing", "number": int64(1), "small": nil, "is": nil, "labels": nil, "list": nil, "one": nil, "shown": nil, "hidden": nil, "old": nil,
			}
			config[test.attribute] = test.value
			values, got := checker.Check(t.Context(), config)
			if got != test.want {
				t.Fatalf("ok: %t, want %t", got, test.want)
			}
			if got && !values["name"].Equal(types.StringValue("thing")) {
				t.Errorf("name is %s", values["name"])
			}
		})
	}
}

// TestCheckerOfUnsupportedSchema: a schema with an unsupported attribute is not
// supported at all.
func TestCheckerOfUnsupportedSchema(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*schema.Schema){
		"another kind": func(s *schema.Schema) {
			s.Attributes["more"] = schema.SetAttribute{Optional: true, ElementType: types.StringType}
		},
		"set inside": func(s *schema.Schema) {
			s.Attributes["more"] = schema.ListAttribute{Optional: true, ElementType: types.SetType{ElemType: types.StringType}}
		},
		"block":      func(s *schema.Schema) { s.Blocks = map[string]schema.Block{"b": schema.SingleNestedBlock{}} },
		"deprecated": func(s *schema.Schema) { s.DeprecationMessage = "Use the other." },
		"comparison": func(s *schema.Schema) {
			s.Attributes["more"] = schema.StringAttribute{Optional: true, Validators: []validator.String{stringvalidator.ConflictsWith(path.MatchRoot("name"))}}
		},
		"other validator": func(s *schema.Schema) {
			s.Attributes["small"] = schema.Int32Attribute{Optional: true, Validators: []validator.Int32{int32validator.AtLeast(1)}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			strange := thingSchema()
			change(&strange)
			if NewChecker(t.Context(), strange).Supported() {
				t.Error("the checker reports support for this schema")
			}
		})
	}
}
