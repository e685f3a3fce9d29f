package fastpath

import (
	"bytes"
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
)

// noOpRead returns the response to a read that provably changes nothing, or
// nil; the framework then reads with the returned context.
func (s *server) noOpRead(ctx context.Context, req *tfprotov6.ReadResourceRequest) (next context.Context, resp *tfprotov6.ReadResourceResponse) {
	defer fallBack(ctx, "read", req.TypeName, func() { next, resp = ctx, nil })
	rule := s.options.NoOpRead[req.TypeName]
	// With deferral allowed, the framework decides.
	if rule == nil || req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed || !present(req.CurrentState) {
		return ctx, nil
	}
	private, ok := decodePrivate(req.Private)
	state := decode(req.CurrentState.MsgPack)
	if !ok || state == nil {
		return ctx, nil
	}
	next, identity, unchanged := rule(ctx, state, private)
	if !unchanged {
		return next, nil
	}
	encoded, err := encodeIdentity(identity)
	if err != nil || !sameIdentity(req.CurrentIdentity, encoded) {
		return next, nil
	}
	return next, &tfprotov6.ReadResourceResponse{
		NewState:    &tfprotov6.DynamicValue{MsgPack: req.CurrentState.MsgPack},
		Private:     req.Private,
		NewIdentity: &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: encoded}},
	}
}

// encodeIdentity encodes an identity as Terraform does: sorted by name, so that
// two encodings can be compared.
func encodeIdentity(identity map[string]string) ([]byte, error) {
	var encoded bytes.Buffer
	encoder := msgpack.NewEncoder(&encoded)
	encoder.SetSortMapKeys(true)
	err := encoder.Encode(identity)
	return encoded.Bytes(), err
}

// sameIdentity reports whether the current identity of a resource is this one
// or not set yet.
func sameIdentity(current *tfprotov6.ResourceIdentityData, identity []byte) bool {
	if current == nil {
		return true
	}
	return current.IdentityData != nil && bytes.Equal(current.IdentityData.MsgPack, identity)
}
