package domain

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs draws configurations of a domain of the id "app".
func configs(unknowns bool, certificates ...string) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: domain.Definition, Fixed: tree{attrDomainID: "app"}, Unknowns: unknowns,
		Texts: map[string][]string{
			attrRole: {"", "partner"}, attrCert: certificates, attrMaster: {"", "app", "alice", "bob"},
			attrAuthType: {"Token", "MTLS", "None"}, attrTokenGen: {"RSA-GEN", "RAND-GEN"}, "create": {"1m", "60s", "2m"},
		},
	}
}

// spellings are those of one certificate.
func spellings(t *testing.T, c *clients.Clients) []string {
	t.Helper()
	master, err := c.API.QueryDomain(t.Context(), kuscia.MasterDomain)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := base64.StdEncoding.DecodeString(master.Cert)
	if err != nil {
		t.Fatal(err)
	}
	inPEM, lines := string(decoded), slices.Collect(slices.Chunk([]byte(master.Cert), 64))
	indented := "    " + string(bytes.Join(lines, []byte("\n    "))) + " \n"
	return []string{master.Cert, master.Cert + "\n", indented, " " + inPEM + " ", "\t" + strings.ReplaceAll(inPEM, "\n", "\r\n")}
}

// TestShortcutsAgree: with and without the shortcuts the answers are the same,
// and what was applied plans empty, whatever it was before.
func TestShortcutsAgree(t *testing.T) {
	b := sandboxtest.NewResource(t, domain, sandbox.Options{})
	certificates := spellings(t, b.Clients)
	bare, fast := b.Server, b.Fast(t)
	rapid.Check(t, func(t *rapid.T) {
		defer func() { _ = b.Clients.API.DeleteDomain(t.Context(), "app") }()
		state := bare.None()
		for i := range 3 {
			generator := configs(false, certificates...)
			generator.Empty = rapid.Bool().Draw(t, "empty")
			desired := generator.Config(t, fmt.Sprint("config ", i))
			if generator.Empty && bare.PlanErrors(t, desired) != "" {
				continue
			}
			crudtest.Agree(t, bare, fast, desired, state)
			_, planned := bare.Plan(t, desired, state)
			definitiontest.Legal(t, domain.Definition.ResourceSchema(), state.Value, desired, planned)
			next, said := bare.Apply(t, desired, state)
			if strings.Contains(said, "ERROR") && !strings.Contains(said, "master domain role is") {
				t.Fatalf("apply of %s says %s", desired, said)
			}
			if state = next; state.Value.IsNull() {
				continue
			}
			crudtest.Agree(t, bare, fast, desired, state)
			if _, again := bare.Plan(t, desired, state); said == "" && !again.Equal(state.Value) {
				t.Fatalf("applied\n%s\nand planned\n%s", state.Value, again)
			}
			if rapid.Bool().Draw(t, "a node joins") && b.Box.JoinNode("app") == nil {
				crudtest.Agree(t, bare, fast, desired, state)
			}
		}
	})
}

// TestShortcutsAreTaken: what comes with every plan that changes nothing is
// answered by the shortcuts.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	sandboxtest.NewResource(t, domain, sandbox.Options{}).Fast(t).CheckFastPath(t, domain.Definition.Encode(tree{attrDomainID: "app"}))
}

// TestUnknown: with any part unknown the plan is legal, and what it shows as
// known is what it is later.
func TestUnknown(t *testing.T) {
	d := domain.Definition
	definitiontest.UnknownPlans{
		Generator: func(unknowns bool) definitiontest.Generator { return configs(unknowns, "x") }, Issues: domain.Issues,
		Prior: func(_ *rapid.T, _, _ definition.Value) definition.Value {
			return d.Refreshed(d.Encode(fromWire(&object{Domain: kuscia.Domain{DomainID: "app"}})), d.Null())
		},
	}.Check(t)
}

