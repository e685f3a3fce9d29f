package faulttest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestPlanWithoutKuscia: the plan of a new object of each kind says that Kuscia refuses the
// credentials or does not answer, once in a run. It says nothing where Kuscia answers, or where
// the endpoint is not known yet.
func TestPlanWithoutKuscia(t *testing.T) {
	t.Parallel()
	cases := referenceCases()
	configs := map[string]protocol.Object{}
	for _, test := range cases {
		configs[test.kind] = test.config
	}
	configs["kuscia_config"], configs["kuscia_app_image"] = cases["source's key"].makes, cases["app image"].makes
	for name, test := range map[string]struct {
		block    func(*acctest.Env) protocol.Object
		severity string
		says     []string
	}{
		"a wrong token": {func(e *acctest.Env) protocol.Object {
			return protocol.Object{"certs_dir": e.Sandbox.CertsDir(), "token": "WrongTokenWrongTokenWrongToken00"}
		},
			"ERROR", []string{"HTTP 401", "The token is missing or not that of this node"}},
		"another CA": {func(e *acctest.Env) protocol.Object {
			other := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS})
			return protocol.Object{"certs_dir": e.Sandbox.CertsDir(), "ca_certificate_file": filepath.Join(other.Sandbox.CertsDir(), "ca.crt")}
		}, "ERROR", []string{"not signed by a CA that is trusted here"}},
		"no server": {func(*acctest.Env) protocol.Object {
			return protocol.Object{"endpoint": "https://127.0.0.1:1", "max_retries": 0}
		}, "WARNING", []string{"Not checked against Kuscia", "Nothing listens at the endpoint"}},
		"a server": {func(*acctest.Env) protocol.Object { return nil }, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, _ := referenceBed(t)
			for kind, config := range configs {
				s := e.Server(nil).Configure(t, test.block(e))
				r := s.Resource(t, kind)
				response, _ := r.Plan(t, protocol.Value(r.Kind, config), r.None())
				said := protocol.Messages(response.Diagnostics)
				if test.severity == "" && said != "" || test.severity != "" && strings.Count(said, test.severity+": ") != 1 {
					t.Errorf("%s: %s", kind, said)
				}
				for _, text := range test.says {
					if !strings.Contains(said, text) {
						t.Errorf("%s: %q is not in %s", kind, text, said)
					}
				}
				other := s.Resource(t, "kuscia_config")
				again, _ := other.Plan(t, protocol.Value(other.Kind, protocol.Object{"key": "other", "value": "{}"}), other.None())
				if said := protocol.Messages(again.Diagnostics); said != "" {
					t.Errorf("%s, the second plan of the run: %s", kind, said)
				}
			}
		})
	}
}

// TestPlanOfUnknownEndpoint: nothing is said while the provider block has unknown values.
func TestPlanOfUnknownEndpoint(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	s := e.Server(nil).Configure(t, protocol.Object{"endpoint": protocol.Unknown{}})
	for _, test := range referenceCases() {
		r := s.Resource(t, test.kind)
		response, _ := r.Plan(t, protocol.Value(r.Kind, with(test.config, test.missing)), r.None())
		if said := protocol.Messages(response.Diagnostics); said != "" {
			t.Errorf("%s: %s", test.kind, said)
		}
	}
}

// TestNodeThatRefusesQueries: a node that refuses the queries of a plan is no reason to refuse
// the plan.
func TestNodeThatRefusesQueries(t *testing.T) {
	t.Parallel()
	e, _ := referenceBed(t)
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Times: 1000, Code: 11104, Message: "kuscia lite api not support this interface now"})
	for name, test := range referenceCases() {
		s := e.Server(nil)
		r := s.Resource(t, test.kind)
		response, _ := r.Plan(t, protocol.Value(r.Kind, with(test.config, test.missing)), r.None())
		if said := protocol.Messages(response.Diagnostics); said != "" {
			t.Errorf("%s: %s", name, said)
		}
	}
}
