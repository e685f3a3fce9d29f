package sandbox

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"
)

// TestRouteEndsControllers: a route without a token configuration, that is with MTLS or None, ends
// all controllers of an old Kuscia, again after each start, until the route is deleted. Its
// KusciaAPI goes on.
func TestRouteEndsControllers(t *testing.T) {
	t.Parallel()
	for version, ends := range map[string]bool{"v0.5.0b0": true, "v0.6.0b0": false} {
		for _, kind := range []string{"MTLS", "None"} {
			t.Run(version+" "+kind, func(t *testing.T) {
				t.Parallel()
				options := Options{Version: version, StateFile: filepath.Join(t.TempDir(), "state.json"), CertsDir: t.TempDir()}
				s := frozen(t, options)
				check := func(serving string, runs bool) {
					t.Helper()
					must(t, ask(s, "serving/create", m{"serving_id": serving, "initiator": "alice", "serving_input_config": "c", "parties": []any{
						m{"domain_id": "alice", "app_image": imageV1},
					}}).err())
					must(t, ask(s, "domain/create", m{"domain_id": serving}).err())
					s.Advance(time.Minute)
					var d struct {
						Tokens []any `json:"deploy_token_statuses"`
					}
					must(t, json.Unmarshal(ask(s, "domain/query", m{"domain_id": serving}).Data, &d))
					status := statusOf(s, serving)
					if got := status != nil && status.State == "Available"; got != runs || (len(d.Tokens) > 0) != runs {
						t.Errorf("%s: status %+v and %d tokens; the controllers run: want %t", serving, status, len(d.Tokens), runs)
					}
				}
				restart := func() {
					t.Helper()
					must(t, s.Close())
					options.FrozenClock = true
					s = startSandbox(t, options)
				}
				check("before", true)
				must(t, ask(s, "domain/create", m{"domain_id": "none", "auth_center": m{"authentication_type": "None", "token_gen_method": "RSA-GEN"}}).err())
				check("domain", true) // its own route to the master has a token configuration
				must(t, ask(s, "route/create", m{"authentication_type": kind, "source": "alice", "destination": "bob", "mtls_config": m{"source_client_cert": "YQ=="}, "endpoint": m{
					"host": "h", "ports": []any{m{"name": "http", "port": 1080, "protocol": "HTTP"}},
				}}).err())
				s.Advance(time.Minute)
				check("after", !ends)
				restart()
				check("started", !ends)
				must(t, ask(s, "route/delete", m{"source": "alice", "destination": "bob"}).err())
				check("deleted", !ends)
				restart()
				check("mended", true)
			})
		}
	}
}
