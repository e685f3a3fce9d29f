package compat_test

import (
	"context"
	"encoding/json"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
)

// schemaOfProvider returns the schema of the provider, in the format of
// "terraform providers schema -json", without descriptions: these are not part
// of compatibility, and are in docs/. A CLI prints only the parts that it
// supports; this has all parts.
func schemaOfProvider(ctx context.Context) (*tfjson.ProviderSchema, error) {
	server := provider.NewServer(provider.Build{Version: "test"}, true)()
	response, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, err
	}
	for _, problem := range append(response.Diagnostics, identities.Diagnostics...) {
		return nil, fmt.Errorf("%s: %s", problem.Summary, problem.Detail)
	}

	schema := &tfjson.ProviderSchema{
		ConfigSchema:             schemaOf(response.Provider),
		ResourceSchemas:          all(response.ResourceSchemas, schemaOf),
		DataSourceSchemas:        all(response.DataSourceSchemas, schemaOf),
		EphemeralResourceSchemas: all(response.EphemeralResourceSchemas, schemaOf),
		ListResourceSchemas:      all(response.ListResourceSchemas, schemaOf),
		ActionSchemas: all(response.ActionSchemas, func(action *tfprotov6.ActionSchema) *tfjson.ActionSchema {
			return &tfjson.ActionSchema{Block: blockOf(action.Schema.Block)}
		}),
		Functions:               all(response.Functions, functionOf),
		ResourceIdentitySchemas: all(identities.IdentitySchemas, identityOf),
	}
	return schema, nil
}

func all[From, To any](from map[string]From, convert func(From) To) map[string]To {
	to := make(map[string]To, len(from))
	for name, value := range from {
		to[name] = convert(value)
	}
	return to
}

func schemaOf(schema *tfprotov6.Schema) *tfjson.Schema {
	return &tfjson.Schema{Version: uint64(schema.Version), Block: blockOf(schema.Block)}
}

func blockOf(block *tfprotov6.SchemaBlock) *tfjson.SchemaBlock {
	converted := &tfjson.SchemaBlock{Attributes: attributesOf(block.Attributes), Deprecated: block.Deprecated}
	for _, nested := range block.BlockTypes {
		if converted.NestedBlocks == nil {
			converted.NestedBlocks = map[string]*tfjson.SchemaBlockType{}
		}
		converted.NestedBlocks[nested.TypeName] = &tfjson.SchemaBlockType{
			NestingMode: nestings[nested.Nesting.String()],
			Block:       blockOf(nested.Block),
			MinItems:    uint64(nested.MinItems),
			MaxItems:    uint64(nested.MaxItems),
		}
	}
	return converted
}

var nestings = map[string]tfjson.SchemaNestingMode{
	"SINGLE": tfjson.SchemaNestingModeSingle,
	"GROUP":  tfjson.SchemaNestingModeGroup,
	"LIST":   tfjson.SchemaNestingModeList,
	"SET":    tfjson.SchemaNestingModeSet,
	"MAP":    tfjson.SchemaNestingModeMap,
}

func attributesOf(attributes []*tfprotov6.SchemaAttribute) map[string]*tfjson.SchemaAttribute {
	converted := make(map[string]*tfjson.SchemaAttribute, len(attributes))
	for _, attribute := range attributes {
		one := &tfjson.SchemaAttribute{
			Required: attribute.Required, Optional: attribute.Optional, Computed: attribute.Computed,
			Sensitive: attribute.Sensitive, WriteOnly: attribute.WriteOnly, Deprecated: attribute.Deprecated,
		}
		if nested := attribute.NestedType; nested != nil {
			one.AttributeNestedType = &tfjson.SchemaNestedAttributeType{
				Attributes: attributesOf(nested.Attributes), NestingMode: nestings[nested.Nesting.String()],
			}
		} else {
			must(json.Unmarshal(typeOf(attribute.Type), &one.AttributeType))
		}
		converted[attribute.Name] = one
	}
	return converted
}

func functionOf(function *tfprotov6.Function) *tfjson.FunctionSignature {
	signature := &tfjson.FunctionSignature{}
	must(json.Unmarshal(typeOf(function.Return.Type), &signature.ReturnType))
	for _, parameter := range function.Parameters {
		signature.Parameters = append(signature.Parameters, parameterOf(parameter))
	}
	if function.VariadicParameter != nil {
		signature.VariadicParameter = parameterOf(function.VariadicParameter)
	}
	return signature
}

func parameterOf(parameter *tfprotov6.FunctionParameter) *tfjson.FunctionParameter {
	converted := &tfjson.FunctionParameter{Name: parameter.Name, IsNullable: parameter.AllowNullValue}
	must(json.Unmarshal(typeOf(parameter.Type), &converted.Type))
	return converted
}

func identityOf(identity *tfprotov6.ResourceIdentitySchema) *tfjson.IdentitySchema {
	converted := &tfjson.IdentitySchema{Version: uint64(identity.Version), Attributes: map[string]*tfjson.IdentityAttribute{}}
	for _, attribute := range identity.IdentityAttributes {
		one := &tfjson.IdentityAttribute{RequiredForImport: attribute.RequiredForImport, OptionalForImport: attribute.OptionalForImport}
		must(json.Unmarshal(typeOf(attribute.Type), &one.IdentityType))
		converted.Attributes[attribute.Name] = one
	}
	return converted
}

// typeOf is the JSON encoding of a type, which is common to all parts of
// Terraform.
func typeOf(t tftypes.Type) []byte {
	text, err := t.MarshalJSON() //nolint:staticcheck // the only way to this encoding; the CLI's decoder is not public
	must(err)
	return text
}

// encode is the content of a golden file.
func encode(schema *tfjson.ProviderSchema) []byte {
	text, err := json.MarshalIndent(schema, "", "  ")
	must(err)
	return append(text, '\n')
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
