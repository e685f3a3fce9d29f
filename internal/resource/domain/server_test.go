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

// configs generates configurations of a domain with the ID "app".
func configs(unknowns bool, certificates ...string) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: domain.Definition, Fixed: tree{attrDomainID: "app"}, Unknowns: unknowns,
		Texts: map[string][]string{
			attrRole: {"", "partner"}, attrCert: certificates, attrMaster: {"", "app", "alice", "bob"},
			attrAuthType: {"Token", "MTLS", "None"}, attrTokenGen: {"RSA-GEN", "RAND-GEN"}, "create": {"1m", "60s", "2m"},
		},
	}
}

// spellings are spellings of one certificate.
func spellings(t *testing.T, c *clients.Clients) []string {
	t.Helper()
	master, err := c.Kuscia.QueryDomain(t.Context(), kuscia.MasterDomain)
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

// TestProperties: any configuration can be applied over any prior state, and shortcuts
// respond as the framework does, also when a node has joined.
func TestProperties(t *testing.T) {
	t.Parallel()
	b := sandboxtest.NewResource(t, domain, sandbox.Options{})
	certificates := spellings(t, b.Clients)
	d := domain.Definition
	crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Issues: domain.Issues, Full: d.Encode(tree{attrDomainID: "app"}),
		Generator: func(unknowns bool) definitiontest.Generator { return configs(unknowns, certificates...) },
		MayFail:   "master domain role is",
		Remove:    func() { _ = b.Clients.Kuscia.DeleteDomain(t.Context(), "app") },
		Drift:     func(*rapid.T, crudtest.State) { _ = b.Box.JoinNode("app") },
		Prior: func(*rapid.T, definition.Value, definition.Value) definition.Value {
			return d.Refreshed(d.Encode(fromWire(&object{Domain: kuscia.Domain{DomainID: "app"}})), d.Null())
		},
	}.Check(t)
}

// TestEveryFieldIsSent: all configured attributes are in the request.
func TestEveryFieldIsSent(t *testing.T) {
	full := domain.Definition.Encode(tree{
		attrDomainID: "app", attrRole: "partner", attrCert: "c", attrMaster: "bob",
		attrAuthCenter: tree{attrAuthType: "MTLS", attrTokenGen: "RAND-GEN"},
	})
	wire, diags := domain.Request(full, full)
	sent := request(wire)
	if diags.HasError() || *sent.AuthCenter != (kuscia.AuthCenter{AuthenticationType: "MTLS", TokenGenMethod: "RAND-GEN"}) ||
		sent.DomainID != "app" || sent.Role != "partner" || sent.Cert != "c" || sent.MasterDomainID != "bob" {
		t.Errorf("request: %+v (%v)", sent, diags)
	}
	// The certificate in the state was not configured, unlike the other
	// attributes.
	if wire, _ := domain.Request(full, domain.Definition.Encode(tree{attrDomainID: "app"})); wire.Cert != "" || wire.AuthCenter == nil {
		t.Errorf("request: %+v", request(wire))
	}
}

// TestChecks: values that Kuscia would reject, ignore or keep are reported at
// their attribute.
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

// TestRead: every field of a response is in the state or in the data source,
// and the create of a partner does not wait.
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
		t.Error("a partner domain is not done")
	}
	d.Role = ""
	if done, _ := hasToken(d); done {
		t.Error("a domain without a token is done")
	}
	d.DeployTokenStatuses = []kuscia.DeployTokenStatus{{Token: "t", State: "unused"}}
	if done, _ := hasToken(d); !done {
		t.Error("a domain with a token is not done")
	}
}

// TestAnotherID: a change of the ID replaces the domain; all other changes are
// updates in place.
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

// TestLookUp: a few missing domains among many cost few requests, and the order
// is kept.
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
