package examplestest_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testFederation makes a federation from scratch: the master has no domains and
// the nodes do not run. They are started with the tokens of their domains while
// the apply goes on. Then something drifts, much changes, and nothing is left.
func testFederation(t *testing.T, e example) {
	acctest.RequireWriteOnly(t)
	master := mutualTLS(t, sandbox.Options{Domains: []string{}})
	modules := []example{named(t, "modules/federation"), named(t, "modules/shared-data"), named(t, "modules/serving"), named(t, "modules/node")}
	p := newInstalledProject(t, nil, append([]example{e}, modules...)...)
	p.startsNodes(t, master, "alice", "bob")
	p.init(t)

	output := p.run(t, 0, "apply", "-no-color", "-auto-approve")
	expectIn(t, output, `"alice" = "credit-service.alice.svc`)
	p.run(t, 0, "plan", "-no-color", "-detailed-exitcode")
	expectFederation(t, master, "alice-scores-bob", "bob-features-alice")
	state, err := os.ReadFile(filepath.Join(p.dir, "terraform.tfstate"))
	if err != nil || strings.Contains(string(state), "bucket-secret") {
		t.Errorf("the state has the key of the bucket (%v)", err)
	}

	driftOfFederation(t, master)
	expectIn(t, p.run(t, 2, "plan", "-no-color", "-detailed-exitcode"), `~ relative_uri = "scores/old.csv" -> "scores/2026.csv"`,
		`module.federation.module.data["bob-features"].kuscia_domain_data_grant.this["alice"] will be created`, "Plan: 1 to add, 1 to change, 0 to destroy.")

	// Where a bucket is stands in the entry with its keys, which Terraform cannot see.
	p.replace(t, `bucket = "training" }`, `bucket = "moved" }`)
	expectIn(t, p.run(t, 2, "plan", "-no-color", "-detailed-exitcode"), `module.alice.kuscia_config.bucket["training"] will be updated in-place`)
	p.replace(t, `bucket = "moved" }`, `bucket = "training" }`)

	// Another image, one reader less, another folder, a new key.
	p.replace(t, "readers       = { bob = { expiration_time = \"2040-02-01T00:00:00Z\" } }", "readers       = {}")
	p.replace(t, `"/home/kuscia/var/storage/data/reports"`, `"/home/kuscia/var/storage/data/monthly"`)
	p.replace(t, `bucket = "training" }`, `bucket = "training", keys_version = 2 }`)
	expectIn(t, p.run(t, 0, "apply", "-no-color", "-auto-approve", `-var=image={name="secretflow/serving-anolis8",tag="0.9.0b0"}`), "1 added, 5 changed, 1 destroyed.")
	p.run(t, 0, "plan", "-no-color", "-detailed-exitcode", `-var=image={name="secretflow/serving-anolis8",tag="0.9.0b0"}`)
	expectFederation(t, master, "bob-features-alice")

	p.run(t, 0, "destroy", "-no-color", "-auto-approve")
	expectNothingLeft(t, master)
}

// startsNodes sets the variables of the federation. What it starts its nodes
// with asks the test for them.
func (p *project) startsNodes(t *testing.T, master *acctest.Env, domains ...string) {
	t.Helper()
	nodes := map[string]string{}
	for _, domain := range domains {
		certs := t.TempDir()
		address := freeAddress(t)
		nodes[domain] = fmt.Sprintf("{ endpoint = \"https://%s\", certs_dir = %q }", address, certs)
		go startNode(t, master, domain, sandbox.Options{
			Protocol: sandbox.ProtocolMTLS, Lite: domain, Master: master.Sandbox, Listen: address, CertsDir: certs,
		})
	}
	command := `umask 077 && printf %s \"$DEPLOY_TOKEN\" > $CERTS_DIR/asked && until [ -e $CERTS_DIR/started ]; do sleep 0.05; done`
	write(t, filepath.Join(p.dir, "terraform.tfvars"), fmt.Sprintf("master = { endpoint = %q, certs_dir = %q }\nnodes = { alice = %s, bob = %s }\n"+
		"start_node = \"%s\"\nalice_bucket_key = { id = \"bucket-id\", secret = \"bucket-secret\" }\n",
		master.Sandbox.Endpoint(), master.Sandbox.CertsDir(), nodes["alice"], nodes["bob"], command))
}

