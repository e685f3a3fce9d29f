package schemajson_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/schemajson"
)

// failing is a provider that cannot tell its schemas.
type failing struct{ tfprotov6.ProviderServer }

func (failing) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{Diagnostics: []*tfprotov6.Diagnostic{
		{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "Old"}, {Severity: tfprotov6.DiagnosticSeverityError, Summary: "Duplicate type", Detail: "Twice."},
	}}, nil
}

// TestRead: identities, which older CLIs do not print, and errors of the provider.
func TestRead(t *testing.T) {
	t.Parallel()
	server := provider.NewServer(provider.Build{}, true)()
	schemas, err := schemajson.Read(t.Context(), server, "kuscia")
	if err != nil {
		t.Fatal(err)
	}
	key := schemas.Schemas["kuscia"].ResourceIdentitySchemas["kuscia_config"].Attributes["key"]
	if key == nil || key.IdentityType != cty.String || !key.RequiredForImport || key.Description == "" {
		t.Errorf("the key of an entry is %+v", key)
	}
	if _, err := schemajson.Read(t.Context(), failing{server}, "kuscia"); err == nil || err.Error() != "Duplicate type: Twice." {
		t.Errorf("the error of the provider is %v", err)
	}
}
