package serving_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// seenFrom is a lite node: its master's responses to it, and no app images.
func seenFrom(t *testing.T, master *sandbox.Sandbox, domain string) string {
	t.Helper()
	internal := master.InternalHandler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/appimage/") {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			_, _ = fmt.Fprintf(w, `{"status":{"code":%d,"message":"kuscia lite api not support this interface now","details":[]}}`, kuscia.CodeLiteUnsupported)
			return
		}
		r.Header.Set("Kuscia-Source", domain)
		internal.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// plainImage is the app image "sf" with one container and a port that is
// reachable from other parties.
func plainImage() kuscia.AppImage {
	return kuscia.AppImage{
		Name: "sf", Image: kuscia.AppImageInfo{Name: "example.com/app", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "t", Replicas: 1, Containers: []kuscia.Container{{
			Name: "main", Ports: []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Cluster"}},
		}}}},
	}
}

// withAlice is a serving of alice and another domain, on a sandbox with the app image sf.
func withAlice(t *testing.T, options sandbox.Options, domain any) *live {
	t.Helper()
	e := acctest.NewSandbox(t, options)
	if err := e.Sandbox.PutAppImage(plainImage()); err != nil {
		t.Fatal(err)
	}
	l := newLive(t, e, "sf")
	l.of["parties"].(attrs)["other"] = attrs{"domain_id": domain, "app_image": "sf"}
	return l
}

// at is the serving in a provider with another endpoint.
func (l *live) at(endpoint string) *live {
	other := *l
	other.variables = map[string]string{"KUSCIA_ENDPOINT": endpoint}
	return &other
}

// TestOtherNode: a serving stays in the state whichever node is queried, and a deleted one is
// removed if the node would know it.
func TestOtherNode(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		home  sandbox.Options
		other func(*testing.T, *sandbox.Sandbox) string
		says  []string
	}{
		"lite node of no party": {
			sandbox.Options{Domains: []string{"alice", "bob", "carol"}},
			func(t *testing.T, home *sandbox.Sandbox) string { return seenFrom(t, home, "carol") },
			[]string{"Serving is hidden from this node", "state of the serving is unchanged", "is not a party of the serving"},
		},
		"autonomy node of another domain": {
			sandbox.Options{Autonomy: "alice"},
			func(t *testing.T, _ *sandbox.Sandbox) string {
				return acctest.NewSandbox(t, sandbox.Options{Autonomy: "carol"}).Sandbox.Endpoint()
			},
			[]string{"Unknown whether serving exists", `the domain of its initiator, "alice", is a partner of this node`, "terraform state rm"},
		},
		"another Kuscia": {
			sandbox.Options{},
			func(t *testing.T, _ *sandbox.Sandbox) string {
				return acctest.NewSandbox(t, sandbox.Options{Domains: []string{"carol"}}).Sandbox.Endpoint()
			},
			[]string{"Unknown whether serving exists", `it does not have the domain of the initiator, "alice"`, "The state is unchanged"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := withAlice(t, test.home, "bob")
			l.mustApply()
			other := l.at(test.other(t, l.env.Sandbox))
			if says(t, "the refresh", other.refresh(), append(test.says, "ERROR")...); !other.state.Value.Equal(l.state.Value) {
				t.Errorf("the state is %s", other.state.Value)
			}
			kept, said := other.run().Delete(t, l.state)
			if says(t, "the delete", said, "ERROR"); kept.Value.IsNull() {
				t.Error("it is not in the state any more")
			}
			l.mustApply() // at home again
			if err := l.env.Sandbox.RemoveServing(l.id()); err != nil {
				t.Fatal(err)
			}
			if l.mustRead(); !l.state.Value.IsNull() {
				t.Errorf("after its deletion the state is %s", l.state.Value)
			}
		})
	}
}

