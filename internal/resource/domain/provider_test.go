package domain_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// apply applies a configuration in a new run of the provider.
func apply(t *testing.T, e *acctest.Env, config attrs, prior *protocol.State) (state protocol.State, said string) {
	t.Helper()
	r := e.Server(nil).Resource(t, "kuscia_domain")
	if prior == nil {
		prior = new(r.None())
	}
	return r.Apply(t, protocol.Value(r.Kind, config), *prior)
}

// expectEmptyPlan checks that a refresh and a plan in a new run change nothing and say
// nothing.
func expectEmptyPlan(t *testing.T, e *acctest.Env, config attrs, state protocol.State) protocol.State {
	t.Helper()
	r := e.Server(nil).Resource(t, "kuscia_domain")
	response, read := r.Read(t, state)
	plan, planned := r.Plan(t, protocol.Value(r.Kind, config), read)
	if said := protocol.Messages(response.Diagnostics) + protocol.Messages(plan.Diagnostics); said != "" || !planned.Equal(read.Value) {
		t.Errorf("the plan is not empty: %s\nstate %s\n%s", planned, read.Value, said)
	}
	return read
}

// TestCreateAwaitsToken: the deploy token of a new domain exists after the apply.
func TestCreateAwaitsToken(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id := newID(e, "minimal")
	remove(e, id)
	state, said := apply(t, e, attrs{"domain_id": id}, nil)
	if said != "" || !state.At("cert").IsNull() || !state.At("master_domain_id").IsNull() {
		t.Errorf("the state is %s: %s", state.Value, said)
	}
	_ = tokensOf(t, e, id)
}

// TestNoToken: a create waits for the token; if there is none in time, the domain is kept. Opening
// the ephemeral resource ends at its own time limit, which the error names.
func TestNoToken(t *testing.T) {
	t.Parallel()
	timing := sandbox.QuickTiming()
	timing.Apply = time.Hour
	e := acctest.NewSandbox(t, sandbox.Options{Timing: timing})
	state, said := apply(t, e, attrs{"domain_id": "slow", "timeouts": attrs{"create": "2s"}}, nil)
	protocol.Says(t, "the create", said, "ERROR", "Domain was created but is not ready", "no deploy token yet")
	if state.Value.IsNull() {
		t.Error("the domain is lost")
	}
	began := time.Now()
	_, diagnostics := e.Server(nil).Open(t, "kuscia_domain_deploy_token", attrs{"domain_id": "slow", "timeout": "1s"})
	protocol.Says(t, "the error", protocol.Messages(diagnostics), "ERROR", "Unable to read deploy token", "There was none within 1s. Last seen: 0 tokens, none of which is unused", "Increase timeout")
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("the error comes after %s", took)
	}
}

// TestNotConfigured: what another client or a joining node changes in attributes that are not
// configured is no drift, and an update does not change it.
func TestNotConfigured(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it lets a node join")
	id := newID(e, "joined")
	state, _ := apply(t, e, attrs{"domain_id": id}, nil)
	protocol.NoError(t, e.Sandbox.JoinNode(id))
	brought := stored(t, e, id).Cert
	protocol.NoError(t, e.API.UpdateDomain(t.Context(), &kuscia.DomainRequest{DomainID: id, Cert: brought}))
	state = expectEmptyPlan(t, e, attrs{"domain_id": id}, state)
	imported, said := e.Server(nil).Resource(t, "kuscia_domain").Import(t, id)
	if said != "" {
		t.Error(said)
	}
	expectEmptyPlan(t, e, attrs{"domain_id": id}, imported)
	if _, said := apply(t, e, attrs{"domain_id": id, "role": "partner"}, &state); said != "" {
		t.Error(said)
	}
	if now := stored(t, e, id); brought == "" || now.Cert != brought || now.AuthCenter != nil || now.Role != "partner" {
		t.Errorf("the domain is %+v, auth_center %+v", now, now.AuthCenter)
	}
}

// TestUnmanageableIDs: IDs that are valid, and IDs that cannot be managed.
func TestUnmanageableIDs(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	r := e.Server(nil).Resource(t, "kuscia_domain")
	for _, valid := range []string{strings.Repeat("a", 63), "0a"} {
		if plan, _ := r.Plan(t, protocol.Value(r.Kind, attrs{"domain_id": valid, "master_domain_id": valid}), r.None()); len(plan.Diagnostics) > 0 {
			t.Errorf("%s: %s", valid, protocol.Messages(plan.Diagnostics))
		}
	}
	for id, want := range map[string]string{"master": "The ID", "a.b": "is not an ID of a domain"} {
		_, said := r.Import(t, id)
		protocol.Says(t, "the import", said, "ERROR", "Invalid import ID", want)
	}
}

