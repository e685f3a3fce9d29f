package sandbox

import (
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// TestRouteCopies: the copies of a route are made again for another endpoint, and where its tokens
// appear or go. Its status is that of a route without a token then, until there is one. Another change
// changes them in place. This is read in Kuscia's source, and not recorded.
func TestRouteCopies(t *testing.T) {
	for name, options := range map[string]func(t *testing.T) Options{
		"in memory": func(*testing.T) Options { return Options{Timing: cluster.DemoTiming()} },
		"in an API server": func(t *testing.T) Options {
			api := apiServer(t).Objects()
			clean := api.Record()
			t.Cleanup(func() { must(t, clean()) })
			return Options{Timing: cluster.DemoTiming(), API: api}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSandbox(t, options(t))
			must(t, ask(s, "route/create", m{
				"source": "alice", "destination": "bob", "authentication_type": "Token",
				"endpoint": m{"host": "gateway", "ports": []m{{"name": "http", "port": 1080, "protocol": "HTTP"}}},
			}).err())
			type seen struct{ source, destination, token, status string }
			look := func() (now seen) {
				defer s.node.ControlPlane.Acquire()()
				copies := server.TableOf[objects.DomainRoute](s.node.ControlPlane)
				source, destination := copies.Get("alice", "alice-bob"), copies.Get("bob", "alice-bob")
				route := server.TableOf[objects.ClusterDomainRoute](s.node.ControlPlane).Get("", "alice-bob")
				if source == nil || destination == nil || route.Status.Ready() == nil || source.Spec.Endpoint.Host != route.Spec.Endpoint.Host {
					return seen{}
				}
				token := ""
				if tokens, ok := route.Status.TokenStatus["sourceTokens"].([]any); ok {
					token, _ = tokens[0].(map[string]any)["token"].(string)
				}
				return seen{source.UID, destination.UID, token, route.Status.Ready().Status}
			}
			settled := func(want string, ok func(now seen) bool) (now seen) {
				t.Helper()
				for range 400 {
					if now = look(); now.status == want && ok(now) {
						return now
					}
					s.Advance(5 * time.Millisecond)
				}
				t.Fatalf("%+v", now)
				return now
			}
			edit := func(change func(r *objects.RouteSpec)) {
				t.Helper()
				eventually(t, "edit", func() error {
					return Edit(s, "", "alice-bob", func(r *objects.ClusterDomainRoute) { change(&r.Spec) })
				})
			}
			first := settled("True", func(now seen) bool { return now.token != "" })
			edit(func(spec *objects.RouteSpec) { spec.BodyEncryption = &objects.RouteBodyEncryption{Algorithm: "AES"} })
			for range 50 {
				if s.Advance(20 * time.Millisecond); look() != first {
					t.Fatalf("a change in place: %+v, was %+v", look(), first)
				}
			}
			lost := false // for a moment, which look may miss
			release := s.node.ControlPlane.Acquire()
			server.TableOf[objects.ClusterDomainRoute](s.node.ControlPlane).OnChange(func(_, now *objects.ClusterDomainRoute) {
				lost = lost || now != nil && len(now.Status.TokenStatus) == 0 && now.Status.Ready().Status == "False"
			})
			release()
			edit(func(spec *objects.RouteSpec) { spec.Endpoint.Host = "other" })
			second := settled("True", func(now seen) bool { return now.token != "" && now.source != first.source })
			if second.destination == first.destination || second.token == first.token || !lost {
				t.Errorf("after another endpoint %+v, was %+v; not ready in between: %t", second, first, lost)
			}
			edit(func(spec *objects.RouteSpec) {
				spec.AuthenticationType, spec.TokenConfig, spec.BodyEncryption = "None", nil, nil
			})
			last := settled("True", func(now seen) bool { return now.token == "" && now.source != second.source })
			if last.destination == second.destination {
				t.Errorf("without tokens %+v, was %+v", last, second)
			}
		})
	}
}