// startNode waits until it is asked for the node of a domain and starts it, if
// the token is one of the domain.
func startNode(t *testing.T, master *acctest.Env, domainID string, options sandbox.Options) {
	ctx := t.Context()
	var token []byte
	for ; len(token) == 0; time.Sleep(20 * time.Millisecond) {
		if ctx.Err() != nil {
			return
		}
		token, _ = os.ReadFile(filepath.Join(options.CertsDir, "asked"))
	}
	domain, err := master.API.QueryDomain(ctx, domainID)
	if ctx.Err() != nil {
		return
	}
	if err != nil || !slices.ContainsFunc(domain.DeployTokenStatuses, func(s kuscia.DeployTokenStatus) bool { return s.Token == string(token) }) {
		t.Errorf("the node of %s gets %q, which is no token of the domain (%v)", domainID, token, err)
	}
	node, err := sandbox.Start(context.WithoutCancel(ctx), options)
	if err != nil {
		t.Error(err)
		return
	}
	t.Cleanup(func() { _ = node.Close() })
	if err := os.WriteFile(filepath.Join(options.CertsDir, "started"), nil, 0o600); err != nil {
		t.Error(err)
	}
}

// freeAddress is an address on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// driftOfFederation changes data of alice and takes a grant of bob away.
func driftOfFederation(t *testing.T, master *acctest.Env) {
	t.Helper()
	if err := master.API.UpdateDomainData(t.Context(), &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: "alice-scores", RelativeURI: "scores/old.csv"}); err != nil {
		t.Fatal(err)
	}
	if err := master.API.DeleteDomainDataGrant(t.Context(), kuscia.DomainDataGrantKey{DomainID: "bob", DomainDataGrantID: "bob-features-alice"}); err != nil {
		t.Fatal(err)
	}
}

// expectFederation looks at what the master has, whatever Terraform says.
func expectFederation(t *testing.T, master *acctest.Env, grants ...string) {
	t.Helper()
	var found []string
	for domain, data := range map[string]string{"alice": "alice-scores", "bob": "bob-features"} {
		if stored, err := master.API.QueryDomainData(t.Context(), kuscia.DomainDataKey{DomainID: domain, DomainDataID: data}); err != nil || stored.RelativeURI == "scores/old.csv" {
			t.Errorf("the data %s of %s: %+v (%v)", data, domain, stored, err)
		}
		for grant := range master.Sandbox.GrantFlows(domain) {
			if strings.HasPrefix(grant, domain+"-") { // and not the copy of the other's
				found = append(found, grant)
			}
		}
	}
	if slices.Sort(found); !slices.Equal(found, grants) {
		t.Errorf("grants %v, want %v", found, grants)
	}
	if names := master.Sandbox.DataSourceNames("alice"); len(names) != 3 {
		t.Errorf("data sources of alice: %v, want two and the default one", names)
	}
}

// expectNothingLeft: of a federation that is destroyed only what the nodes made
// themselves stays, where it is not shown any more.
func expectNothingLeft(t *testing.T, master *acctest.Env) {
	t.Helper()
	s := master.Sandbox
	if left := append(s.ServingIDs(), s.AppImageNames()...); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	for _, domain := range []string{"alice", "bob"} {
		if _, err := master.API.QueryDomain(t.Context(), domain); !errors.Is(err, kuscia.ErrNotFound) {
			t.Errorf("the domain %s is left (%v)", domain, err)
		}
		data, grants, sources := s.DomainDataNames(domain), s.GrantFlows(domain), s.DataSourceNames(domain)
		if _, own := sources["default-data-source"]; len(data)+len(grants) > 0 || len(sources) != 1 || !own {
			t.Errorf("left of %s: data %v, grants %v, data sources %v", domain, data, grants, sources)
		}
	}
}

// testCertificatesAndTokens applies both kinds of routes to a partner; the key
// of the client is in no state.
func testCertificatesAndTokens(t *testing.T, e example) {
	acctest.RequireWriteOnly(t)
	env := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS}) // which has certificates
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join(env.Sandbox.CertsDir(), name))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	certificate, key := read("kusciaapi-server.crt"), read("kusciaapi-server.key")
	w := workspace(t, env, e)
	w.Write("terraform.tfvars", fmt.Sprintf("carol = { domain_certificate = %q, ca_certificate = %q }\nclient_certificate = %[1]q\nclient_key = %[3]q\n", certificate, read("ca.crt"), key))
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	state := w.Read("terraform.tfstate")
	encoded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text))[60:120] }
	if !strings.Contains(state, encoded(certificate)) || strings.Contains(state, encoded(key)) {
		t.Error("the state has the key, or not the certificate")
	}
}

// usedBy is the test of a module that is a part of another example.
func usedBy(user string) func(t *testing.T, e example) {
	return func(t *testing.T, e example) {
		source := fmt.Sprintf("= \"../%s\"", filepath.Base(e.dir))
		for _, other := range findExamples(t) {
			if other.dir != user {
				continue
			}
			for _, file := range other.configuration {
				if text := string(other.read(t, file)); strings.Contains(text, source) || strings.Contains(text, "= \"../"+e.dir+"\"") {
					return
				}
			}
		}
		t.Errorf("%s does not use %s", user, e.dir)
	}
}
