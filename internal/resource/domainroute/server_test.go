package domainroute

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// configs are routes of every kind.
var configs = map[string]tree{
	"token":          {},
	"token, all set": {"token_config": tree{"token_gen_method": "UID-RSA-GEN", "rolling_update_period": int64(86400)}, "body_encryption": tree{"algorithm": "SM4"}},
	"none":           {"authentication_type": authNone},
	"mtls":           {"authentication_type": authMTLS, "mtls_config": mtls(nil)},
	"mtls with key":  {"authentication_type": authMTLS, "mtls_config": mtls(tree{"source_client_private_key": encoded("key")})},
	"third domain":   {"endpoint": nil, "transit": tree{"transit_method": thirdDomain, "domain_id": "carol"}},
	"tunnel":         {"endpoint": nil, "transit": tree{"transit_method": "REVERSE-TUNNEL"}},
	"ports": {"endpoint": tree{"host": "10.0.0.1", "ports": []any{
		port(tree{"protocol": "http", "is_tls": true}), port(tree{"name": "b", "port": int64(1), "protocol": "GRPC", "path_prefix": "/b"}),
	}}},
}

// TestPublicKeys: the public keys that Kuscia gives a route after the create, and after each change of a
// domain's certificate, are in the data source, with the status, and are no drift of the resource.
func TestPublicKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, "alice", "bob")
	b.giveCertificate(t, "alice")
	config := configured(nil)
	created, said := b.Apply(t, config, b.None())
	if said != "" {
		t.Fatal(said)
	}
	first := b.keyOf(t, "alice", "bob", "")
	b.giveCertificate(t, "alice")
	b.keyOf(t, "alice", "bob", first)
	if _, read := b.Read(t, created); !read.Value.Equal(created.Value) {
		t.Errorf("read %s\nafter the create %s", read.Value, created.Value)
	}
	b.CheckEmptyPlan(t, config, created)
	shown, _ := b.shown(t, "alice", "bob")
	if status := definition.StringAt(shown, "status"); status != "Succeeded" && status != "Failed" {
		t.Errorf("the data source shows %s", shown)
	}
}

// TestNoTokens: a route that has no tokens, and one whose tokens are not configured, has no token_config.
func TestNoTokens(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"token", "none", "mtls"} {
		b := newBench(t, "alice", "bob")
		b.settled(t, configured(configs[name]), b.None())
		imported := b.Imported(t, "alice/bob")
		shown, _ := b.shown(t, "alice", "bob")
		for what, value := range map[string]definition.Value{"imported": imported.Value, "shown": shown} {
			if token := definition.FieldsOf(value)[attrTokenConfig]; !token.IsNull() {
				t.Errorf("%s: %s %s", name, what, token)
			}
		}
	}
}

// shown is the route of the data source.
func (b *bench) shown(t *testing.T, source, destination string) (shown definition.Value, said string) {
	t.Helper()
	return crudtest.NewFinder(t, b.Run, Types).ReadData(t, "kuscia_domain_route", map[string]string{"source": source, "destination": destination})
}

// keyOf waits for a public key of the source, another one than before.
func (b *bench) keyOf(t *testing.T, source, destination, before string) (key string) {
	t.Helper()
	sandboxtest.Eventually(t, "a key", func() bool {
		shown, _ := b.shown(t, source, destination)
		key = definition.StringAt(shown, attrSourceKey)
		return key != "" && key != before
	})
	return key
}

// giveCertificate gives a domain a new certificate.
func (b *bench) giveCertificate(t *testing.T, domain string) {
	t.Helper()
	made, err := b.Run.Kuscia.GenerateCertificate(t.Context(), &kuscia.GenerateCertificateRequest{CommonName: domain})
	if err != nil {
		t.Fatal(err)
	}
	protocol.NoError(t, b.Run.Kuscia.UpdateDomain(t.Context(), &kuscia.DomainRequest{DomainID: domain, Cert: made.CertChain[0]}))
}

