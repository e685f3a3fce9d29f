package domain

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs generates configurations of a domain with the ID "app".
func configs(unknowns bool, certificates ...string) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: domain.Definition, Fixed: tree{attrDomainID: "app", "allow_removal_of": customResource.Named()}, Unknowns: unknowns,
		Texts: map[string][]string{
			attrRole: {"", "partner"}, attrCert: certificates, attrMaster: {"", "app", "alice", "bob"},
			attrAuthType: {"Token", "MTLS", "None"}, attrTokenGen: {"RSA-GEN", "RAND-GEN"}, "create": {"1m", "60s", "2m"},
		},
	}
}

// spellings are spellings of one certificate.
func spellings(t *testing.T, c *run.Run) []string {
	t.Helper()
	master, err := c.Kuscia.QueryDomain(t.Context(), kuscia.MasterDomain)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := base64.StdEncoding.DecodeString(master.Cert)
	if err != nil {
		t.Fatal(err)
	}
	return []string{master.Cert, " " + master.Cert[:64] + "\n    " + master.Cert[64:] + "\n", "\t" + strings.ReplaceAll(string(decoded), "\n", "\r\n")}
}

// TestProperties: any configuration can be applied over any prior state, and shortcuts
// respond as the framework does, also when a node has joined.
func TestProperties(t *testing.T) {
	t.Parallel()
	b := sandboxtest.NewResource(t, domain, sandbox.Options{})
	certificates := spellings(t, b.Run)
	d := domain.Definition
	crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Issues: domain.Issues, Full: d.Encode(tree{attrDomainID: "app"}),
		Generator: func(unknowns bool) definitiontest.Generator { return configs(unknowns, certificates...) },
		MayFail:   "master domain role is",
		Remove:    func() { _ = b.Run.Kuscia.DeleteDomain(t.Context(), "app") },
		Drift:     func(*rapid.T, crudtest.State) { _ = b.Box.JoinNode("app") },
		Prior: func(*rapid.T, definition.Value, definition.Value) definition.Value {
			return d.Refreshed(d.Encode(fromWire(&object{Domain: kuscia.Domain{DomainID: "app"}})), d.Null())
		},
	}.Check(t)
}

// TestWithoutAuthCenter: a domain without auth_center, as an update by clients that do not know it leaves it,
// has null in the state and in the data source: the configuration that Terraform generates for an
// import is valid, and its plan is empty.
func TestWithoutAuthCenter(t *testing.T) {
	t.Parallel()
	b := sandboxtest.NewResource(t, domain, sandbox.Options{})
	d := domain.Definition
	config, none := d.Encode(tree{attrDomainID: "app"}), definition.FieldsOf(d.Encode(tree{}))[attrAuthCenter]
	created, _ := b.ApplyAndVerify(t, config, b.None())
	if err := b.Run.Kuscia.UpdateDomain(t.Context(), &kuscia.DomainRequest{DomainID: "app"}); err != nil {
		t.Fatal(err)
	}
	_, read := b.Read(t, created)
	for name, state := range map[string]crudtest.State{"imported": b.Imported(t, "app"), "read": read} {
		if got := definition.FieldsOf(state.Value)[attrAuthCenter]; !got.Equal(none) {
			t.Errorf("%s: auth_center is %s", name, got)
		}
		for _, server := range []*crudtest.Server{b.Server, b.Fast(t)} {
			server.ApplyWithoutWarnings(t, config, state)
			server.CheckNoDrift(t, config, state)
		}
	}
	shown, said := crudtest.NewFinder(t, b.Run, Types).ReadData(t, "kuscia_domain", map[string]string{"domain_id": "app"})
	if auth := definition.FieldsOf(shown)[attrAuthCenter]; said != "" || !auth.IsNull() {
		t.Errorf("the data source shows %s, diagnostics: %s", auth, said)
	}
	// An update of something else leaves it so, and a configured one is set.
	state, _ := b.ApplyAndVerify(t, d.Encode(tree{attrDomainID: "app", attrRole: "partner"}), read)
	if got := definition.FieldsOf(state.Value)[attrAuthCenter]; !got.Equal(none) {
		t.Errorf("after an update auth_center is %s", got)
	}
	b.ApplyAndVerify(t, d.Encode(tree{attrDomainID: "app", attrAuthCenter: tree{attrAuthType: "MTLS", attrTokenGen: "RSA-GEN"}}), state)
}

// TestRoleAfterWrite: what this run has read of a domain is read again after a create and an
// update: servings ask whether it is a partner's.
func TestRoleAfterWrite(t *testing.T) {
	t.Parallel()
	b := sandboxtest.NewResource(t, domain, sandbox.Options{})
	state := b.None()
	for _, role := range []string{"", kuscia.DomainRolePartner} {
		if partner, err := b.Run.Domains.IsPartner(t.Context(), "app"); partner || errors.Is(err, kuscia.ErrNotFound) != (role == "") {
			t.Fatalf("before the role %q: a partner: %t, %v", role, partner, err)
		}
		state, _ = b.ApplyAndVerify(t, domain.Definition.Encode(tree{attrDomainID: "app", attrRole: role, attrCert: spellings(t, b.Run)[0]}), state)
	}
	if partner, err := b.Run.Domains.IsPartner(t.Context(), "app"); !partner || err != nil {
		t.Errorf("a partner: %t, %v", partner, err)
	}
	b.Plan(t, domain.Definition.Encode(tree{attrDomainID: "new", attrRole: definition.Unknown}), b.None())
	if !b.Run.Domains.ChangesRole(t.Context(), "new") {
		t.Error("the role that the plan does not know is not noted")
	}
}

// TestNotSent: what is not configured is not sent.
func TestNotSent(t *testing.T) {
	t.Parallel()
	planned := domain.Definition.Encode(tree{attrDomainID: "app", attrCert: "of the state"})
	if sent, _ := domain.Request(planned, domain.Definition.Encode(tree{attrDomainID: "app"})); sent.Cert != "" || sent.AuthCenter != nil {
		t.Errorf("%+v is sent", sent)
	}
}