// TestEveryFieldIsSent: nothing that is configured is lost on the way.
func TestEveryFieldIsSent(t *testing.T) {
	full := domain.Definition.Encode(tree{
		attrDomainID: "app", attrRole: "partner", attrCert: "c", attrMaster: "bob",
		attrAuthCenter: tree{attrAuthType: "MTLS", attrTokenGen: "RAND-GEN"},
	})
	wire, diags := domain.Request(full, full)
	sent := request(wire)
	if diags.HasError() || *sent.AuthCenter != (kuscia.AuthCenter{AuthenticationType: "MTLS", TokenGenMethod: "RAND-GEN"}) ||
		sent.DomainID != "app" || sent.Role != "partner" || sent.Cert != "c" || sent.MasterDomainID != "bob" {
		t.Errorf("sent is %+v (%v)", sent, diags)
	}
	// The certificate of a state was chosen elsewhere, unlike the rest.
	if wire, _ := domain.Request(full, domain.Definition.Encode(tree{attrDomainID: "app"})); wire.Cert != "" || wire.AuthCenter == nil {
		t.Errorf("sent is %+v", request(wire))
	}
}

// TestChecks: what Kuscia would refuse, swallow or keep, on its attribute.
func TestChecks(t *testing.T) {
	t.Parallel()
	_, c := sandboxtest.Start(t, sandbox.Options{})
	encoded, err := base64.StdEncoding.DecodeString(spellings(t, c)[0])
	if err != nil {
		t.Fatal(err)
	}
	certificate := strings.TrimSpace(string(encoded)) + "\n"
	auth := func(kind, method string) tree {
		return tree{attrAuthCenter: tree{attrAuthType: kind, attrTokenGen: method}}
	}
	for name, test := range map[string]struct {
		with tree
		at   []string
	}{
		"dot":             {tree{attrDomainID: "a.b"}, []string{attrDomainID}},
		"capitals":        {tree{attrDomainID: "A"}, []string{attrDomainID}},
		"last hyphen":     {tree{attrDomainID: "a-"}, []string{attrDomainID}},
		"64 characters":   {tree{attrDomainID: strings.Repeat("a", 64)}, []string{attrDomainID}},
		"master":          {tree{attrDomainID: "master"}, []string{attrDomainID}},
		"role":            {tree{attrRole: "Partner"}, []string{attrRole}},
		"no certificate":  {tree{attrCert: "hello"}, []string{attrCert}},
		"a key":           {tree{attrCert: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}, []string{attrCert}},
		"a key as well":   {tree{attrCert: certificate + "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}, []string{attrCert}},
		"a certificate":   {tree{attrCert: certificate}, nil},
		"empty cert":      {tree{attrCert: ""}, []string{attrCert}},
		"another master":  {tree{attrMaster: "No"}, []string{attrMaster}},
		"authentication":  {auth("token", "RSA-GEN"), []string{"auth_center.authentication_type"}},
		"method":          {auth("Token", "FOO"), []string{"auth_center.token_gen_method"}},
		"one of two":      {auth("Token", ""), []string{"auth_center.token_gen_method"}},
		"neither":         {auth("", ""), []string{"auth_center.authentication_type"}},
		"63 characters":   {tree{attrDomainID: strings.Repeat("a", 63)}, nil},
		"a digit first":   {tree{attrDomainID: "0a"}, nil},
		"partner":         {tree{attrRole: "partner", attrMaster: "bob"}, nil},
		"local in text":   {tree{attrRole: ""}, nil},
		"its own master":  {tree{attrMaster: "app"}, nil},
		"MTLS, RAND-GEN":  {auth("MTLS", "RAND-GEN"), nil},
		"None, UID":       {auth("None", "UID-RSA-GEN"), nil},
		"not known":       {tree{attrRole: definition.Unknown, attrCert: definition.Unknown, attrAuthCenter: tree{attrAuthType: definition.Unknown, attrTokenGen: "RSA-GEN"}}, nil},
		"nothing of auth": {tree{attrAuthCenter: definition.Unknown}, nil},
	} {
		with := tree{attrDomainID: "app"}
		maps.Copy(with, test.with)
		var at []string
		for _, issue := range domain.Issues(domain.Definition.Encode(with)) {
			at = append(at, issue.At.String())
		}
		if !slices.Equal(at, test.at) {
			t.Errorf("%s: issues at %v, want %v", name, at, test.at)
		}
	}
}

// TestRead: everything of an answer is in the state or in the data source, and a
// partner is not waited for.
func TestRead(t *testing.T) {
	t.Parallel()
	d := &object{Domain: kuscia.Domain{
		DomainID: "app", Role: "partner", Cert: "c", MasterDomainID: "bob", Annotations: map[string]string{"a": "1"},
		AuthCenter:   &kuscia.AuthCenter{AuthenticationType: "MTLS", TokenGenMethod: "RAND-GEN"},
		NodeStatuses: []kuscia.NodeStatus{{Name: "n", Status: "Ready", Version: "v", LastHeartbeatTime: "1", LastTransitionTime: "2"}},
	}}
	want := tree{
		attrDomainID: "app", attrRole: "partner", attrCert: "c", attrMaster: "bob", "annotations": map[string]string{"a": "1"},
		attrAuthCenter: tree{attrAuthType: "MTLS", attrTokenGen: "RAND-GEN"}, attrTokens: []any{},
		attrNodes: []any{tree{"name": "n", "status": "Ready", "version": "v", "last_heartbeat_time": "1", "last_transition_time": "2"}},
	}
	if got := fromWire(d); !reflect.DeepEqual(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
	if done, _ := hasToken(d); !done {
		t.Error("a partner is waited for")
	}
	d.Role = ""
	if done, _ := hasToken(d); done {
		t.Error("a domain without a token is ready")
	}
	d.DeployTokenStatuses = []kuscia.DeployTokenStatus{{Token: "t", State: "unused"}}
	if done, _ := hasToken(d); !done {
		t.Error("a domain with a token is not ready")
	}
}

// TestAnotherID: a domain of another id is another one; all else is changed in
// place.
func TestAnotherID(t *testing.T) {
	t.Parallel()
	_, c := sandboxtest.Start(t, sandbox.Options{})
	server := crudtest.NewServer(t, domain, c)
	state, _ := server.ApplyAndVerify(t, domain.Definition.Encode(tree{attrDomainID: "app"}), server.None())
	for name, test := range map[string]struct {
		with     tree
		replaces bool
	}{
		attrDomainID:   {tree{attrDomainID: "other"}, true},
		attrRole:       {tree{attrRole: "partner"}, false},
		attrCert:       {tree{attrCert: spellings(t, c)[0]}, false},
		attrMaster:     {tree{attrMaster: "alice"}, false},
		attrAuthCenter: {tree{attrAuthCenter: tree{attrAuthType: "None", attrTokenGen: "RSA-GEN"}}, false},
	} {
		with := tree{attrDomainID: "app"}
		maps.Copy(with, test.with)
		if changes, replaces := server.Changes(t, domain.Definition.Encode(with), state); !slices.Contains(changes, name) || replaces != test.replaces {
			t.Errorf("%s: changes %v, replaces %t", name, changes, replaces)
		}
	}
}

// TestLookUp: of many domains a few missing ones cost few requests, and the
// order stays.
func TestLookUp(t *testing.T) {
	var ids, present []string
	absent := map[string]bool{"d3": true, "d500": true, "d501": true}
	for i := range 1000 {
		id := fmt.Sprint("d", i)
		ids = append(ids, id)
		if !absent[id] {
			present = append(present, id)
		}
	}
	asked := 0
	found, missing, err := lookUp(ids, func(ids []string) ([]kuscia.Domain, error) {
		asked++
		var out []kuscia.Domain
		for _, id := range ids {
			if absent[id] {
				return nil, fmt.Errorf("batch: %w", kuscia.ErrNotFound)
			}
			out = append(out, kuscia.Domain{DomainID: id})
		}
		return out, nil
	})
	var got []string
	for _, d := range found {
		got = append(got, d.DomainID)
	}
	if err != nil || !slices.Equal(got, present) || !slices.Equal(missing, []string{"d3", "d500", "d501"}) || asked > 60 {
		t.Errorf("%d found, missing %v, %d requests (%v)", len(got), missing, asked, err)
	}
	if _, _, err := lookUp(ids, func([]string) ([]kuscia.Domain, error) { return nil, kuscia.ErrUnavailable }); err == nil {
		t.Error("an error is lost")
	}
}
