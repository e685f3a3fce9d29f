package schemajson

import (
	"context"
	"errors"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// formatVersion is the version that the CLIs use.
const formatVersion = "1.0"

// Read returns all schemas of a provider under a name, where a CLI uses the
// provider's address.
func Read(ctx context.Context, server tfprotov6.ProviderServer, name string) (*tfjson.ProviderSchemas, error) {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(problems(schemas.Diagnostics), problems(identities.Diagnostics)); err != nil {
		return nil, err
	}
	c := &converter{}
	provider := &tfjson.ProviderSchema{
		ConfigSchema:             c.schema(schemas.Provider),
		ResourceSchemas:          each(schemas.ResourceSchemas, c.schema),
		DataSourceSchemas:        each(schemas.DataSourceSchemas, c.schema),
		EphemeralResourceSchemas: each(schemas.EphemeralResourceSchemas, c.schema),
		ActionSchemas:            each(schemas.ActionSchemas, c.action),
		Functions:                each(schemas.Functions, c.function),
		ResourceIdentitySchemas:  each(identities.IdentitySchemas, c.identity),
		ListResourceSchemas:      each(schemas.ListResourceSchemas, c.schema),
	}
	if c.err != nil {
		return nil, c.err
	}
	return &tfjson.ProviderSchemas{
		FormatVersion: formatVersion,
		Schemas:       map[string]*tfjson.ProviderSchema{name: provider},
	}, nil
}

func problems(diagnostics []*tfprotov6.Diagnostic) error {
	var all []error
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			all = append(all, fmt.Errorf("%s: %s", d.Summary, d.Detail))
		}
	}
	return errors.Join(all...)
}

func each[From, To any](in map[string]From, convert func(From) To) map[string]To {
	out := make(map[string]To, len(in))
	for name, item := range in {
		out[name] = convert(item)
	}
	return out
}