// open is the token of the ephemeral resource.
func open(t *testing.T, e *acctest.Env, id string) string {
	t.Helper()
	result, diagnostics := e.Server(nil).Open(t, "kuscia_domain_deploy_token", attrs{"domain_id": id, "timeout": "5s"})
	protocol.Check(t, nil, diagnostics)
	return protocol.Text(protocol.Fields(result)["token"])
}

// TestUsedToken: a token that a node has used to join is not returned again. A gateway that rejects
// queries for some seconds does not end the wait for a token.
func TestUsedToken(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it lets a node join")
	id := newID(e, "used")
	create(t, e, &kuscia.DomainRequest{DomainID: id})
	protocol.NoError(t, e.Sandbox.JoinNode(id))
	for _, status := range []int{401, 401, 403, 404} {
		e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Path: "domain/query", Status: status})
	}
	token := open(t, e, id)
	for _, status := range stored(t, e, id).DeployTokenStatuses {
		if given := token == status.Token; given != (status.State == "unused") {
			t.Errorf("token with state %s: returned %t", status.State, given)
		}
	}
}

// TestTokenErrors: a missing domain, a partner domain, and invalid values.
func TestTokenErrors(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	partner := newID(e, "partner")
	create(t, e, &kuscia.DomainRequest{DomainID: partner, Role: "partner"})
	for _, test := range []struct {
		config attrs
		want   []string
	}{
		{attrs{"domain_id": newID(e, "missing"), "timeout": "5s"}, []string{"Domain does not exist", "Kuscia has no domain"}},
		{attrs{"domain_id": partner, "timeout": "5s"}, []string{"Unable to read deploy token", "is a partner's"}},
		{attrs{"domain_id": "No_Id"}, []string{"Invalid domain_id", "is not an ID of a domain"}},
		{attrs{"domain_id": "alice", "timeout": "-1s"}, []string{"Invalid time limit", `"-1s"`}},
	} {
		_, diagnostics := e.Server(nil).Open(t, "kuscia_domain_deploy_token", test.config)
		protocol.Says(t, "the error", protocol.Messages(diagnostics), append(test.want, "ERROR")...)
	}
}

// TestTokenOfPlan: the token of a domain that the same plan creates is not known yet.
func TestTokenOfPlan(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	p, config := e.Server(nil), attrs{"domain_id": newID(e, "planned")}
	r := p.Resource(t, "kuscia_domain")
	r.Plan(t, protocol.Value(r.Kind, config), r.None())
	opened, diagnostics := p.Open(t, "kuscia_domain_deploy_token", config)
	if protocol.Check(t, nil, diagnostics); protocol.Fields(opened)["token"].IsKnown() {
		t.Errorf("opened %s", opened)
	}
}

// TestTokenWhereApplyingIsKnown: a domain that does not exist is a warning where the run plans, since
// another provider block or another state may create it, and an error where it applies, also if this
// run is going to create it.
func TestTokenWhereApplyingIsKnown(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	config := attrs{"domain_id": newID(e, "missing"), "timeout": "5s"}
	with := func(applying bool) attrs {
		return attrs{"domain_id": config["domain_id"], "timeout": "5s", "applying": applying}
	}
	opened, diagnostics := e.Server(nil).Open(t, "kuscia_domain_deploy_token", with(false))
	said := protocol.Messages(diagnostics)
	protocol.Says(t, "the plan", said, "WARNING", `AttributeName("domain_id")`, "Domain does not exist", "Kuscia has no domain", "Another provider block, another state or another client may create it")
	if strings.Contains(said, "ERROR") || protocol.Fields(opened)["token"].IsKnown() {
		t.Errorf("the plan opens %s: %s", opened, said)
	}
	p := e.Server(nil)
	r := p.Resource(t, "kuscia_domain")
	r.Plan(t, protocol.Value(r.Kind, attrs{"domain_id": config["domain_id"]}), r.None())
	for _, applies := range []*protocol.Server{p, e.Server(nil)} {
		_, diagnostics = applies.Open(t, "kuscia_domain_deploy_token", with(true))
		protocol.Says(t, "the apply", protocol.Messages(diagnostics), "ERROR", `AttributeName("domain_id")`, "Kuscia has no domain", "Nothing was sent.")
	}
	_, diagnostics = e.Server(nil).Open(t, "kuscia_domain_deploy_token", config)
	protocol.Says(t, "where it is not known", protocol.Messages(diagnostics), "ERROR", "Kuscia has no domain", "set applying = terraform.applying", "To go on with a destroy that has deleted the domain", "terraform destroy -refresh=false")
}

