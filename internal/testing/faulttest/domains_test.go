package faulttest_test

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// newDomains are the domains that scenarios create, the first one of a partner.
var newDomains = map[string]string{"one": "grace", "two": "heidi", "three": "ivan"}

// domainKind is domains, with a variable token generation method.
var domainKind = objectKind{
	typeName: "kuscia_domain", path: "domain", plural: "domains",
	config: func(o objectSpec, timeout string) attrs {
		return attrs{
			"domain_id": newDomains[o.name], "role": domainRole(o), "timeouts": attrs{"create": timeout},
			"auth_center": attrs{"authentication_type": "Token", "token_gen_method": tokenMethods[o.n]},
		}
	},
	held: func(server *sandbox.Sandbox, o objectSpec) string {
		stored, err := server.Domain(newDomains[o.name])
		if err != nil {
			return ""
		}
		method := ""
		if stored.AuthCenter != nil {
			method = stored.AuthCenter.TokenGenMethod
		}
		return fmt.Sprintf("%q with %q", stored.Role, method)
	},
	desired: func(o objectSpec) string { return fmt.Sprintf("%q with %q", domainRole(o), tokenMethods[o.n]) },
}

var tokenMethods = map[int]string{1: "RSA-GEN", 2: "RAND-GEN"}

func domainRole(o objectSpec) string {
	if o.name == "one" {
		return "partner"
	}
	return ""
}

// testbedDomains are the initial domains, on a master with its own domain.
var testbedDomains = []string{"alice", "bob", "carol"}

const masterDomain = "kuscia-system"

// domainDifferences are missing and unexpected domains.
func (c configuration) domainDifferences(server *sandbox.Sandbox) []string {
	want := slices.Clone(testbedDomains)
	for _, o := range c.objects {
		if o.kind.typeName == domainKind.typeName {
			want = append(want, newDomains[o.name])
		}
	}
	slices.Sort(want)
	got := slices.DeleteFunc(server.DomainIDs(), func(id string) bool { return id == masterDomain })
	if !slices.Equal(got, want) {
		return []string{fmt.Sprintf("the domains are %v, want %v", got, want)}
	}
	return nil
}
