package schemajson

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// converter converts the schemas of the protocol to the JSON format, but not nested blocks and
// variadic parameters of functions, of which this provider has none: they are errors. It keeps
// the errors, so that the conversion can be written as one expression.
type converter struct{ err error }

func (c *converter) schema(s *tfprotov6.Schema) *tfjson.Schema {
	return &tfjson.Schema{Version: uint64(max(s.Version, 0)), Block: c.block(s.Block)}
}

func (c *converter) action(s *tfprotov6.ActionSchema) *tfjson.ActionSchema {
	return &tfjson.ActionSchema{Block: c.block(s.Schema.Block)}
}

// block converts a block without nested blocks.
func (c *converter) block(b *tfprotov6.SchemaBlock) *tfjson.SchemaBlock {
	if len(b.BlockTypes) > 0 {
		c.err = errors.Join(c.err, errors.New("nested blocks are not converted"))
	}
	return &tfjson.SchemaBlock{
		Attributes:  c.attributes(b.Attributes),
		Description: b.Description, DescriptionKind: kind(b.DescriptionKind), Deprecated: b.Deprecated,
	}
}

func (c *converter) attributes(in []*tfprotov6.SchemaAttribute) map[string]*tfjson.SchemaAttribute {
	out := make(map[string]*tfjson.SchemaAttribute, len(in))
	for _, a := range in {
		attribute := &tfjson.SchemaAttribute{
			Description: a.Description, DescriptionKind: kind(a.DescriptionKind), Deprecated: a.Deprecated,
			Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly,
		}
		if a.NestedType != nil {
			attribute.AttributeNestedType = &tfjson.SchemaNestedAttributeType{
				Attributes:  c.attributes(a.NestedType.Attributes),
				NestingMode: tfjson.SchemaNestingMode(strings.ToLower(a.NestedType.Nesting.String())),
			}
		} else {
			attribute.AttributeType = c.typ(a.Type)
		}
		out[a.Name] = attribute
	}
	return out
}

func (c *converter) identity(s *tfprotov6.ResourceIdentitySchema) *tfjson.IdentitySchema {
	out := &tfjson.IdentitySchema{Version: uint64(max(s.Version, 0)), Attributes: map[string]*tfjson.IdentityAttribute{}}
	for _, a := range s.IdentityAttributes {
		out.Attributes[a.Name] = &tfjson.IdentityAttribute{
			IdentityType: c.typ(a.Type), Description: a.Description,
			RequiredForImport: a.RequiredForImport, OptionalForImport: a.OptionalForImport,
		}
	}
	return out
}

func (c *converter) function(f *tfprotov6.Function) *tfjson.FunctionSignature {
	out := &tfjson.FunctionSignature{
		Description: f.Description, Summary: f.Summary, DeprecationMessage: f.DeprecationMessage,
		ReturnType: c.typ(f.Return.Type),
	}
	if f.VariadicParameter != nil {
		c.err = errors.Join(c.err, errors.New("variadic parameters are not converted"))
	}
	for _, p := range f.Parameters {
		out.Parameters = append(out.Parameters, c.parameter(p))
	}
	return out
}

func (c *converter) parameter(p *tfprotov6.FunctionParameter) *tfjson.FunctionParameter {
	return &tfjson.FunctionParameter{Name: p.Name, Description: p.Description, IsNullable: p.AllowNullValue, Type: c.typ(p.Type)}
}

// typ converts a type via JSON, which both libraries support.
func (c *converter) typ(t tftypes.Type) cty.Type {
	var out cty.Type
	text, err := json.Marshal(t)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		c.err = errors.Join(c.err, fmt.Errorf("type %s: %w", t, err))
		return cty.DynamicPseudoType
	}
	return out
}

func kind(k tfprotov6.StringKind) tfjson.SchemaDescriptionKind {
	return tfjson.SchemaDescriptionKind(strings.ToLower(k.String()))
}
