package domain_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// tokensOf returns the deploy tokens of a domain.
func tokensOf(t *testing.T, e *acctest.Env, id string) []string {
	t.Helper()
	found, err := e.API.QueryDomain(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var tokens []string
	for _, status := range found.DeployTokenStatuses {
		tokens = append(tokens, status.Token)
	}
	if len(tokens) == 0 {
		t.Fatalf("domain %s has no deploy token", id)
	}
	return tokens
}

// TestAccDomainDataSource: all attributes of a domain, including its nodes and
// tokens. The CLI does not print the tokens.
func TestAccDomainDataSource(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id := newID(e, "data")
	w := e.Initialized(t, config(id)+lookup(acctest.Reference("kuscia_domain.test.id"))+
		acctest.TopLevel("output", []string{"domain"}, attrs{"value": acctest.Reference("data.kuscia_domain.test"), "sensitive": true}))
	w.DestroyAtEnd()
	output := w.Run(0, "apply", "-auto-approve", "-input=false")
	shown := w.Run(0, "output", "-json")
	plan := w.Run(0, "plan", "-refresh-only", "-input=false")
	for _, token := range tokensOf(t, e, id) {
		if strings.Contains(output+plan, token) {
			t.Error("the deploy token is printed")
		}
		if !strings.Contains(shown, token) {
			t.Errorf("no deploy token in %s", shown)
		}
	}
	for _, want := range []string{`"unused"`, `"RSA-GEN"`, `"node_statuses": []`, `"master_domain_id": null`} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %s in %s", want, shown)
		}
	}
}

// TestAccDomainDataSource_node: the data source shows a joined node, and the
// domain after its registration.
func TestAccDomainDataSource_node(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it lets a node join")
	id := newID(e, "node")
	create(t, e, &kuscia.DomainRequest{DomainID: id})
	if err := e.Sandbox.JoinNode(id); err != nil {
		t.Fatal(err)
	}
	const data = "data.kuscia_domain.test"
	node := tfjsonpath.New("node_statuses").AtSliceIndex(0)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{{
			Config: lookup(id),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(data, node.AtMapKey("status"), knownvalue.StringExact("Ready")),
				statecheck.ExpectKnownValue(data, tfjsonpath.New("deploy_tokens").AtSliceIndex(0).AtMapKey("state"), knownvalue.StringExact("used")),
			},
		}},
	})
}

// TestAccDomainDataSource_master: the ID master returns the certificate of the
// cluster's CA.
func TestAccDomainDataSource_master(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	_, encoded := certificate(t, e)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{{
			Config: lookup(kuscia.MasterDomain),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("data.kuscia_domain.test", tfjsonpath.New("cert"), knownvalue.StringExact(encoded)),
				statecheck.ExpectKnownValue("data.kuscia_domain.test", tfjsonpath.New("deploy_tokens"), knownvalue.ListSizeExact(0)),
			},
		}},
	})
}

// TestAccDomainsDataSource: many domains are read with one request, in the
// order of the IDs. Missing domains are listed, and an empty list sends no
// request.
func TestAccDomainsDataSource(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	const data = "data.kuscia_domains.test"
	ids := []string{newID(e, "b"), newID(e, "a"), newID(e, "c")}
	for _, id := range ids {
		create(t, e, &kuscia.DomainRequest{DomainID: id, Role: "partner"})
	}
	asked := func(ids ...string) string {
		return acctest.DataBlock("kuscia_domains", "test", map[string]any{"domain_ids": ids}) +
			acctest.Output("ids", acctest.Reference("data.kuscia_domains.test.domains[*].domain_id"))
	}
	texts := func(ids ...string) knownvalue.Check {
		checks := []knownvalue.Check{}
		for _, id := range ids {
			checks = append(checks, knownvalue.StringExact(id))
		}
		return knownvalue.ListExact(checks)
	}
	missing := newID(e, "missing")
	requests := e.CountRequests()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{
			{
				PreConfig: requests.Start, Config: asked(), Check: requests.ExpectNone(pathBatch, pathQuery),
				ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("ids", texts())},
			},
			{
				Config: asked(append(slices.Clone(ids), "master")...),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownOutputValue("ids", texts(append(slices.Clone(ids), "master")...)),
					statecheck.ExpectKnownValue(data, tfjsonpath.New("missing_domain_ids"), texts()),
					statecheck.ExpectKnownValue(data, tfjsonpath.New("domains").AtSliceIndex(1).AtMapKey("role"), knownvalue.StringExact("partner")),
				},
			},
			{
				Config: asked(ids[0], missing, ids[1]),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownOutputValue("ids", texts(ids[0], ids[1])),
					statecheck.ExpectKnownValue(data, tfjsonpath.New("missing_domain_ids"), texts(missing)),
				},
			},
			{Config: asked(ids[0], ""), ExpectError: acctest.Words("Invalid domain_id", `domain_ids\[1\]`)},
			{Config: asked("No_Id"), ExpectError: acctest.Words("Invalid domain_id", "is not an ID of a domain")},
		},
	})
}

