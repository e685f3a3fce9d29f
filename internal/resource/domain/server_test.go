package domain

import (
	"bytes"
	"encoding/base64"
	"maps"
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
		"last hyphen":    {tree{attrDomainID: "a-"}, []string{attrDomainID}},
		"a key":          {tree{attrCert: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}, []string{attrCert}},
		"a key as well":  {tree{attrCert: certificate + "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}, []string{attrCert}},
		"a certificate":  {tree{attrCert: certificate}, nil},
		"method":         {auth("Token", "FOO"), []string{"auth_center.token_gen_method"}},
		"neither":        {auth("", ""), []string{"auth_center.authentication_type"}},
		"63 characters":  {tree{attrDomainID: strings.Repeat("a", 63)}, nil},
		"a digit first":  {tree{attrDomainID: "0a"}, nil},
		"its own master": {tree{attrMaster: "app"}, nil},
		"None, UID":      {auth("None", "UID-RSA-GEN"), nil},
		"not known":      {tree{attrRole: definition.Unknown, attrCert: definition.Unknown, attrAuthCenter: tree{attrAuthType: definition.Unknown, attrTokenGen: "RSA-GEN"}}, nil},
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