// TestSameName: if two pairs have the same name, only one route exists. Create,
// read, import and delete of the other route do not affect it, and explain why.
func TestSameName(t *testing.T) {
	t.Parallel()
	theirs := tree{"source": "a-b", "destination": "c"}
	ours := tree{"source": "a", "destination": "b-c"}
	const taken = `"a-b-c" is already the name of the route from "a-b" to "c"`

	t.Run("distinguished by keys", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, "a", "b-c", "a-b", "c")
		for _, domain := range []string{"a", "b-c", "a-b", "c"} {
			b.giveCertificate(t, domain)
		}
		state := b.settled(t, configured(theirs), b.None())
		b.keyOf(t, state.Text("source"), state.Text("destination"), "")
		b.NextRun(t)
		none, said := b.Apply(t, configured(ours), b.None())
		if !none.Value.IsNull() || !strings.Contains(said, taken) || !strings.Contains(said, "11405") || strings.Contains(said, "import {") {
			t.Errorf("create: got diagnostics %s", said)
		}
		if none, said := b.Import(t, "a/b-c"); !none.Value.IsNull() || !strings.Contains(said, taken) {
			t.Errorf("import: got diagnostics %s", said)
		}
		b.NextRun(t)
		b.CheckEmptyPlan(t, configured(theirs), state)

		// Another client replaces our route by the one of the other pair.
		if _, said := b.Delete(t, state); said != "" {
			t.Fatal(said)
		}
		b.NextRun(t)
		own := b.settled(t, configured(ours), b.None())
		if _, said := b.Delete(t, own); said != "" {
			t.Fatal(said)
		}
		b.NextRun(t)
		state = b.settled(t, configured(theirs), b.None())
		b.keyOf(t, state.Text("source"), state.Text("destination"), "")
		response, read := b.Read(t, own)
		if !read.Value.IsNull() || !strings.Contains(crudtest.Messages(response.Diagnostics), taken) {
			t.Errorf("refresh: got diagnostics %s", crudtest.Messages(response.Diagnostics))
		}
		b.NextRun(t)
		for _, call := range []string{"domain/query", "domain/batchQuery"} {
			b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Status: 403, Path: call, Times: sandbox.Always})
		}
		if _, read := b.Read(t, own); read.Value.IsNull() {
			t.Error("a route whose owner cannot be told is dropped from the state")
		}
		b.Box.ClearFaults()
		b.NextRun(t)
		if _, said := b.Delete(t, own); said != "" {
			t.Error(said)
		}
		if _, err := b.Run.Kuscia.QueryDomainRoute(t.Context(), kuscia.DomainRouteKey{Source: "a-b", Destination: "c"}); err != nil {
			t.Errorf("the other pair's route was deleted: %v", err)
		}
	})
	t.Run("ambiguous", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, "a", "b-c", "a-b", "c")
		b.settled(t, configured(theirs), b.None())
		if imported, said := b.Import(t, "a/b-c"); imported.Value.IsNull() || said != "" {
			t.Errorf("import: got diagnostics %s", said)
		}
		b.NextRun(t)
		if none, said := b.Apply(t, configured(ours), b.None()); !none.Value.IsNull() || !strings.Contains(said, "already exists") {
			t.Errorf("create: got diagnostics %s", said)
		}
		// The same content does not mean that it is the same route.
		b.Run.AdoptExisting = true
		if none, said := b.Apply(t, configured(ours), b.None()); !none.Value.IsNull() || !strings.Contains(said, `it may also be the route from "a-b" to "c"`) || strings.Contains(said, "was adopted") {
			t.Errorf("adoption: state %s, diagnostics: %s", none.Value, said)
		}
	})
	t.Run("without evidence", func(t *testing.T) {
		t.Parallel()
		ours, key := kuscia.DomainRouteKey{Source: "a", Destination: "b-c"}, encoded("-----BEGIN RSA PUBLIC KEY-----\nAAAA\n-----END RSA PUBLIC KEY-----\n")
		route := &kuscia.DomainRoute{TokenConfig: &kuscia.RouteTokenConfig{SourcePublicKey: key}}
		b := newBench(t, "a", "b-c", "a-b", "c")
		b.giveCertificate(t, "a")
		if _, theirs := (pairs{b.Run.Domains}).owner(t.Context(), ours, route); theirs {
			t.Error("a route with another key belongs to domains without keys")
		}
		if _, theirs := (pairs{newBench(t, "a-b", "c").Run.Domains}).owner(t.Context(), ours, route); !theirs {
			t.Error("a route belongs to domains that do not exist")
		}
		noteName(b.Run, crud.ID{"a-b", "c"}, nil, nil)
		for _, change := range []crud.Change[kuscia.DomainRoute]{{}, {Desired: route, InApply: true}} {
			if change.ID = (crud.ID{"a", "b-c"}); nameIsFree(t.Context(), b.Run, change).HasError() {
				t.Errorf("only the plan of a route can say that its name is taken: %+v", change)
			}
		}
	})
	t.Run("no domains", func(t *testing.T) {
		t.Parallel()
		if others := otherPairs(kuscia.DomainRouteKey{Source: "a", Destination: "b--c"}); len(others) > 0 {
			t.Errorf("IDs cannot begin or end with a hyphen, and the other pairs are %v", others)
		}
	})
	t.Run("in one plan", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, "a", "b-c", "a-b", "c")
		if plan, _ := b.Plan(t, configured(theirs), b.None()); len(plan.Diagnostics) > 0 {
			t.Errorf("first plan: got diagnostics %s", crudtest.Messages(plan.Diagnostics))
		}
		for range 2 { // the second route is not recorded as the first one
			plan, _ := b.Plan(t, configured(ours), b.None())
			if said := crudtest.Messages(plan.Diagnostics); !strings.Contains(said, `ERROR: AttributeName("destination")`) || !strings.Contains(said, `the route from "a-b" to "c" in the same plan`) {
				t.Errorf("second plan: got diagnostics %s", said)
			}
		}
		// Existing routes count as well, also if a shortcut plans them.
		b = newBench(t, "a", "b-c", "a-b", "c")
		state := b.settled(t, configured(theirs), b.None())
		fast := b.FastInNewRun(t)
		fast.CheckEmptyPlan(t, configured(theirs), state)
		if plan, _ := fast.Plan(t, configured(ours), fast.None()); !strings.Contains(crudtest.Messages(plan.Diagnostics), "in the same plan") {
			t.Errorf("with an existing route, plan: got diagnostics %s", crudtest.Messages(plan.Diagnostics))
		}
	})
}

