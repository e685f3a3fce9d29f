package appimage

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

func TestSchemaIsValid(t *testing.T) {
	if diags := resourceSchema().ValidateImplementation(context.Background()); diags.HasError() {
		t.Error(diags)
	}
	if diags := dataSourceSchema().ValidateImplementation(context.Background()); diags.HasError() {
		t.Error(diags)
	}
	if diags := listDataSourceSchema().ValidateImplementation(context.Background()); diags.HasError() {
		t.Error(diags)
	}
	if diags := identitySchema.ValidateImplementation(context.Background()); diags.HasError() {
		t.Error(diags)
	}
}

// TestSchemaAndMeaningAgree holds the two tables of attributes together: the
// types, and whether null is replaced by an empty value, which Terraform
// allows for computed attributes only.
func TestSchemaAndMeaningAgree(t *testing.T) {
	if got := resourceSchema().Type().TerraformType(context.Background()); !got.Equal(stateType) {
		t.Errorf("type of the schema: %s\ntype of the meaning: %s", got, stateType)
	}
	agree(t, "", resourceSchema().Attributes, definition.fields)
}

func agree(t *testing.T, at string, attributes map[string]schema.Attribute, fields map[string]meaning) {
	for name, attribute := range attributes {
		at := at + "." + name
		if attribute.GetMarkdownDescription() == "" {
			t.Errorf("%s has no description", at)
		}
		field, ok := fields[name]
		if !ok {
			if attribute.IsOptional() || attribute.IsRequired() {
				t.Errorf("%s has no meaning", at)
			}
			continue
		}
		if stays := field.empty().IsNull(); attribute.IsOptional() && stays == attribute.IsComputed() {
			t.Errorf("%s: computed %v, null stays null %v", at, attribute.IsComputed(), stays)
		}
		switch a := attribute.(type) {
		case schema.SingleNestedAttribute:
			agree(t, at, a.Attributes, field.fields)
		case schema.ListNestedAttribute:
			agree(t, at, a.NestedObject.Attributes, field.element.fields)
		}
	}
}

func TestDataSourceSchemaHasTheResourcesTypes(t *testing.T) {
	ctx := context.Background()
	if got := dataSourceSchema().Type().TerraformType(ctx); !got.Equal(stateType) {
		t.Errorf("got %s, want %s", got, stateType)
	}
	readOnlyLike(t, "", resourceSchema().Attributes)
}

func readOnlyLike(t *testing.T, at string, attributes map[string]schema.Attribute) {
	for name, attribute := range attributes {
		at := at + "." + name
		converted := readOnlyAttribute(attribute)
		if !converted.IsComputed() || converted.IsOptional() || converted.IsRequired() {
			t.Errorf("%s is not just computed", at)
		}
		if converted.GetType().String() != attribute.GetType().String() {
			t.Errorf("%s: %s became %s", at, attribute.GetType(), converted.GetType())
		}
		if converted.GetMarkdownDescription() == "" {
			t.Errorf("%s has no description", at)
		}
		switch a := attribute.(type) {
		case schema.SingleNestedAttribute:
			readOnlyLike(t, at, a.Attributes)
		case schema.ListNestedAttribute:
			readOnlyLike(t, at, a.NestedObject.Attributes)
		}
	}
}
