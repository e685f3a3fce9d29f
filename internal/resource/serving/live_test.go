package serving_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

type attrs = map[string]any

// live is a serving over the plugin protocol, with each command in a new run of the provider.
type live struct {
	t     *testing.T
	env   *acctest.Env
	of    attrs
	state protocol.State
	// variables are further environment variables of the provider.
	variables map[string]string
}

// newLive is a serving of alice that is not created yet.
func newLive(t *testing.T, env *acctest.Env, image string) *live {
	t.Helper()
	l := &live{t: t, env: env, of: attrs{"serving_id": env.Name("live"), "initiator": "alice"}}
	l.alice(attrs{"app_image": image})
	l.state = l.run().None()
	t.Cleanup(func() {
		if env.Sandbox == nil && !l.state.Value.IsNull() {
			l.run().Delete(t, l.state)
		}
	})
	return l
}

func (l *live) set(changes attrs) *live {
	l.of = maps.Clone(l.of)
	maps.Copy(l.of, changes)
	return l
}

func (l *live) alice(changes attrs) *live {
	parties, _ := l.of["parties"].(attrs)
	alice, _ := parties["alice"].(attrs)
	alice, parties = maps.Clone(alice), maps.Clone(parties)
	if parties == nil {
		alice, parties = attrs{}, attrs{}
	}
	maps.Copy(alice, changes)
	parties["alice"] = alice
	return l.set(attrs{"parties": parties})
}

func (l *live) id() string { return l.of["serving_id"].(string) }

func (l *live) run() *protocol.Resource {
	l.t.Helper()
	return l.env.Server(l.variables).Resource(l.t, "kuscia_serving")
}

func (l *live) config(r *protocol.Resource) tftypes.Value { return protocol.Value(r.Kind, l.of) }

func (l *live) planned(r *protocol.Resource) (planned protocol.State, said string) {
	l.t.Helper()
	response, value := r.Plan(l.t, l.config(r), l.state)
	return protocol.State{Value: value, Private: response.PlannedPrivate}, protocol.Messages(response.Diagnostics)
}

// plan is what a new run says in a plan, and whether the plan changes something.
func (l *live) plan() (said string, differs bool) {
	l.t.Helper()
	planned, said := l.planned(l.run())
	return said, !planned.Value.Equal(l.state.Value)
}

func (l *live) save() *tfprotov6.PlanResourceChangeResponse {
	l.t.Helper()
	r := l.run()
	response, _ := r.Plan(l.t, l.config(r), l.state)
	if protocol.Failed(response.Diagnostics) {
		l.t.Fatal(protocol.Messages(response.Diagnostics))
	}
	return response
}

func (l *live) change(plan *tfprotov6.PlanResourceChangeResponse) (said string) {
	l.t.Helper()
	r := l.run()
	made := r.Change(l.t, l.config(r), l.state, plan)
	l.state = protocol.State{Value: protocol.Decode(r.Kind, made.NewState), Private: made.Private, Identity: made.NewIdentity}
	return protocol.Messages(made.Diagnostics)
}

func (l *live) try() (said string) {
	l.t.Helper()
	r := l.run()
	l.state, said = r.Apply(l.t, l.config(r), l.state)
	return said
}

// mustApply applies without an error, and checks that the next plan is empty.
func (l *live) mustApply() (said string) {
	l.t.Helper()
	said = l.try()
	if strings.Contains(said, "ERROR") {
		l.t.Fatal(said)
	}
	l.mustRead()
	if said, differs := l.plan(); differs || strings.Contains(said, "ERROR") {
		l.t.Fatalf("the next plan is not empty: %s", said)
	}
	return said
}

func (l *live) refresh() (said string) {
	l.t.Helper()
	response, state := l.run().Read(l.t, l.state)
	l.state = state
	return protocol.Messages(response.Diagnostics)
}

func (l *live) mustRead() {
	l.t.Helper()
	if said := l.refresh(); strings.Contains(said, "ERROR") {
		l.t.Fatal(said)
	}
}

func (l *live) query() *kuscia.Serving {
	l.t.Helper()
	found, err := l.env.API.QueryServing(l.t.Context(), l.id())
	if err != nil {
		l.t.Fatal(err)
	}
	return found
}

var says = protocol.Says

// broken returns an app image whose pods never start.
func broken(i *kuscia.AppImage) { i.Image.Tag = "broken" }

// short is a short time limit, but long enough for the server to report why pods
// do not start.
func short(e *acctest.Env) string {
	if e.Sandbox == nil {
		return "15s"
	}
	return "3s"
}

// sent returns the bodies of the updates of a serving, oldest first, as JSON without
// the header and the ID.
func sent(e *acctest.Env, servingID string) (bodies []string) {
	for _, request := range e.Sandbox.Requests() {
		body := attrs{}
		if request.Op != acctest.PathServingUpdate || json.Unmarshal([]byte(request.Body), &body) != nil || body["serving_id"] != servingID {
			continue
		}
		delete(body, "header")
		delete(body, "serving_id")
		text, _ := json.Marshal(body) // it was JSON
		bodies = append(bodies, string(text))
	}
	return bodies
}

// handmade creates a serving with the API and deletes it at the end, if it still
// exists.
func handmade(t *testing.T, e *acctest.Env, request *kuscia.CreateServingRequest) {
	t.Helper()
	e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.CreateServing(ctx, request) })()
	t.Cleanup(e.Do(func(ctx context.Context, api *kuscia.Client) error {
		err := api.DeleteServing(ctx, request.ServingID)
		if errors.Is(err, kuscia.ErrNotFound) {
			return nil
		}
		return err
	}))
}