// TestDataSource: all attributes of a domain, including its nodes and tokens, which are
// sensitive (TestSchemaRules). The ID master returns the certificate of the cluster's CA.
func TestDataSource(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id := newID(e, "data")
	create(t, e, &kuscia.DomainRequest{DomainID: id})
	read := func(id string) (attrs, string) {
		value, diagnostics := e.Server(nil).DataSource(t, "kuscia_domain", attrs{"domain_id": id})
		plain, _ := protocol.Plain(value).(attrs)
		return plain, protocol.Messages(diagnostics)
	}
	_ = open(t, e, id) // waits for the token
	domain, said := read(id)
	tokens, _ := domain["deploy_tokens"].([]any)
	if said != "" || len(tokens) != 1 || tokens[0].(attrs)["state"] != "unused" || tokens[0].(attrs)["token"] != tokensOf(t, e, id)[0] ||
		len(domain["node_statuses"].([]any)) != 0 || domain["master_domain_id"] != nil || domain["auth_center"].(attrs)["token_gen_method"] != "RSA-GEN" {
		t.Errorf("the domain is %v: %s", domain, said)
	}
	if master, said := read(kuscia.MasterDomain); said != "" || master["cert"] != stored(t, e, kuscia.MasterDomain).Cert || len(master["deploy_tokens"].([]any)) != 0 {
		t.Errorf("the master is %v: %s", master, said)
	}
	if e.Sandbox == nil {
		return
	}
	protocol.NoError(t, e.Sandbox.JoinNode(id))
	domain, said = read(id)
	if said != "" || domain["node_statuses"].([]any)[0].(attrs)["status"] != "Ready" || domain["deploy_tokens"].([]any)[0].(attrs)["state"] != "used" {
		t.Errorf("the domain with a node is %v: %s", domain, said)
	}
}

// TestDomainsDataSource: many domains are read with one request, in the order of the IDs.
// Missing domains are listed, and an empty list sends no request.
func TestDomainsDataSource(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	for _, id := range []string{"b", "a"} {
		create(t, e, &kuscia.DomainRequest{DomainID: id, Role: "partner"})
	}
	read := func(ids ...any) (domains attrs, said string) {
		value, diagnostics := e.Server(nil).DataSource(t, "kuscia_domains", attrs{"domain_ids": ids})
		domains, _ = protocol.Plain(value).(attrs)
		return domains, protocol.Messages(diagnostics)
	}
	if _, said := read(); said != "" || e.Sandbox.Count("/api/v1/domain/batchQuery") > 0 {
		t.Errorf("no domains: %s", said)
	}
	shown, said := read("b", "missing", "a", "master")
	var found []any
	for _, domain := range shown["domains"].([]any) {
		found = append(found, domain.(attrs)["domain_id"], domain.(attrs)["role"])
	}
	if want := []any{"b", "partner", "a", "partner", "master", ""}; said != "" || !slices.Equal(found, want) || !slices.Equal(shown["missing_domain_ids"].([]any), []any{"missing"}) {
		t.Errorf("found %v, missing %v: %s", found, shown["missing_domain_ids"], said)
	}
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultUnauthorized, Path: "domain/batchQuery", Nth: 2, Times: 1})
	_, said = read("missing", "a", "b")
	protocol.Says(t, "the query of the first half", said, "ERROR", "Unable to read domains")
	if _, said := read("a", "master"); said != "" || e.Sandbox.Count("/api/v1/domain/batchQuery") == 0 {
		t.Errorf("without a missing one: %s", said)
	}
	for _, wrong := range []string{"", "No_Id"} {
		_, said := read("a", wrong)
		protocol.Says(t, "the query", said, "ERROR", "Invalid domain_id", "domain_ids[1]")
	}
}

// TestLite: a lite node cannot create domains, and the error says which node can.
func TestLite(t *testing.T) {
	t.Parallel()
	master := acctest.NewSandbox(t, sandbox.Options{})
	create(t, master, &kuscia.DomainRequest{DomainID: "carol"})
	lite := acctest.NewSandbox(t, sandbox.Options{Lite: "carol", Master: master.Sandbox})
	_, said := apply(t, lite, attrs{"domain_id": "dave"}, nil)
	protocol.Says(t, "the create", said, "ERROR", "Unable to create domain", `"dave"`, "11104", "lite node", "master")
}
