package fastpath

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/vmihailenco/msgpack/v5"
)

// storedSchema is the schema version and the state type of a resource.
type storedSchema struct {
	version int64
	kind    tftypes.Type
}

// storedSchemas are the versions and types by resource type.
func storedSchemas(ctx context.Context, inner tfprotov6.ProviderServer) map[string]storedSchema {
	schemas, err := inner.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil
	}
	forms := make(map[string]storedSchema, len(schemas.ResourceSchemas))
	for name, schema := range schemas.ResourceSchemas {
		forms[name] = storedSchema{schema.Version, schema.ValueType()}
	}
	return forms
}

// storedSchemaOf is the stored schema of a resource type.
func (s *server) storedSchemaOf(ctx context.Context, typeName string) (stored storedSchema, known bool) {
	s.once.Do(func() {
		ctx, release := s.releasable(context.WithoutCancel(ctx))
		defer release()
		s.stored = storedSchemas(ctx, s.fullServer)
	})
	stored, known = s.stored[typeName]
	return stored, known
}

// noOpUpgrade returns the response for a state that has the current schema, or
// lacks only attributes that become null, else nil. Terraform sends the request
// for every resource of every plan.
func (s *server) noOpUpgrade(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (resp *tfprotov6.UpgradeResourceStateResponse) {
	defer fallBack(ctx, "upgrade", req.TypeName, func() { resp = nil })
	if req.RawState == nil || len(req.RawState.JSON) == 0 {
		return nil
	}
	stored, known := s.storedSchemaOf(ctx, req.TypeName)
	if !known || req.Version != stored.version {
		return nil
	}
	reader := json.NewDecoder(bytes.NewReader(req.RawState.JSON))
	reader.UseNumber()
	var state any
	if reader.Decode(&state) != nil || state == nil {
		return nil
	}
	if _, err := reader.Token(); !errors.Is(err, io.EOF) {
		return nil
	}
	if members(req.RawState.JSON) != membersOf(state) {
		return nil
	}
	raw, ok := convert(state, stored.kind)
	if !ok {
		return nil
	}
	encoded, err := msgpack.Marshal(raw)
	if err != nil {
		return nil
	}
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{MsgPack: encoded}}
}

// members counts the members of all objects in a JSON text. If the decoded
// value has fewer, the text has a duplicate key, which the framework checks.
func members(text []byte) (n int) {
	inside := false // of a string
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			inside = !inside
		case ':':
			if !inside {
				n++
			}
		}
	}
	return n
}

func membersOf(value any) (n int) {
	switch value := value.(type) {
	case map[string]any:
		for _, member := range value {
			n += 1 + membersOf(member)
		}
	case []any:
		for _, element := range value {
			n += membersOf(element)
		}
	}
	return n
}

// convert converts a JSON value to the protocol's encoding of the type. ok is
// false if the value does not fit the type.
func convert(value any, kind tftypes.Type) (raw any, ok bool) {
	if value == nil || kind == nil {
		return nil, kind != nil
	}
	switch kind := kind.(type) {
	case tftypes.Object:
		fields, isObject := value.(map[string]any)
		if !isObject {
			return nil, false
		}
		for name := range kind.AttributeTypes {
			if _, present := fields[name]; !present {
				fields[name] = nil // added by a later release
			}
		}
		return fields, convertAll(fields, func(name string) tftypes.Type { return kind.AttributeTypes[name] })
	case tftypes.Map:
		elements, isMap := value.(map[string]any)
		return elements, isMap && convertAll(elements, func(string) tftypes.Type { return kind.ElementType })
	case tftypes.List:
		elements, isList := value.([]any)
		for i := range elements {
			if elements[i], ok = convert(elements[i], kind.ElementType); !ok {
				return nil, false
			}
		}
		return elements, isList
	}
	return convertPrimitive(value, kind)
}

// convertAll converts the values of a map in place. A nil type matches no value.
func convertAll(values map[string]any, kind func(name string) tftypes.Type) bool {
	for name, value := range values {
		raw, ok := convert(value, kind(name))
		if !ok {
			return false
		}
		values[name] = raw
	}
	return true
}

func convertPrimitive(value any, kind tftypes.Type) (raw any, ok bool) {
	switch value := value.(type) {
	case string:
		return value, tftypes.String.Equal(kind)
	case bool:
		return value, tftypes.Bool.Equal(kind)
	case json.Number:
		number, err := value.Int64()
		return number, err == nil && tftypes.Number.Equal(kind)
	}
	return nil, false
}
