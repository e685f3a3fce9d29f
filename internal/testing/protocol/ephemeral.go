package protocol

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ValidateEphemeral validates an ephemeral resource.
func (s *Server) ValidateEphemeral(t Failer, name string, config Object) []*tfprotov6.Diagnostic {
	t.Helper()
	encoded := Encode(Value(s.Schemas.EphemeralResourceSchemas[name].ValueType(), objectOrEmpty(config)))
	valid, err := s.ValidateEphemeralResourceConfig(s.Context, &tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: name, Config: encoded})
	if err != nil {
		t.Fatal(err)
	}
	return valid.Diagnostics
}

// Open validates and opens an ephemeral resource, renews it once if it wants to
// be renewed, and closes it, as a CLI does. result is null after an error. Unlike a CLI it also
// opens what the validation refuses, which has to fail: a value may be unknown until then.
func (s *Server) Open(t Failer, name string, config Object) (result tftypes.Value, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	kind := s.Schemas.EphemeralResourceSchemas[name].ValueType()
	valid := s.ValidateEphemeral(t, name, config)
	opened, err := s.OpenEphemeralResource(s.Context, &tfprotov6.OpenEphemeralResourceRequest{TypeName: name, Config: Encode(Value(kind, objectOrEmpty(config)))})
	if err != nil {
		t.Fatal(err)
	}
	if Failed(valid) {
		if !Failed(opened.Diagnostics) {
			t.Fatal("what the validation refuses is opened: " + Messages(valid))
		}
		return tftypes.NewValue(kind, nil), valid
	}
	diagnostics = slices.Concat(valid, opened.Diagnostics)
	if Failed(diagnostics) {
		return tftypes.NewValue(kind, nil), diagnostics
	}
	private := opened.Private
	if !opened.RenewAt.IsZero() {
		renewed, err := s.RenewEphemeralResource(s.Context, &tfprotov6.RenewEphemeralResourceRequest{TypeName: name, Private: private})
		if err != nil {
			t.Fatal(err)
		}
		private, diagnostics = renewed.Private, append(diagnostics, renewed.Diagnostics...)
	}
	closed, err := s.CloseEphemeralResource(s.Context, &tfprotov6.CloseEphemeralResourceRequest{TypeName: name, Private: private})
	if err != nil {
		t.Fatal(err)
	}
	return Decode(kind, opened.Result), append(diagnostics, closed.Diagnostics...)
}
