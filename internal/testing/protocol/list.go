package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Query is a list block.
type Query struct {
	Config Object
	// Limit is the maximum number of results; 0 means no limit.
	Limit           int64
	IncludeResource bool
}

// List validates a list block and lists, as a CLI does, independent of the
// installed CLI.
func (r *Resource) List(ctx context.Context, t Failer, q Query) (results []tfprotov6.ListResourceResult, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	server, ok := r.ProviderServer.(tfprotov6.ListResourceServer)
	if !ok {
		t.Fatal("the provider cannot list")
	}
	config := Encode(Value(r.Schemas.ListResourceSchemas[r.Type].ValueType(), objectOrEmpty(q.Config)))
	validated, err := server.ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{
		TypeName: r.Type, Config: config,
		IncludeResourceObject: Encode(tftypes.NewValue(tftypes.Bool, q.IncludeResource)),
		Limit:                 Encode(tftypes.NewValue(tftypes.Number, q.Limit)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(validated.Diagnostics) > 0 {
		return nil, validated.Diagnostics
	}
	stream, err := server.ListResource(ctx, &tfprotov6.ListResourceRequest{
		TypeName: r.Type, Config: config, Limit: q.Limit, IncludeResource: q.IncludeResource,
	})
	if err != nil {
		t.Fatal(err)
	}
	for result := range stream.Results {
		if len(result.Diagnostics) > 0 {
			diagnostics = append(diagnostics, result.Diagnostics...)
			continue
		}
		results = append(results, result)
	}
	return results, diagnostics
}

// DataSource reads a data source; state is null after an error.
func (s *Server) DataSource(t Failer, name string, config Object) (state tftypes.Value, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	kind := s.Schemas.DataSourceSchemas[name].ValueType()
	encoded := Encode(Value(kind, objectOrEmpty(config)))
	valid, err := s.ValidateDataResourceConfig(s.Context, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: encoded})
	if err != nil {
		t.Fatal(err)
	}
	if Failed(valid.Diagnostics) {
		return tftypes.NewValue(kind, nil), valid.Diagnostics
	}
	read, err := s.ReadDataSource(s.Context, &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: encoded})
	if err != nil {
		t.Fatal(err)
	}
	return Decode(kind, read.State), append(valid.Diagnostics, read.Diagnostics...)
}

// objectOrEmpty returns an empty block for nil.
func objectOrEmpty(object Object) Object {
	if object == nil {
		return Object{}
	}
	return object
}