// TestAutomaticRoute: an automatic route of Kuscia cannot be created, but
// imported.
func TestAutomaticRoute(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	protocol.NoError(t, b.Run.Kuscia.CreateDomain(t.Context(), &kuscia.DomainRequest{DomainID: "dave"}))
	const master = "kuscia-system"
	sandboxtest.Eventually(t, "the automatic route", func() bool {
		_, err := b.Run.Kuscia.QueryDomainRoute(t.Context(), kuscia.DomainRouteKey{Source: "dave", Destination: master})
		return err == nil
	})
	id := "dave/" + master
	none, said := b.Apply(t, configured(tree{"source": "dave", "destination": master}), b.None())
	if !none.Value.IsNull() || !strings.Contains(said, "Kuscia creates this route itself") || !strings.Contains(said, "11405") {
		t.Errorf("create: got diagnostics %s", said)
	}
	imported := b.Imported(t, id)
	config := configured(tree{"source": "dave", "destination": master, "endpoint": nil, "token_config": tree{"rolling_update_period": int64(86400)}})
	if response := b.Validate(t, config); len(response.Diagnostics) > 0 {
		t.Errorf("the plan of the imported route fails: %s", crudtest.Messages(response.Diagnostics))
	}
	plan, planned := b.Plan(t, config, imported)
	if !planned.Equal(imported.Value) || len(plan.RequiresReplace) > 0 {
		t.Errorf("plan\n%s\nfor the imported state\n%s", planned, imported.Value)
	}
}

// TestCrash: a route with MTLS and without mtls_config crashes every query. It can be read,
// imported and destroyed.
func TestCrash(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if err := b.Run.Kuscia.CreateDomainRoute(t.Context(), &kuscia.DomainRoute{
		Source: "alice", Destination: "bob", AuthenticationType: authMTLS,
		Endpoint: &kuscia.RouteEndpoint{Host: "bob", Ports: []kuscia.RoutePort{{Name: "http", Port: 1, Protocol: "HTTP"}}},
	}); err != nil {
		t.Fatal(err)
	}
	// It exists, and its creator is unknown.
	none, said := b.Apply(t, configured(nil), b.None())
	if !none.Value.IsNull() || !strings.Contains(said, "11405") || !strings.Contains(said, "Kuscia cannot return it") || !strings.Contains(said, `id = "alice/bob"`) {
		t.Errorf("create: got diagnostics %s", said)
	}
	imported, said := b.Import(t, "alice/bob")
	if said != "" || imported.Text("authentication_type") != authMTLS || !imported.At("mtls_config").IsNull() {
		t.Fatalf("imported %s, diagnostics: %s", imported.Value, said)
	}
	repaired := configured(tree{"authentication_type": authMTLS, "mtls_config": mtls(nil)})
	if plan, _ := b.Plan(t, repaired, imported); len(plan.RequiresReplace) == 0 {
		t.Error("adding the mtls_config block does not replace the route")
	}
	b.DeleteTwice(t, imported)
}

