package fastpath

import (
	"context"
	"math"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// valueOf converts a known value from the protocol's encoding to the
// framework's type. ok is false if it does not fit the type.
func valueOf(ctx context.Context, kind attr.Type, raw any) (value attr.Value, ok bool) {
	switch kind := kind.(type) {
	case basetypes.StringTypable:
		text, ok := nullable[string](raw)
		value, diags := kind.ValueFromString(ctx, types.StringPointerValue(text))
		return value, ok && len(diags) == 0
	case basetypes.BoolTypable:
		is, ok := nullable[bool](raw)
		value, diags := kind.ValueFromBool(ctx, types.BoolPointerValue(is))
		return value, ok && len(diags) == 0
	case basetypes.Int64Typable:
		number, ok := nullable[int64](raw)
		value, diags := kind.ValueFromInt64(ctx, types.Int64PointerValue(number))
		return value, ok && len(diags) == 0
	case basetypes.Int32Typable:
		number, ok := nullable[int64](raw)
		base := types.Int32Null()
		if number != nil {
			ok = ok && *number >= math.MinInt32 && *number <= math.MaxInt32
			base = types.Int32Value(int32(*number)) /* #nosec G115 -- in range, or not ok */
		}
		value, diags := kind.ValueFromInt32(ctx, base)
		return value, ok && len(diags) == 0
	case basetypes.ListTypable:
		return listOf(ctx, kind, raw)
	case basetypes.MapTypable:
		return mapOf(ctx, kind, raw)
	case basetypes.ObjectTypable:
		return objectOf(ctx, kind, raw)
	}
	return nil, false
}

// nullable converts an encoded value to a pointer; nil is null.
func nullable[T any](raw any) (value *T, ok bool) {
	if raw == nil {
		return nil, true
	}
	typed, ok := raw.(T)
	return &typed, ok
}

func listOf(ctx context.Context, kind basetypes.ListTypable, raw any) (attr.Value, bool) {
	typed, ok := kind.(attr.TypeWithElementType)
	if !ok {
		return nil, false
	}
	base := types.ListNull(typed.ElementType())
	if raw != nil {
		list, isList := raw.([]any)
		elements := make([]attr.Value, len(list))
		for i := range list {
			if elements[i], ok = valueOf(ctx, typed.ElementType(), list[i]); !ok {
				return nil, false
			}
		}
		made, diags := types.ListValue(typed.ElementType(), elements)
		if !isList || len(diags) > 0 {
			return nil, false
		}
		base = made
	}
	value, diags := kind.ValueFromList(ctx, base)
	return value, len(diags) == 0
}

func mapOf(ctx context.Context, kind basetypes.MapTypable, raw any) (attr.Value, bool) {
	typed, ok := kind.(attr.TypeWithElementType)
	if !ok {
		return nil, false
	}
	base := types.MapNull(typed.ElementType())
	if raw != nil {
		plain, isMap := raw.(map[string]any)
		elements := make(map[string]attr.Value, len(plain))
		for name := range plain {
			if elements[name], ok = valueOf(ctx, typed.ElementType(), plain[name]); !ok {
				return nil, false
			}
		}
		made, diags := types.MapValue(typed.ElementType(), elements)
		if !isMap || len(diags) > 0 {
			return nil, false
		}
		base = made
	}
	value, diags := kind.ValueFromMap(ctx, base)
	return value, len(diags) == 0
}

func objectOf(ctx context.Context, kind basetypes.ObjectTypable, raw any) (attr.Value, bool) {
	typed, ok := kind.(attr.TypeWithAttributeTypes)
	if !ok {
		return nil, false
	}
	attributeTypes := typed.AttributeTypes()
	base := types.ObjectNull(attributeTypes)
	if raw != nil {
		plain, isObject := raw.(map[string]any)
		if !isObject || len(plain) != len(attributeTypes) {
			return nil, false
		}
		fields := make(map[string]attr.Value, len(plain))
		for name, kind := range attributeTypes {
			if _, present := plain[name]; !present {
				return nil, false
			}
			if fields[name], ok = valueOf(ctx, kind, plain[name]); !ok {
				return nil, false
			}
		}
		made, diags := types.ObjectValue(attributeTypes, fields)
		if len(diags) > 0 {
			return nil, false
		}
		base = made
	}
	value, diags := kind.ValueFromObject(ctx, base)
	return value, len(diags) == 0
}
