package domain_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func action(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return acctest.Planned(plancheck.ExpectResourceAction(address, action))
}

var emptyPlan = acctest.Planned(plancheck.ExpectEmptyPlan())

// TestAccDomain_drift: drift of configured attributes is corrected; attributes
// that are not configured keep the value in Kuscia.
func TestAccDomain_drift(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id, other := newID(e, "drift"), newID(e, "other")
	create(t, e, &kuscia.DomainRequest{DomainID: other})
	create(t, e, &kuscia.DomainRequest{DomainID: other + "-p", Role: "partner"})
	asPEM, encoded := certificate(t, e)
	full := config(id, "cert = <<-EOT\n"+asPEM+"EOT", `auth_center = { authentication_type = "Token", token_gen_method = "RSA-GEN" }`)
	right := onServer(e, id, func(d *kuscia.Domain) error {
		if d.Role != "" || d.MasterDomainID != id && d.MasterDomainID != "" || d.AuthCenter == nil || *d.AuthCenter != (kuscia.AuthCenter{AuthenticationType: "Token", TokenGenMethod: "RSA-GEN"}) || d.Cert == "" {
			return fmt.Errorf("domain on the server: %+v, auth_center %+v", d, d.AuthCenter)
		}
		return nil
	})
	steps := []resource.TestStep{{Config: full, Check: right}}
	for _, how := range acctest.Sample(t, 2, map[string]func(*kuscia.DomainRequest){
		"role":                      func(d *kuscia.DomainRequest) { d.Role, d.MasterDomainID = "partner", "" },
		"master_domain_id":          func(d *kuscia.DomainRequest) { d.MasterDomainID = other },
		"role and master_domain_id": func(d *kuscia.DomainRequest) { d.Role, d.MasterDomainID = "partner", other+"-p" },
		"authentication_type":       func(d *kuscia.DomainRequest) { d.AuthCenter.AuthenticationType = "None" },
		"token_gen_method":          func(d *kuscia.DomainRequest) { d.AuthCenter.TokenGenMethod = "RAND-GEN" },
		"auth_center":               func(d *kuscia.DomainRequest) { d.AuthCenter = nil },
	}) {
		steps = append(steps, resource.TestStep{
			PreConfig: change(e, id, how), Config: full, ConfigPlanChecks: action(plancheck.ResourceActionUpdate), Check: right,
		})
	}
	steps = append(steps,
		// The domain's own ID means the same as "".
		resource.TestStep{PreConfig: change(e, id, func(d *kuscia.DomainRequest) { d.MasterDomainID = id }), Config: full, ConfigPlanChecks: emptyPlan},
		resource.TestStep{PreConfig: change(e, id, func(d *kuscia.DomainRequest) { d.Cert = strings.TrimSpace(encoded) }), Config: full, ConfigPlanChecks: emptyPlan},
		// Not configured: no drift, and the next update does not change it.
		resource.TestStep{PreConfig: change(e, id, func(d *kuscia.DomainRequest) { d.AuthCenter = nil }), Config: config(id), ConfigPlanChecks: emptyPlan},
		resource.TestStep{
			Config: config(id, `role = "partner"`), ConfigPlanChecks: action(plancheck.ResourceActionUpdate),
			Check: onServer(e, id, func(d *kuscia.Domain) error {
				if d.AuthCenter != nil {
					return fmt.Errorf("auth_center is %+v", d.AuthCenter)
				}
				return nil
			}),
		},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateId: id, ImportStateKind: resource.ImportBlockWithID, Config: config(id, `role = "partner"`)},
	)
	resource.Test(t, e.TestCase(object(id), steps...))
}

