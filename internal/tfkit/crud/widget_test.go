package crud_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// widget is an object with one attribute of every supported kind.
type widget struct {
	domain, id, title, note string
	size                    int64
	access                  bool
	secret                  string
	labels                  map[string]string
	// The server sets token some time after the create, and revision on every
	// write.
	token    string
	revision int64
	// seen is set by a query after a wait.
	seen bool
}

// widgets is the server of widgets.
type widgets struct {
	has map[string]widget
	// stale is the number of queries after a write that return the old object.
	stale, left int
	before      map[string]widget
	// onCreate and onUpdate may return an error, before or after the effect.
	onCreate, onUpdate func(effect func()) error
	// onQuery, if set, may fail a query.
	onQuery           func() error
	creates, updates  int
	tokenAfter, asked int
}

func (s *widgets) put(w widget) {
	s.before = maps.Clone(s.has)
	s.left = s.stale
	w.revision++
	w.note = "" // never returned
	s.has[w.domain+"/"+w.id] = w
}

func (s *widgets) api() crud.API[widget] {
	act := func(on func(func()) error, effect func()) error {
		if on != nil {
			return on(effect)
		}
		effect()
		return nil
	}
	return crud.API[widget]{
		Create: func(_ context.Context, w *widget) error {
			s.creates++
			if _, taken := s.has[w.domain+"/"+w.id]; taken {
				return fmt.Errorf("create: %w", kuscia.ErrExists)
			}
			return act(s.onCreate, func() {
				made := *w
				if made.title == "" {
					made.title = "title of " + made.domain
				}
				s.put(made)
			})
		},
		Query: func(_ context.Context, id crud.ID) (*widget, error) {
			if s.onQuery != nil {
				if err := s.onQuery(); err != nil {
					return nil, err
				}
			}
			has := s.has
			if s.left > 0 {
				s.left--
				has = s.before
			}
			w, ok := has[id.String()]
			if !ok {
				return nil, fmt.Errorf("query: %w", kuscia.ErrNotFound)
			}
			if s.asked++; s.asked > s.tokenAfter {
				w.token = "token"
			}
			return &w, nil
		},
		Update: func(_ context.Context, w, _ *widget) error {
			s.updates++
			return act(s.onUpdate, func() {
				made := *w
				made.revision = s.has[w.domain+"/"+w.id].revision
				s.put(made)
			})
		},
		Delete: func(_ context.Context, id crud.ID) error {
			s.before = maps.Clone(s.has)
			s.left = s.stale
			delete(s.has, id.String())
			return nil
		},
	}
}

func spec(s *widgets) crud.Spec[widget] {
	return crud.Spec[widget]{
		Type: "widget", Title: "widget",
		Schema: definition.Schema{
			Description: "A widget.",
			Attributes: []definition.Attribute{
				{Name: "domain_id", Replace: definition.Always, Description: "Domain."},
				{Name: "widget_id", Presence: definition.ServerDefault, Replace: definition.Always, Description: "Id.",
					Generate: func(r definition.Reader) string { return "made-" + r.String("domain_id") }},
				{Name: "title", Presence: definition.ServerDefault, Description: "Title."},
				{Name: "note", Presence: definition.Optional, NotReturned: true, Description: "Never returned."},
				{Name: "size", Type: definition.Number, Presence: definition.Optional, Default: int64(3), Description: "Size."},
				{Name: "labels", Type: definition.StringMap, Presence: definition.Optional, Description: "Labels.",
					Replace: definition.ReplaceWhenEmptied("The server keeps labels that are left out.")},
				{Name: "access", Type: definition.Object, Presence: definition.Nullable, Description: "Access.", Attributes: []definition.Attribute{
					{Name: "secret", Presence: definition.Optional, WriteOnly: true, Description: "Secret."},
				}},
				{Name: "token", Presence: definition.Computed, Description: "Comes later."},
				{Name: "revision", Type: definition.Number, Presence: definition.Computed, Volatile: true, Description: "Counts."},
			},
		},
		Identity: crud.Identity{Attributes: []crud.IdentityAttribute{{Name: "domain_id", Description: "Domain."}, {Name: "widget_id", Description: "Id."}}},
		ToWire: func(r definition.Reader) *widget {
			w := &widget{
				domain: r.String("domain_id"), id: r.String("widget_id"), title: r.String("title"), note: r.String("note"),
				size: r.Int64("size"), labels: r.StringMap("labels"),
			}
			access, ok := r.Object("access")
			w.access, w.secret = ok, access.String("secret")
			return w
		},
		FromWire: func(w *widget) definition.Tree {
			tree := definition.Tree{
				"widget_id": w.id, "title": w.title, "size": w.size, "labels": w.labels, "token": w.token, "revision": w.revision,
			}
			if w.access {
				tree["access"] = definition.Tree{"secret": w.secret}
			}
			return tree
		},
		API: func(*run.Run) crud.API[widget] { return s.api() },
	}
}

type bench struct {
	*crudtest.Server
	object *crud.Object[widget]
	server *widgets
}

func newBench(t *testing.T, adopt bool, change ...func(*crud.Spec[widget])) *bench {
	t.Helper()
	server := &widgets{has: map[string]widget{}}
	s := spec(server)
	for _, f := range change {
		f(&s)
	}
	object := crud.New(s)
	return &bench{crudtest.NewServer(t, object, &run.Run{AdoptExisting: adopt}), object, server}
}

// configured returns a configuration with these values.
func (b *bench) configured(with definition.Tree) definition.Value {
	tree := definition.Tree{"domain_id": "alice"}
	maps.Copy(tree, with)
	return b.object.Definition.Encode(tree)
}

// lostResponse is the client's error for a request without a response.
func lostResponse(t *testing.T) error {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer server.Close()
	api, err := kuscia.New(kuscia.Config{Endpoint: server.URL, RequestTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	err = api.CreateAppImage(t.Context(), &kuscia.AppImage{Name: "x"})
	if !apierror.OutcomeUnknown(err) {
		t.Fatalf("the error of a lost response is %v", err)
	}
	return err
}

// failing is an onQuery that fails every query.
func failing(err error) func() error { return func() error { return err } }
