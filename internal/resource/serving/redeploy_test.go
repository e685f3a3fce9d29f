package serving

import (
	"context"
	"errors"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
)

// newRedeployBox is a sandbox with a serving "s" of alice, and a client to it.
func newRedeployBox(t *testing.T) (*sandbox.Sandbox, *kuscia.Client) {
	t.Helper()
	box, c := sandboxtest.Start(t, sandbox.Options{Timing: sandbox.QuickTiming()})
	if err := box.PutAppImage(kuscia.AppImage{
		Name: "app", Image: kuscia.AppImageInfo{Name: "example.com/app", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}},
	}); err != nil {
		t.Fatal(err)
	}
	err := c.Kuscia.CreateServing(t.Context(), &kuscia.CreateServingRequest{
		ServingID: "s", Initiator: "alice", ServingInputConfig: `{"v": 1}`,
		Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "app"}},
	})
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

// What another client stored in the meantime is not reverted.
func TestRedeployKeepsWhatOthersWrite(t *testing.T) {
	box, api := newRedeployBox(t)
	writer := &otherWriter{Client: api, box: box, texts: []string{`{"v": 2}`, `{"v": 3}`}}
	current, err := redeploy(t.Context(), writer, "s", checkRedeployable)
	if err != nil {
		t.Fatal(err)
	}
	if got := inputConfig(t, box); got != "{\"v\": 3}\n" || writer.updates != 3 || current.ServingInputConfig != `{"v": 3}` {
		t.Errorf("%q after %d updates, from %q", got, writer.updates, current.ServingInputConfig)
	}
}

// A text that is no longer JSON when it is read again is not changed.
func TestRedeployLooksAgainAfterAConflict(t *testing.T) {
	box, api := newRedeployBox(t)
	writer := &otherWriter{Client: api, box: box, texts: []string{"plain"}}
	_, err := redeploy(t.Context(), writer, "s", checkRedeployable)
	var refused *refusedError
	if !errors.As(err, &refused) || inputConfig(t, box) != "plain" {
		t.Errorf("%v, %q", err, inputConfig(t, box))
	}
}

// Lost responses: the request is sent again only if the text shows that it did
// not take effect.
func TestRedeployLostResponse(t *testing.T) {
	for _, after := range []bool{false, true} {
		box, _ := newRedeployBox(t)
		api, err := kuscia.New(kuscia.Config{Endpoint: box.Endpoint(), Token: box.Token(), MaxRetries: 0})
		if err != nil {
			t.Fatal(err)
		}
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

// A lost response whose outcome cannot be determined is an error.
func TestRedeployUncertain(t *testing.T) {
	box, _ := newRedeployBox(t)
	api, err := kuscia.New(kuscia.Config{Endpoint: box.Endpoint(), Token: box.Token(), MaxRetries: 0})
	if err != nil {
		t.Fatal(err)
	}
	first := true
	_, err = redeploy(t.Context(), api, "s", func(current *kuscia.Serving) error {
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
}
