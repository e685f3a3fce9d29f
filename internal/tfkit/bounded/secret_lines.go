package bounded

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// lines tells which diagnostics must not have a path: the CLI shows the lines of its
// attribute, in which a secret may be written. The zero value is a block without secrets.
type lines struct {
	schema *tfprotov6.Schema
	// attributes are those of the configuration, or of the state; nil if neither is known.
	attributes map[string]tftypes.Value
	// isConfig is set for a configuration: it may have a secret that the state does not have.
	isConfig bool
}

func newLines(schema *tfprotov6.Schema, value *tfprotov6.DynamicValue, isConfig bool) lines {
	l := lines{schema: schema, isConfig: isConfig}
	if schema == nil || value == nil {
		return l
	}
	all, err := value.Unmarshal(schema.ValueType())
	if err == nil && all.IsKnown() && !all.IsNull() {
		_ = all.As(&l.attributes) // an object
	}
	return l
}

// secretLines returns whether the lines at a path may have a secret. Those of a value within
// an object are often those of the whole attribute.
func secretLines(of func() lines) func(at *tftypes.AttributePath) bool {
	once, known := sync.OnceValue(of), map[tftypes.AttributeName]bool{}
	return func(at *tftypes.AttributePath) bool {
		if len(at.Steps()) == 0 {
			return false
		}
		name, _ := at.Steps()[0].(tftypes.AttributeName)
		found, ok := known[name]
		if !ok {
			found = once().haveSecret(string(name))
			known[name] = found
		}
		return found
	}
}

// haveSecret reports whether the lines of an attribute may have a secret.
func (l lines) haveSecret(name string) bool {
	if l.schema == nil {
		return false
	}
	for _, attribute := range l.schema.Block.Attributes {
		if attribute.Name == name {
			value, known := l.attributes[name]
			return known && hasSecret(attribute, value) || (!known || !l.isConfig) && mayHaveSecret(attribute)
		}
	}
	return false
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

// hasSecret reports whether an attribute has a value that is a secret, by the schema or by what is
// in it.
func hasSecret(attribute *tfprotov6.SchemaAttribute, value tftypes.Value) bool {
	switch {
	case value.IsNull():
		return false
	case isSecret(attribute):
		return true
	case !value.IsKnown():
		return mayHaveSecret(attribute)
	case attribute.NestedType == nil:
		return textsHaveSecret("", value)
	}
	for _, object := range objectsIn(value) {
		if textsHaveSecret("", object) {
			return true
		}
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

// textsHaveSecret reports whether a text in a value has a secret, or is one by the name of its key.
func textsHaveSecret(key string, value tftypes.Value) bool {
	if !value.IsKnown() || value.IsNull() {
		return false
	}
	var text string
	if value.As(&text) == nil {
		return tfvalue.IsSecret(key, text) || tfvalue.HasSecret(text)
	}
	var list []tftypes.Value
	if value.As(&list) == nil {
		var words []string
		for _, element := range list {
			if textsHaveSecret("", element) {
				return true
			}
			if element.IsKnown() && element.As(&text) == nil {
				words = append(words, text)
			}
		}
		return len(tfvalue.SecretArguments(words)) > 0
	}
	var named map[string]tftypes.Value
	if value.As(&named) != nil {
		return false
	}
	// A variable of a container has its name beside it.
	if name, has := named["name"]; has && name.IsKnown() && name.As(&text) == nil && textsHaveSecret(text, named["value"]) {
		return true
	}
	for key, element := range named {
		if textsHaveSecret(key, element) {
			return true
		}
	}
	return false
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
