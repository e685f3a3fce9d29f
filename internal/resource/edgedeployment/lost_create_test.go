package edgedeployment

import (
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestLostCreate: after a create whose outcome could not be determined, a refresh and a
// delete leave alone what may be another client's, and say so. A write-only value cannot
// be compared.
func TestLostCreate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		env, theirs tree
		keeps       bool
	}{
		"ours":                  {env: tree{"name": "A", "value": "ours"}, keeps: true},
		"somebody else's":       {env: tree{"name": "A", "value": "ours"}, theirs: tree{"name": "A", "value": "theirs"}},
		"with write-only value": {env: hiddenEnv("A", "ours", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, server := newClients(t)
			bare := crudtest.NewServer(t, shortcuts{&kind}, c)
			with := func(env tree) []func(tree) {
				return []func(tree){attribute("wait_for_rollout", false), container("envs", []any{env})}
			}
			server.Inject(sandbox.Fault{Method: http.MethodPost, AfterEffect: true})
			server.Inject(sandbox.Fault{Method: http.MethodGet, Nth: 2, Times: -1, Status: http.StatusForbidden})
			state, said := bare.Apply(t, configured(minimal(with(test.env)...)), bare.None())
			server.ClearFaults()
			if state.Value.IsNull() || !strings.Contains(said, "It is unknown whether") {
				t.Fatalf("create: state %s, diagnostics %s", state.Value, said)
			}
			if test.theirs != nil {
				server.Drop("lite")
				if _, said := bare.Apply(t, configured(minimal(with(test.theirs)...)), bare.None()); said != "" {
					t.Fatal(said)
				}
			}
			named := func() []*ief.Deployment {
				found, err := named(t.Context(), c.IEF.Client, ief.Scope{Version: ief.V3}, "lite")
				if err != nil {
					t.Fatal(err)
				}
				return found
			}
			id := named()[0].ID
			response, read := bare.Read(t, state)
			if said := protocol.Messages(response.Diagnostics); read.Value.IsNull() == test.keeps || strings.Contains(said, "was removed from the state") == test.keeps {
				t.Errorf("refresh: state %s, diagnostics %s", read.Value, said)
			}
			_, said = bare.Delete(t, state)
			if left := len(named()) > 0; left == test.keeps || strings.Contains(said, "was not deleted") == test.keeps || strings.Contains(said, `id = "`+id+`"`) == test.keeps {
				t.Errorf("delete: left %t, diagnostics %s", left, said)
			}
		})
	}
}
