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
			e := acctest.NewSandbox(t, test.home)
			protocol.NoError(t, e.Sandbox.PutAppImage(plainImage()))
			l := newLive(t, e, "sf")
			l.of["parties"].(attrs)["other"] = attrs{"domain_id": "bob", "app_image": "sf"}
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
			protocol.NoError(t, l.env.Sandbox.RemoveServing(l.id()))
			if l.mustRead(); !l.state.Value.IsNull() {
				t.Errorf("after its deletion the state is %s", l.state.Value)
			}
		})
	}
}

// TestUnknownNode: a serving that is not found stays in the state if a query fails that tells whether
// the node would have it: that of the domain of its initiator, or, without that, of a party.
func TestUnknownNode(t *testing.T) {
	t.Parallel()
	l := unretried(t)
	l.of["parties"].(attrs)["other"] = attrs{"domain_id": "bob", "app_image": l.of["parties"].(attrs)["alice"].(attrs)["app_image"]}
	l.mustApply()
	protocol.NoError(t, l.env.Sandbox.RemoveServing(l.id()))
	kept := l.state
	for _, test := range []struct{ domain, says string }{{"alice", "looking up the domain of its initiator"}, {"bob", "looking up the domain of a party"}} {
		l.env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Path: "domain/batchQuery", Contains: test.domain, Times: sandbox.Always})
		if says(t, "the refresh", l.refresh(), "ERROR", "Unknown whether serving exists", test.says); !l.state.Value.Equal(kept.Value) {
			t.Errorf("the state is %s", l.state.Value)
		}
		l.env.Sandbox.ClearFaults()
		protocol.NoError(t, l.env.API.DeleteDomain(t.Context(), test.domain))
	}
}