// TestOtherPanic: another panic of the server, or one that does not happen again, is not
// taken for such a route.
func TestOtherPanic(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"doBizProcess panic, err: EOF", "doBizProcess panic, err: runtime error: invalid memory address or nil pointer dereference"} {
		b := newBench(t)
		state := b.ApplyWithoutWarnings(t, configured(nil), b.None())
		b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: "route/query", Code: kuscia.CodeUnexpected, Message: message, Times: 1})
		if _, read := b.Read(t, state); !read.Value.Equal(state.Value) {
			t.Errorf("%s: read %s", message, read.Value)
		}
		before := b.Box.Count("/api/v1/route/query")
		if b.Read(t, state); b.Box.Count("/api/v1/route/query") != before+1 {
			t.Errorf("without a panic there are %d queries", b.Box.Count("/api/v1/route/query")-before)
		}
	}
}

// TestWaitForReady: a route that does not become ready fails with the last reason, and stays in
// the state.
func TestWaitForReady(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	// A domain without a gateway: its routes stay Failed.
	protocol.NoError(t, b.Run.Kuscia.CreateDomain(t.Context(), &kuscia.DomainRequest{DomainID: "dave"}))
	state, said := b.Apply(t, configured(tree{"destination": "dave", "wait_for_ready": true, "timeouts": tree{"create": "2s"}}), b.None())
	if state.Value.IsNull() || !strings.Contains(said, "was created but is not ready") || !strings.Contains(said, "Last seen: Failed, LastUpdateAt=") || !strings.Contains(said, "TokenNotGenerate") ||
		!strings.Contains(said, `the node of the domain "dave" has not joined Kuscia: the domain has no public key yet`) || !strings.Contains(said, "A route is ready when the nodes of both domains have joined") {
		t.Errorf("state %s, diagnostics: %s", state.Value, said)
	}
	if got := fingerprint("") + fingerprint("no key"); got != "" {
		t.Errorf("the fingerprint of no key is %s", got)
	}
	if done, last := ready(&kuscia.DomainRoute{Status: &kuscia.RouteStatus{Status: kuscia.RouteFailed}}); done || !strings.Contains(last, "has not processed") {
		t.Errorf("%t, %s", done, last)
	}
	joined := &kuscia.DomainRoute{Destination: "dave", TokenConfig: &kuscia.RouteTokenConfig{SourcePublicKey: "a", DestinationPublicKey: "d"},
		Status: &kuscia.RouteStatus{Status: kuscia.RouteFailed, Reason: "Message=TokenNotGenerate, Reason:DestinationIsNotAuthrized"}}
	if done, last := ready(joined); done || !strings.Contains(last, `the gateway of the domain "dave" has not accepted`) {
		t.Errorf("%t, %s", done, last)
	}
	if done, last := ready(&kuscia.DomainRoute{}); done || last == "" {
		t.Errorf("%t, %s", done, last)
	}
	if done, _ := ready(&kuscia.DomainRoute{Status: &kuscia.RouteStatus{Status: kuscia.RouteSucceeded}}); !done {
		t.Error("a route that has succeeded is not ready")
	}
}

// TestMissingDomain: the error of a create names the domain that does not exist although this run
// has created it.
func TestMissingDomain(t *testing.T) {
	t.Parallel()
	b := newBench(t, "alice", "bob")
	b.Run.Objects.Record("kuscia_domain", "typo", run.Exists)
	if _, said := b.Apply(t, configured(tree{"destination": "typo"}), b.None()); !strings.Contains(said, "11305") || !strings.Contains(said, `"typo" not found`) || !strings.Contains(said, "The domain that the message names does not exist") {
		t.Errorf("diagnostics: %s", said)
	}
}