// TestDeletedAsSeenByAParty: the node of a party detects through its master that a serving is
// deleted.
func TestDeletedAsSeenByAParty(t *testing.T) {
	t.Parallel()
	home := withAlice(t, sandbox.Options{}, "bob")
	l := home.at(seenFrom(t, home.env.Sandbox, "alice"))
	l.mustApply()
	if err := l.env.Sandbox.RemoveServing(l.id()); err != nil {
		t.Fatal(err)
	}
	if l.mustRead(); !l.state.Value.IsNull() {
		t.Errorf("after its deletion the state is %s", l.state.Value)
	}
}

// TestUnknownDomain: a serving with a party in a domain that does not exist is rejected as soon as
// the domain is known, with one query for each domain and run, and without a query if nothing
// changes.
func TestUnknownDomain(t *testing.T) {
	t.Parallel()
	l := withAlice(t, sandbox.Options{}, "nowhere")
	asked := func(what string, want int) {
		t.Helper()
		before := l.env.Sandbox.Count(acctest.PathDomainBatch)
		r := l.run()
		for range 20 {
			_, said := l.planned(r)
			if l.of["parties"].(attrs)["other"].(attrs)["domain_id"] == "nowhere" {
				says(t, what, said, "ERROR", "Domain does not exist", `Kuscia has no domain "nowhere"`, `parties["other"].domain_id`)
			} else if said != "" {
				t.Errorf("%s says %s", what, said)
			}
		}
		if n := l.env.Sandbox.Count(acctest.PathDomainBatch) - before; n != want {
			t.Errorf("%s asks for 2 domains %d times, want %d", what, n, want)
		}
	}
	of := func(domain any) {
		l.of["parties"].(attrs)["other"] = attrs{"domain_id": domain, "app_image": "sf"}
	}
	asked("a plan of an unknown domain", 3) // one of them finds out whether Kuscia answers
	of(protocol.Unknown{})
	asked("a plan of a domain that is known after apply", 2)
	of("bob")
	asked("a plan of a domain that exists", 3)
	l.mustApply()
	asked("a plan with nothing to do", 0)
}

// TestUnknownDomainNotTold: a node that refuses queries of domains is skipped.
func TestUnknownDomainNotTold(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]sandbox.Fault{
		"may not":   {Kind: sandbox.FaultCode, Code: kuscia.CodeAuthFailed, Message: "domain's kusciaAPI could only operate its own Domain"},
		"lite":      {Kind: sandbox.FaultCode, Code: kuscia.CodeLiteUnsupported, Message: "lite api not support"},
		"no such":   {Kind: sandbox.FaultStatus, Status: http.StatusNotFound},
		"forbidden": {Kind: sandbox.FaultStatus, Status: http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := withAlice(t, sandbox.Options{}, "bob")
			fault.Path, fault.Times = "domain/batchQuery", sandbox.Always
			l.env.Sandbox.Inject(fault)
			l.mustApply()
		})
	}
}

// TestUnknownAppImage: an app image that is given as a literal is looked up in the plan, also when a
// live serving changes to it, and one that the same run creates before is known.
func TestUnknownAppImage(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	image := e.AppImage()
	l := newLive(t, e, image+"x")
	refused := func() {
		t.Helper()
		said, _ := l.alice(attrs{"app_image": image + "x"}).plan()
		says(t, "the plan", said, "ERROR", "App image does not exist", fmt.Sprintf("Kuscia has no app image %q", image+"x"), `parties["alice"].app_image`, "refer to it")
	}
	refused()
	l.alice(attrs{"app_image": image}).mustApply()
	refused()
	server := e.Server(nil)
	images := server.Resource(t, "kuscia_app_image")
	images.Plan(t, protocol.Value(images.Kind, attrs{
		"name": image + "x", "image": attrs{"name": "example.com/app", "tag": "1"},
		"deploy_templates": []any{attrs{"name": "t", "containers": []any{attrs{"name": "main", "ports": []any{attrs{"name": "service", "scope": "Cluster"}}}}}},
	}), images.None())
	if _, said := l.planned(server.Resource(t, "kuscia_serving")); strings.Contains(said, "ERROR") {
		t.Error(said)
	}
}
