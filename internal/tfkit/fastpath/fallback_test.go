package fastpath

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
	"github.com/vmihailenco/msgpack/v5"
)

// framework simulates the framework's server and counts the requests that reach
// it.
type framework struct {
	upgrader
	answered int
	seen     context.Context
}

func (f *framework) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	panic("secret-in-a-panic")
}

func (f *framework) UpgradeResourceState(context.Context, *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	f.answered++
	return &tfprotov6.UpgradeResourceStateResponse{}, nil
}

func (f *framework) PlanResourceChange(context.Context, *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	f.answered++
	return &tfprotov6.PlanResourceChangeResponse{}, nil
}

func (f *framework) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	f.answered++
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (f *framework) ReadResource(ctx context.Context, _ *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	f.answered++
	f.seen = ctx
	return &tfprotov6.ReadResourceResponse{}, nil
}

// TestWrap: a server without the optional interfaces is not wrapped.
func TestWrap(t *testing.T) {
	t.Parallel()
	inner := struct{ tfprotov6.ProviderServer }{&upgrader{}}
	if Wrap(inner, Options{}) != tfprotov6.ProviderServer(inner) {
		t.Error("it is wrapped")
	}
}

// TestNoState: a request without a state is for the framework, and no panic.
func TestNoState(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	inner := &framework{}
	_, err := Wrap(inner, Options{}).UpgradeResourceState(tflogtest.RootLogger(t.Context(), &log), &tfprotov6.UpgradeResourceStateRequest{TypeName: "thing"})
	if err != nil || inner.answered != 1 || log.Len() > 0 {
		t.Errorf("%d requests, %v, logged %q", inner.answered, err, log.String())
	}
}

// TestPanicFallsBack: after a panic in any shortcut the framework answers, with
// the original context of the request, and the log has a line without the data
// of the panic.
func TestPanicFallsBack(t *testing.T) {
	t.Parallel()
	encoded, err := msgpack.Marshal(map[string]any{"name": "a"})
	if err != nil {
		t.Fatal(err)
	}
	value := &tfprotov6.DynamicValue{MsgPack: encoded}
	outOfRange := func() bool { var none []bool; return none[len(encoded)] }
	inner := &framework{}
	server := Wrap(inner, Options{
		FastValidate: map[string]FastValidate{"thing": func(context.Context, map[string]any) bool { return outOfRange() }},
		NoOpPlan:     map[string]NoOpPlan{"thing": func(_ context.Context, _, _ map[string]any, _ map[string][]byte) bool { return outOfRange() }},
		NoOpRead: map[string]NoOpRead{"thing": func(context.Context, map[string]any, map[string][]byte) (context.Context, map[string]string, bool) {
			panic("secret-in-a-panic")
		}},
	})
	for name, call := range map[string]func(context.Context) error{
		"upgrade": func(ctx context.Context) error {
			_, err := server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{TypeName: "thing", RawState: &tfprotov6.RawState{JSON: []byte(`{}`)}})
			return err
		},
		"plan": func(ctx context.Context) error {
			_, err := server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{TypeName: "thing", Config: value, PriorState: value, ProposedNewState: value, PriorPrivate: []byte(`{}`)})
			return err
		},
		"validate": func(ctx context.Context) error {
			_, err := server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: "thing", Config: value})
			return err
		},
		"read": func(ctx context.Context) error {
			_, err := server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: "thing", CurrentState: value, Private: []byte(`{}`)})
			return err
		},
	} {
		inner.answered, inner.seen = 0, nil
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(context.WithValue(t.Context(), key{}, name), &log)
		if err := call(ctx); err != nil || inner.answered != 1 {
			t.Errorf("%s: the framework got %d requests, want 1: %v", name, inner.answered, err)
		}
		if inner.seen != nil && inner.seen.Value(key{}) != name {
			t.Errorf("%s: the framework read with another context", name)
		}
		if text := log.String(); !strings.Contains(text, "a shortcut of the provider panicked") || !strings.Contains(text, `"type":"thing"`) || !strings.Contains(text, "fastpath") || strings.Contains(text, "secret-in-a-panic") {
			t.Errorf("%s: the log is %s", name, text)
		}
	}
}
