package bounded

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// lines tells which diagnostics must not have a path: the CLI shows the lines of its
// attribute, in which a secret may be written. The zero value is a block without secrets.
type lines struct {
	schema *tfprotov6.Schema
	// attributes are those of the configuration, or of the state; nil if neither is known.
	attributes map[string]tftypes.Value
	// texts are those in each attribute that have a secret, whatever the schema says.
	texts map[string][]string
	// isConfig is set for a configuration: it may have a secret that the state does not have.
	isConfig bool
}

func newLines(schema *tfprotov6.Schema, value *tfprotov6.DynamicValue, isConfig bool) lines {
	l := lines{schema: schema, texts: map[string][]string{}, isConfig: isConfig}
	if schema == nil || value == nil {
		return l
	}
	all, err := value.Unmarshal(schema.ValueType())
	if err == nil && all.IsKnown() && !all.IsNull() {
		_ = all.As(&l.attributes) // an object
	}
	for name, value := range l.attributes {
		l.texts[name] = secretTexts("", value)
	}
	return l
}

// haveSecret reports whether the lines at a path may have a secret. Those of a value within an object
// are often those of the whole attribute.
func (l lines) haveSecret(at *tftypes.AttributePath) bool {
	if l.schema == nil || len(at.Steps()) == 0 {
		return false
	}
	name, _ := at.Steps()[0].(tftypes.AttributeName)
	for _, attribute := range l.schema.Block.Attributes {
		if attribute.Name == string(name) {
			value, known := l.attributes[attribute.Name]
			return len(l.texts[attribute.Name]) > 0 || known && hasSecret(attribute, value) || (!known || !l.isConfig) && mayHaveSecret(attribute)
		}
	}
	return false
}

// masker masks the texts with a secret by their content, in any attribute: one may be quoted for
// another attribute. A secret by the schema is never quoted.
func (l lines) masker() httpapi.Masker {
	var all []string
	for _, texts := range l.texts {
		for _, text := range texts {
			secrets := secrets.In(text)
			all = slices.Concat(all, []string{text}, secrets, beginnings(text, secrets))
		}
	}
	for _, text := range all {
		all = append(all, strings.ToUpper(text)) // as some are sent
	}
	return httpapi.NewMasker(all...)
}

// Messages show a part of a longer text: at least minCut bytes, in any case less than maxCut.
const minCut, maxCut = 60, 66

// beginnings are what messages may show of a long text, with a part of a secret in it.
func beginnings(text string, secrets []string) (found []string) {
	if len(text) <= minCut {
		return nil
	}
	const shortest = 16 // not of ordinary texts
	from := shortest
	if len(secrets) > 0 {
		from = max(from, strings.Index(text, secrets[0])+1)
	}
	for end := from; end < min(len(text), maxCut); end++ {
		found = append(found, text[:end])
	}
	return found
}

// isSecret reports whether a schema says that an attribute is a secret.
func isSecret(attribute *tfprotov6.SchemaAttribute) bool {
	return attribute.Sensitive || attribute.WriteOnly
}

// mayHaveSecret reports whether an attribute, or one within it, is a secret.
func mayHaveSecret(attribute *tfprotov6.SchemaAttribute) bool {
	if isSecret(attribute) {
		return true
	}
	if attribute.NestedType != nil {
		for _, nested := range attribute.NestedType.Attributes {
			if mayHaveSecret(nested) {
				return true
			}
		}
	}
	return false
}

// hasSecret reports whether an attribute has a value that is a secret by the schema.
func hasSecret(attribute *tfprotov6.SchemaAttribute, value tftypes.Value) bool {
	switch {
	case value.IsNull():
		return false
	case isSecret(attribute):
		return true
	case !value.IsKnown():
		return mayHaveSecret(attribute)
	case attribute.NestedType == nil:
		return false
	}
	for _, object := range objectsIn(value) {
		var fields map[string]tftypes.Value
		if !object.IsKnown() || object.IsNull() || object.As(&fields) != nil {
			continue
		}
		for _, nested := range attribute.NestedType.Attributes {
			if hasSecret(nested, fields[nested.Name]) {
				return true
			}
		}
	}
	return false
}