// TestAccDomainDataSource_missing: the error message suggests a solution.
func TestAccDomainDataSource_missing(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id := newID(e, "missing")
	acctest.ExpectFailure(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		Steps:                    []resource.TestStep{{Config: lookup(id)}},
	}, acctest.Failure{Messages: []string{`Kuscia has no domain "` + id + `"`}})
}

// ephemeralToken is the token of a domain, with further or other attributes.
func ephemeralToken(domainID any, more attrs) string {
	attributes := attrs{"domain_id": domainID, "timeout": "5s"}
	maps.Copy(attributes, more)
	return acctest.TopLevel("ephemeral", []string{"kuscia_domain_deploy_token", "test"}, attributes)
}

// createdDomain is the ID of a domain of the same configuration.
const createdDomain = acctest.Reference("kuscia_domain.test.domain_id")

// handOver passes the token to a provisioner, which may use ephemeral values
// and writes it to a file.
var handOver = acctest.Block("terraform_data", "node", attrs{
	"depends_on": acctest.Reference("[kuscia_domain.test]"),
	`provisioner "local-exec"`: acctest.Nested{
		"command":     `printf %s "$TOKEN" > token`,
		"environment": attrs{"TOKEN": acctest.Reference("ephemeral.kuscia_domain_deploy_token.test.token")},
	},
})

// TestAccDomainDeployToken: one run creates the domain and passes its token on.
// No file or output of Terraform contains the token.
func TestAccDomainDeployToken(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	acctest.RequireWriteOnly(t) // OpenTofu supports ephemeral values since the same version
	id := newID(e, "token")
	w := e.Initialized(t, config(id)+ephemeralToken(createdDomain, nil)+handOver)
	w.DestroyAtEnd()
	w.Run(0, "plan", "-input=false", "-out=plan.bin")
	output := w.Run(0, "apply", "-input=false", "plan.bin")
	tokens := tokensOf(t, e, id)
	if got := w.Read("token"); !slices.Contains(tokens, got) {
		t.Errorf("passed token %q, which is not one of the %d tokens of the domain", got, len(tokens))
	}
	for name, text := range map[string]string{
		"output": output, "state": w.Read("terraform.tfstate"), "plan": w.Run(0, "show", "-json", "plan.bin"),
	} {
		if strings.Contains(text, tokens[0]) {
			t.Errorf("the %s contains the token", name)
		}
	}
	w.Plan(acctest.PlanEmpty)
}

// TestAccDomainDeployToken_writeOnly: the token of a domain that the same run
// creates is stored in a write-only attribute that must not be empty.
func TestAccDomainDeployToken_writeOnly(t *testing.T) {
	acctest.RequireWriteOnly(t)
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "looks at what the node has stored")
	id := newID(e, "token-wo")
	w := e.Applied(t, config(id)+ephemeralToken(createdDomain, nil)+acctest.Block("kuscia_config", "token", map[string]any{
		"key": "deploy-token", "value_wo": acctest.Reference("ephemeral.kuscia_domain_deploy_token.test.token"), "value_wo_version": 1,
	}))
	if stored, _ := e.Sandbox.ConfigValue("deploy-token"); !slices.Contains(tokensOf(t, e, id), stored) {
		t.Errorf("stored %q, which is not a token of the domain", stored)
	}
	w.Plan(acctest.PlanEmpty)
}

