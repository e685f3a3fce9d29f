package domain_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func state(attribute string, want knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), want)
}

// auth is the value of auth_center in the state.
func auth(kind, method string) knownvalue.Check {
	return knownvalue.ObjectExact(map[string]knownvalue.Check{
		"authentication_type": knownvalue.StringExact(kind), "token_gen_method": knownvalue.StringExact(method),
	})
}

func TestAccDomain_object(t *testing.T) {
	t.Parallel()
	acctest.TestObject(t, acctest.New, func(e *acctest.Env) acctest.Object { return object(newID(e, "object")) })
}

// TestAccDomain_minimal: after the apply the deploy token exists, and the plan is
// empty.
func TestAccDomain_minimal(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id := newID(e, "minimal")
	requests := e.CountRequests()
	resource.Test(t, e.TestCase(object(id),
		resource.TestStep{
			Config: config(id),
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact(id)),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("role"), knownvalue.Null()),
				plancheck.ExpectUnknownValue(address, tfjsonpath.New("cert")),
				plancheck.ExpectUnknownValue(address, tfjsonpath.New("auth_center")),
			),
			ConfigStateChecks: []statecheck.StateCheck{
				state("role", knownvalue.Null()), state("cert", knownvalue.Null()),
				state("master_domain_id", knownvalue.Null()), state("auth_center", auth("Token", "RSA-GEN")),
				state("wait_for_deploy_token", knownvalue.Bool(true)), state("timeouts", knownvalue.Null()),
			},
			Check: onServer(e, id, func(d *kuscia.Domain) error {
				if len(d.DeployTokenStatuses) == 0 {
					return errors.New("the apply did not wait for the deploy token")
				}
				return nil
			}),
		},
		resource.TestStep{
			PreConfig: requests.Start, Config: config(id), PlanOnly: true,
			Check: requests.ExpectNone(pathCreate, pathUpdate, pathDelete),
		},
	))
}

// TestAccDomain_update changes one attribute after the other. An update is not
// a patch: the other attributes must keep their values.
func TestAccDomain_update(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id := newID(e, "update")
	asPEM, encoded := certificate(t, e)
	updates := acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate))
	nothing := acctest.Planned(plancheck.ExpectEmptyPlan())
	const rand = `auth_center = { authentication_type = "Token", token_gen_method = "RAND-GEN" }`
	holds := func(role, method, master string, cert bool) resource.TestCheckFunc {
		return onServer(e, id, func(d *kuscia.Domain) error {
			if d.Role != role || d.AuthCenter == nil || d.AuthCenter.TokenGenMethod != method || d.MasterDomainID != master || (d.Cert != "") != cert {
				return fmt.Errorf("domain on the server: %+v, auth_center %+v", d, d.AuthCenter)
			}
			return nil
		})
	}
	inPEM := "cert = <<-EOT\n" + asPEM + "EOT"
	resource.Test(t, e.TestCase(object(id),
		resource.TestStep{Config: config(id, rand), Check: holds("", "RAND-GEN", "", false)},
		resource.TestStep{Config: config(id, rand, `role = "partner"`), ConfigPlanChecks: updates, Check: holds("partner", "RAND-GEN", id, false)},
		// The domain's own ID and "" mean the same master domain. The first of them is only
		// stored, since Terraform does not let a plan keep null.
		resource.TestStep{Config: config(id, rand, `role = "partner"`, `master_domain_id = "`+id+`"`), ConfigPlanChecks: updates, Check: holds("partner", "RAND-GEN", id, false)},
		resource.TestStep{Config: config(id, rand, `role = "partner"`, `master_domain_id = ""`), ConfigPlanChecks: nothing},
		resource.TestStep{Config: config(id, rand, `role = "partner"`, inPEM), ConfigPlanChecks: updates, Check: holds("partner", "RAND-GEN", id, true)},
		// Another spelling of the same certificate.
		resource.TestStep{Config: config(id, rand, `role = "partner"`, `cert = "`+encoded+`"`), ConfigPlanChecks: nothing},
		// Attributes removed from the configuration keep their values.
		resource.TestStep{Config: config(id, `role = "partner"`), ConfigPlanChecks: nothing, Check: holds("partner", "RAND-GEN", id, true)},
		resource.TestStep{Config: config(id), ConfigPlanChecks: updates, Check: holds("", "RAND-GEN", id, true)},
		resource.TestStep{
			Config:           config(id, `auth_center = { authentication_type = "MTLS", token_gen_method = "UID-RSA-GEN" }`),
			ConfigPlanChecks: updates, Check: holds("", "UID-RSA-GEN", id, true),
		},
		resource.TestStep{Config: config(id, "wait_for_deploy_token = false", `timeouts = { create = "30s" }`), ConfigPlanChecks: updates, Check: holds("", "UID-RSA-GEN", id, true)},
	))
}

// TestAccDomain_master: changing the master domain, and a replacement.
func TestAccDomain_master(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id, other, renamed := newID(e, "run"), newID(e, "runner"), newID(e, "renamed")
	create(t, e, &kuscia.DomainRequest{DomainID: other})
	master := `master_domain_id = "` + other + `"`
	resource.Test(t, e.TestCase(object(renamed),
		resource.TestStep{Config: config(id, master), ConfigStateChecks: []statecheck.StateCheck{state("master_domain_id", knownvalue.StringExact(other))}},
		resource.TestStep{Config: config(id), Check: onServer(e, id, func(d *kuscia.Domain) error {
			if d.MasterDomainID != id {
				return fmt.Errorf("master_domain_id is %q", d.MasterDomainID)
			}
			return nil
		})},
		resource.TestStep{Config: config(renamed), ConfigPlanChecks: acctest.Planned(
			plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate),
		)},
	))
}

// TestAccDomain_partner: a partner domain gets no deploy token, so the create
// does not wait for one.
func TestAccDomain_partner(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id := newID(e, "partner")
	resource.Test(t, e.TestCase(object(id), resource.TestStep{
		Config: config(id, `role = "partner"`), ConfigStateChecks: []statecheck.StateCheck{state("role", knownvalue.StringExact("partner"))},
	}))
}

// TestAccDomain_unknown: values known only after apply, in a create and in an
// update.
func TestAccDomain_unknown(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	id := newID(e, "unknown")
	asPEM, _ := certificate(t, e)
	hcl := func(input string) string {
		return acctest.Block("terraform_data", "late", attrs{"input": input}) +
			acctest.TopLevel("locals", nil, attrs{"cert": asPEM}) + config(id,
			`role = terraform_data.late.output == "1" ? "partner" : ""`,
			`cert = terraform_data.late.output == "1" ? local.cert : local.cert`,
			`master_domain_id = terraform_data.late.output == "1" ? "" : "`+id+`"`,
			`auth_center = { authentication_type = "Token", token_gen_method = terraform_data.late.output == "1" ? "RSA-GEN" : "RAND-GEN" }`,
			`wait_for_deploy_token = terraform_data.late.output != "1"`)
	}
	resource.Test(t, e.TestCase(object(id),
		resource.TestStep{
			Config: hcl("1"), ConfigStateChecks: []statecheck.StateCheck{state("role", knownvalue.StringExact("partner"))},
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectUnknownValue(address, tfjsonpath.New("role")), plancheck.ExpectUnknownValue(address, tfjsonpath.New("master_domain_id")),
			),
		},
		resource.TestStep{
			Config: hcl("2"), ConfigStateChecks: []statecheck.StateCheck{state("role", knownvalue.StringExact("")), state("auth_center", auth("Token", "RAND-GEN"))},
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
			),
		},
	))
}