// objectsIn are the objects of an attribute that is one, or has several.
func objectsIn(value tftypes.Value) []tftypes.Value {
	var several []tftypes.Value
	if value.As(&several) == nil {
		return several
	}
	var named map[string]tftypes.Value
	if !value.Type().Is(tftypes.Map{}) || value.As(&named) != nil {
		return []tftypes.Value{value}
	}
	for _, one := range named {
		several = append(several, one)
	}
	return several
}

// secretTexts are the texts in a value that have a secret, or are one by the name of their key.
func secretTexts(key string, value tftypes.Value) (found []string) {
	if !value.IsKnown() || value.IsNull() {
		return nil
	}
	var text string
	if value.As(&text) == nil {
		if secrets.Is(key, text) || secrets.Has(text) {
			return []string{text}
		}
		return nil
	}
	var list []tftypes.Value
	if value.As(&list) == nil {
		var words []string
		for _, element := range list {
			found = append(found, secretTexts("", element)...)
			if element.IsKnown() && element.As(&text) == nil {
				words = append(words, text)
			}
		}
		for _, i := range secrets.Arguments(words) {
			found = append(found, words[i])
		}
		return found
	}
	var named map[string]tftypes.Value
	if value.As(&named) != nil {
		return nil
	}
	// A variable of a container has its name beside it.
	if name, has := named["name"]; has && name.IsKnown() && name.As(&text) == nil {
		found = append(found, secretTexts(text, named["value"])...)
	}
	for key, element := range named {
		if secrets.Has(key) {
			found = append(found, key)
		}
		found = append(found, secretTexts(key, element)...)
	}
	return found
}

// schemas are those of the provider, requested once.
type schemas struct {
	once sync.Once
	all  *tfprotov6.GetProviderSchemaResponse
}

// linesOf returns the lines of a block; the schema is requested only if needed.
func (s *server) linesOf(ctx context.Context, schema func(*tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema, value *tfprotov6.DynamicValue, isConfig bool) func() lines {
	return func() lines {
		all := s.providerSchema(ctx)
		if all == nil {
			return lines{}
		}
		return newLines(schema(all), value, isConfig)
	}
}

func (s *server) providerSchema(ctx context.Context) *tfprotov6.GetProviderSchemaResponse {
	s.schemas.once.Do(func() {
		all, err := s.GetProviderSchema(context.WithoutCancel(ctx), &tfprotov6.GetProviderSchemaRequest{})
		if err == nil {
			s.schemas.all = all
		}
	})
	return s.schemas.all
}

func (s *server) providerLines(ctx context.Context, config *tfprotov6.DynamicValue) func() lines {
	return s.linesOf(ctx, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema { return all.Provider }, config, true)
}

func (s *server) resourceLines(ctx context.Context, typeName string, config *tfprotov6.DynamicValue) func() lines {
	return s.linesOf(ctx, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema { return all.ResourceSchemas[typeName] }, config, true)
}

// stateLines are those of a resource whose configuration is not in the request.
func (s *server) stateLines(ctx context.Context, typeName string, state *tfprotov6.DynamicValue) func() lines {
	return s.linesOf(ctx, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema { return all.ResourceSchemas[typeName] }, state, false)
}

func (s *server) dataSourceLines(ctx context.Context, typeName string, config *tfprotov6.DynamicValue) func() lines {
	return s.linesOf(ctx, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
		return all.DataSourceSchemas[typeName]
	}, config, true)
}

func (s *server) ephemeralLines(ctx context.Context, typeName string, config *tfprotov6.DynamicValue) func() lines {
	return s.linesOf(ctx, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
		return all.EphemeralResourceSchemas[typeName]
	}, config, true)
}

func (s *server) listLines(ctx context.Context, typeName string, config *tfprotov6.DynamicValue) func() lines {
	return s.linesOf(ctx, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
		return all.ListResourceSchemas[typeName]
	}, config, true)
}

func (s *server) actionLines(ctx context.Context, actionType string, config *tfprotov6.DynamicValue) func() lines {
	return s.linesOf(ctx, func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
		if action := all.ActionSchemas[actionType]; action != nil {
			return action.Schema
		}
		return nil
	}, config, true)
}
