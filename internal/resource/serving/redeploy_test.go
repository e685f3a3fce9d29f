package serving

import (
	"context"
	"errors"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// newRedeployBox is a sandbox with a serving "s" of alice, and a client to it that sends each
// request once.
func newRedeployBox(t *testing.T) (*sandbox.Sandbox, *kuscia.Client) {
	t.Helper()
	box, c := sandboxtest.Start(t, sandbox.Options{Timing: sandbox.QuickTiming()}, func(c *kuscia.Config) { c.MaxRetries = 0 })
	err := errors.Join(box.PutAppImage(*AppImage("app", Container("app"))), c.Kuscia.CreateServing(t.Context(), &kuscia.CreateServingRequest{
		ServingID: "s", Initiator: "alice", ServingInputConfig: `{"v": 1}`, Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "app"}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	return box, c.Kuscia
}

func inputConfig(t *testing.T, box *sandbox.Sandbox) string {
	t.Helper()
	spec, err := box.Serving("s")
	if err != nil {
		t.Fatal(err)
	}
	return spec.InputConfig
}

// otherWriter changes the text between the query and the update of the first
// rounds, and makes the update conflict with that.
type otherWriter struct {
	*kuscia.Client
	box     *sandbox.Sandbox
	texts   []string
	updates int
}

func (w *otherWriter) UpdateServing(ctx context.Context, request *kuscia.UpdateServingRequest) error {
	w.updates++
	if len(w.texts) > 0 {
		text := w.texts[0]
		w.texts = w.texts[1:]
		if err := w.box.MutateServing("s", func(spec *sandbox.ServingSpec) { spec.InputConfig = text }); err != nil {
			return err
		}
		w.box.Inject(sandbox.Fault{Kind: sandbox.FaultConflict, Path: "serving/update", Times: 1})
	}
	return w.Client.UpdateServing(ctx, request)
}

// What another client stored in the meantime is not reverted, and a text that is no longer JSON
// when it is read again is not changed.
func TestRedeployKeepsWhatOthersWrite(t *testing.T) {
	for _, test := range []struct {
		texts   []string
		stored  string
		updates int
		refused bool
	}{
		{[]string{`{"v": 2}`, `{"v": 3}`}, "{\"v\": 3}\n", 3, false},
		{[]string{"plain"}, "plain", 1, true},
	} {
		box, api := newRedeployBox(t)
		writer := &otherWriter{Client: api, box: box, texts: test.texts}
		_, err := redeploy(t.Context(), writer, "s", checkRedeployable)
		var refused *refusedError
		if got := inputConfig(t, box); got != test.stored || writer.updates != test.updates || errors.As(err, &refused) != test.refused || err != nil && !test.refused {
			t.Errorf("%q after %d updates: %v", got, writer.updates, err)
		}
	}
}

// Lost responses: the request is sent again only if the text shows that it did
// not take effect.
func TestRedeployLostResponse(t *testing.T) {
	for _, after := range []bool{false, true} {
		box, api := newRedeployBox(t)
		box.ResetRequests()
		box.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/update", AfterEffect: after, Times: 1})
		if _, err := redeploy(t.Context(), api, "s", checkRedeployable); err != nil {
			t.Fatal(err)
		}
		want := 2
		if after {
			want = 1
		}
		if n := box.Count("/api/v1/serving/update"); n != want || inputConfig(t, box) != "{\"v\": 1}\n" {
			t.Errorf("after the effect %t: %d updates, %q", after, n, inputConfig(t, box))
		}
	}
}

// A lost response whose outcome cannot be determined is an error, and so is a refused update.
func TestRedeployUncertain(t *testing.T) {
	box, api := newRedeployBox(t)
	first := true
	_, err := redeploy(t.Context(), api, "s", func(current *kuscia.Serving) error {
		if first {
			first = false
			box.Inject(sandbox.Fault{Kind: sandbox.FaultReset, AfterEffect: true, Times: sandbox.Always})
		}
		return checkRedeployable(current)
	})
	var lost *lostError
	if !errors.As(err, &lost) {
		t.Errorf("%v", err)
	}
	box, api = newRedeployBox(t)
	box.Inject(sandbox.Fault{Kind: sandbox.FaultUnauthorized, Path: "serving/update", Times: 1})
	if _, err := redeploy(t.Context(), api, "s", checkRedeployable); !errors.Is(err, kuscia.ErrUnauthorized) {
		t.Errorf("a refused update: %v", err)
	}
}