// TestAccDomainDeployToken_indirect: the ID of a domain that the same run
// creates comes from a local value. OpenTofu, other than Terraform, rejects an
// unknown token, and opens the ephemeral resource later only because of the
// depends_on.
func TestAccDomainDeployToken_indirect(t *testing.T) {
	acctest.RequireWriteOnly(t)
	t.Parallel()
	e := acctest.New(t)
	id := newID(e, "token-local")
	w := e.Initialized(t, config(id)+acctest.TopLevel("locals", nil, attrs{"domain": createdDomain})+
		ephemeralToken(acctest.Reference("local.domain"), attrs{"depends_on": acctest.Reference("[kuscia_domain.test]")})+handOver)
	w.DestroyAtEnd()
	w.Apply()
	if got := w.Read("token"); !slices.Contains(tokensOf(t, e, id), got) {
		t.Errorf("passed token %q, which is not one of the domain", got)
	}
	w.Plan(acctest.PlanEmpty)
}

// TestAccDomainDeployToken_used: a token that a node has used to join is not
// returned again.
func TestAccDomainDeployToken_used(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it lets a node join")
	acctest.RequireWriteOnly(t)
	id := newID(e, "used")
	create(t, e, &kuscia.DomainRequest{DomainID: id})
	if err := e.Sandbox.JoinNode(id); err != nil {
		t.Fatal(err)
	}
	w := e.Initialized(t, config(id)+ephemeralToken(id, nil)+handOver+acctest.ImportInto("kuscia_domain.test", id))
	w.Apply()
	found, err := e.API.QueryDomain(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range found.DeployTokenStatuses {
		if given := w.Read("token") == status.Token; given != (status.State == "unused") {
			t.Errorf("token with state %s: returned %t", status.State, given)
		}
	}
}

// TestAccDomainDeployToken_errors: a missing domain, a partner domain, and
// invalid values.
func TestAccDomainDeployToken_errors(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	acctest.RequireWriteOnly(t)
	partner := newID(e, "partner")
	create(t, e, &kuscia.DomainRequest{DomainID: partner, Role: "partner"})
	for name, test := range map[string]struct {
		hcl  string
		want []string
	}{
		"missing":   {ephemeralToken(newID(e, "missing"), nil), []string{"Domain does not exist", "Kuscia has no domain"}},
		"partner":   {ephemeralToken(partner, nil), []string{"Unable to read deploy token", "is a partner's"}},
		"malformed": {ephemeralToken("No_Id", nil), []string{"Invalid domain_id", "is not an ID of a domain"}},
		"timeout":   {ephemeralToken("alice", attrs{"timeout": "-1s"}), []string{"Invalid time limit", `"-1s"`}},
	} {
		t.Run(name, func(t *testing.T) {
			w := e.Initialized(t, test.hcl)
			output, code := w.Try("plan", "-no-color", "-input=false")
			for _, want := range test.want {
				if code != 1 || !acctest.Words(want).MatchString(output) {
					t.Errorf("exit code %d, without %q:\n%s", code, want, output)
				}
			}
		})
	}
}

// TestAccDomain_servingInSamePlan: a serving is not rejected if the same plan
// creates its domain.
func TestAccDomain_servingInSamePlan(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id, image, serving := newID(e, "party"), e.AppImage(), strings.ReplaceAll(e.Name("serving"), ".", "-")
	domainID := acctest.Reference("kuscia_domain.test.domain_id")
	hcl := config(id) + acctest.Block("kuscia_serving", "test", map[string]any{
		"serving_id": serving, "initiator": domainID, "wait_for_rollout": false,
		"parties": map[string]any{"only": map[string]any{"domain_id": domainID, "app_image": image}},
	})
	resource.Test(t, e.TestCase(object(id), resource.TestStep{
		Config: hcl,
		ConfigPlanChecks: acctest.Planned(
			plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
			plancheck.ExpectResourceAction("kuscia_serving.test", plancheck.ResourceActionCreate),
		),
	}))
}

// TestAccDomain_lite: a lite node cannot create domains, and the error says
// which node can.
func TestAccDomain_lite(t *testing.T) {
	t.Parallel()
	master := acctest.NewSandbox(t, sandbox.Options{})
	create(t, master, &kuscia.DomainRequest{DomainID: "carol"})
	lite := acctest.NewSandbox(t, sandbox.Options{Lite: "carol", Master: master.Sandbox})
	acctest.ExpectFailure(t, resource.TestCase{
		ProtoV6ProviderFactories: lite.ProtoV6ProviderFactories(),
		Steps:                    []resource.TestStep{{Config: config("dave")}},
	}, acctest.Failure{Messages: []string{`Unable to create domain`, `"dave"`, "11104", "lite node", "master"}})
}
