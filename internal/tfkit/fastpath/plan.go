package fastpath

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
)

// null is the msgpack encoding of nil.
const null = 0xc0

// noOpPlan returns the response to a plan that provably changes nothing, else
// nil.
func (s *server) noOpPlan(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (resp *tfprotov6.PlanResourceChangeResponse) {
	defer fallBack(ctx, "plan", req.TypeName, func() { resp = nil })
	rule := s.options.NoOpPlan[req.TypeName]
	// With deferral allowed, the framework decides.
	if rule == nil || req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed {
		return nil
	}
	if !present(req.Config) || !present(req.PriorState) || !present(req.ProposedNewState) {
		return nil
	}
	private, ok := decodePrivate(req.PriorPrivate)
	if !ok {
		return nil
	}
	config, prior := decode(req.Config.MsgPack), decode(req.PriorState.MsgPack)
	if config == nil || prior == nil || !rule(ctx, config, prior, private) {
		return nil
	}
	identity := req.PriorIdentity
	if identity == nil {
		identity = &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: []byte{null}}}
	}
	return &tfprotov6.PlanResourceChangeResponse{
		PlannedState:    &tfprotov6.DynamicValue{MsgPack: req.PriorState.MsgPack},
		PlannedPrivate:  req.PriorPrivate,
		PlannedIdentity: identity,
	}
}

// present reports whether there is a value that is not null, so that the plan
// is neither a create nor a delete.
func present(value *tfprotov6.DynamicValue) bool {
	return value != nil && len(value.MsgPack) > 1 && len(value.JSON) == 0
}

// decode decodes an object. It returns nil if there is anything that it cannot
// decode, such as an unknown value.
func decode(encoded []byte) map[string]any {
	reader := bytes.NewReader(encoded)
	decoder := msgpack.GetDecoder()
	defer msgpack.PutDecoder(decoder)
	decoder.Reset(reader)
	decoder.UseLooseInterfaceDecoding(true)
	value, err := decoder.DecodeInterface()
	if err != nil {
		return nil
	}
	if _, err := reader.ReadByte(); !errors.Is(err, io.EOF) {
		return nil
	}
	object, _ := signed(value).(map[string]any)
	return object
}

// signed converts unsigned integers, as which msgpack encodes whole numbers
// from 128 on, to int64. A number beyond the range of int64 stays unsigned,
// which no caller accepts as a number.
func signed(value any) any {
	switch value := value.(type) {
	case uint64:
		if value <= math.MaxInt64 {
			return int64(value)
		}
	case []any:
		for i, element := range value {
			value[i] = signed(element)
		}
	case map[string]any:
		for name, element := range value {
			switch element.(type) {
			case uint64, []any, map[string]any:
				value[name] = signed(element)
			}
		}
	}
	return value
}

// decodePrivate decodes the framework's encoding of private state. Empty
// private state has no keys.
func decodePrivate(encoded []byte) (private map[string][]byte, ok bool) {
	if len(encoded) == 0 {
		return nil, true
	}
	return private, json.Unmarshal(encoded, &private) == nil
}