// TestAccDomain_node: a joining node provides a certificate. This is no drift
// if none is configured, and an update does not change it.
func TestAccDomain_node(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it lets a node join")
	id := newID(e, "joined")
	var brought string
	resource.Test(t, e.TestCase(object(id),
		resource.TestStep{Config: config(id), ConfigStateChecks: []statecheck.StateCheck{state("cert", knownvalue.Null())}},
		resource.TestStep{
			PreConfig: e.Do(func(ctx context.Context, api *kuscia.Client) error {
				if err := e.Sandbox.JoinNode(id); err != nil {
					return err
				}
				found, err := api.QueryDomain(ctx, id)
				if err == nil {
					brought = found.Cert
				}
				return err
			}),
			Config: config(id), ConfigPlanChecks: emptyPlan,
		},
		resource.TestStep{
			Config:           config(id, `auth_center = { authentication_type = "None", token_gen_method = "RSA-GEN" }`),
			ConfigPlanChecks: action(plancheck.ResourceActionUpdate),
			Check: onServer(e, id, func(d *kuscia.Domain) error {
				if brought == "" || d.Cert != brought {
					return fmt.Errorf("the node's certificate was removed: got %q", d.Cert)
				}
				return nil
			}),
		},
	))
}

// TestAccDomain_badInput: invalid input is an error before any request is sent.
func TestAccDomain_badInput(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	for name, test := range map[string]struct {
		id    string
		lines []string
		want  []string
	}{
		"dot":        {"a.b", nil, []string{"Invalid domain_id", `"a.b" is not an ID of a domain`, "never create its namespace"}},
		"master":     {"master", nil, []string{"Invalid domain_id", "The ID", "data.kuscia_domain"}},
		"role":       {"x", []string{`role = "Partner"`}, []string{"Value not allowed", `"Partner" is not allowed; use "partner"`}},
		"cert":       {"x", []string{`cert = "MIIB"`}, []string{"Invalid certificate", "BEGIN CERTIFICATE"}},
		"empty cert": {"x", []string{`cert = ""`}, []string{"Empty certificate", "cannot be removed"}},
		"auth":       {"x", []string{`auth_center = { authentication_type = "token", token_gen_method = "" }`}, []string{`"token" is not allowed; use "Token", "MTLS" or "None"`, "Missing token_gen_method"}},
		"empty auth": {"x", []string{`auth_center = { authentication_type = "", token_gen_method = "" }`}, []string{"Missing authentication_type", "both of its attributes"}},
		"half auth":  {"x", []string{`auth_center = { authentication_type = "Token" }`}, []string{`attribute "token_gen_method" is required`}},
		"its master": {"x", []string{`master_domain_id = "No_Id"`}, []string{"Invalid master_domain_id"}},
		"timeout":    {"x", []string{`timeouts = { create = "0s" }`}, []string{"Invalid time limit", `"0s"`}},
	} {
		t.Run(name, func(t *testing.T) {
			requests := e.CountRequests()
			acctest.ExpectFailure(t, resource.TestCase{
				ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
				Steps:                    []resource.TestStep{{Config: config(test.id, test.lines...)}},
			}, acctest.Failure{Messages: test.want})
			if err := requests.ExpectNone(pathCreate, pathQuery)(nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAccDomain_unknownMaster: a master domain that does not exist is refused in the plan.
func TestAccDomain_unknownMaster(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id, missing := newID(e, "refused"), newID(e, "missing")
	acctest.ExpectFailure(t, e.TestCase(object(id), resource.TestStep{Config: config(id, `master_domain_id = "`+missing+`"`)}),
		acctest.Failure{Messages: []string{`Domain does not exist`, "11100", `Kuscia has no domain "` + missing + `"`}})
}

// TestAccDomain_exists: an existing domain is not adopted by default. The
// import block in the error message leads to an empty plan. With adopt_existing
// a domain is adopted if it is as configured.
func TestAccDomain_exists(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id := newID(e, "exists")
	create(t, e, &kuscia.DomainRequest{DomainID: id, Role: "partner"})
	requests := e.CountRequests()
	w := e.Initialized(t, config(id, `role = "partner"`))
	output, code := w.Try("apply", "-no-color", "-auto-approve", "-input=false")
	for _, want := range []string{`Unable to create domain`, `Domain "` + id + `" already exists`, "11306", "terraform import kuscia_domain.NAME " + id} {
		if code != 1 || !strings.Contains(output, want) {
			t.Fatalf("exit code %d, without %q:\n%s", code, want, output)
		}
	}
	w.Write("import.tf", acctest.ImportBlock(t, output, "test"))
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the plan of the import is not empty:\n%s", plan)
	}
	w.Write("import.tf", "")
	w.Write("provider.tf", acctest.ProviderBlock(map[string]any{"adopt_existing": true}))
	w.Write("main.tf", config(id))
	if output, code := w.Try("apply", "-no-color", "-auto-approve", "-input=false"); code != 1 || !acctest.Words("differs from the configuration in role").MatchString(output) {
		t.Errorf("a domain with another role: exit code %d\n%s", code, output)
	}
	w.Write("main.tf", config(id, `role = "partner"`))
	if output := w.Run(0, "apply", "-auto-approve", "-input=false"); !strings.Contains(output, "existed and was adopted") {
		t.Errorf("the adoption is not reported:\n%s", output)
	}
	w.Plan(acctest.PlanEmpty)
	if err := requests.ExpectNone(pathUpdate, pathDelete)(nil); err != nil {
		t.Error(err)
	}
}

// TestAccDomain_generatedConfiguration: the configuration that Terraform
// generates for an import is valid and its plan is empty, also for a domain
// without auth_center.
func TestAccDomain_generatedConfiguration(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	_, encoded := certificate(t, e)
	for name, request := range map[string]kuscia.DomainRequest{
		"partner": {Role: "partner", Cert: encoded, AuthCenter: &kuscia.AuthCenter{AuthenticationType: "MTLS", TokenGenMethod: "RAND-GEN"}},
		"updated": {Cert: encoded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request.DomainID = newID(e, name)
			create(t, e, &request)
			if name == "updated" {
				change(e, request.DomainID, func(d *kuscia.DomainRequest) { d.AuthCenter = nil; d.Role = "partner" })()
			}
			_, _ = e.ImportGenerated(t, map[string]string{address: request.DomainID})
		})
	}
}

// TestAccDomain_importErrors: IDs that cannot be managed.
func TestAccDomain_importErrors(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	for id, want := range map[string][]string{
		"master":             {"Invalid import ID", "The ID"},
		"a.b":                {"Invalid import ID", "is not an ID of a domain"},
		newID(e, "notthere"): {"Cannot import non-existent remote object"},
	} {
		acctest.ExpectFailure(t, resource.TestCase{
			ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
			Steps:                    []resource.TestStep{{Config: config("x"), ResourceName: address, ImportState: true, ImportStateId: id}},
		}, acctest.Failure{Messages: want})
	}
}

// TestAccDomain_lostResponses: the responses to a create, an update and the
// delete are lost after the server has processed the requests.
func TestAccDomain_lostResponses(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it injects faults")
	id := newID(e, "lost")
	lose := func(path string) func() {
		return func() {
			e.Sandbox.ClearFaults()
			e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: path, AfterEffect: true})
		}
	}
	requests := e.CountRequests()
	resource.Test(t, e.TestCase(object(id),
		resource.TestStep{PreConfig: lose("domain/create"), Config: config(id), Check: requests.Expect(pathCreate, 1)},
		resource.TestStep{PreConfig: lose("domain/update"), Config: config(id, `role = "partner"`)},
		resource.TestStep{PreConfig: lose("domain/delete"), Config: config(id, `role = "partner"`), PlanOnly: true},
	))
}

// TestAccDomain_noToken: if the wait times out, the domain is kept and the
// error says so; after untaint nothing is replaced.
func TestAccDomain_noToken(t *testing.T) {
	t.Parallel()
	timing := sandbox.QuickTiming()
	timing.Apply = 3_000_000_000
	e := acctest.NewSandbox(t, sandbox.Options{Timing: timing})
	w := e.Initialized(t, config("slow", `timeouts = { create = "200ms" }`))
	w.DestroyAtEnd()
	output, code := w.Try("apply", "-no-color", "-auto-approve", "-input=false")
	if code != 1 || !acctest.Words("Domain was created but is not ready", `Domain "slow" was not ready`, "no deploy token yet", "untaint", "wait_for_deploy_token = false").MatchString(output) {
		t.Fatalf("exit code %d:\n%s", code, output)
	}
	w.Run(0, "untaint", address)
	w.Plan(acctest.PlanEmpty)
}
