package faulttest_test

import (
	"fmt"
)

// newDomains are the domains that scenarios create, the first one of a partner.
var newDomains = map[string]string{"one": "grace", "two": "heidi", "three": "ivan"}

// domainKind is domains, with a variable token generation method.
var domainKind = objectKind{
	typeName: "kuscia_domain", path: "domain", plural: "domains",
	config: func(o objectSpec, c configuration) attrs {
		return attrs{
			"domain_id": newDomains[o.name], "role": domainRole(o), "timeouts": attrs{"create": c.timeout},
			"auth_center": attrs{"authentication_type": "Token", "token_gen_method": tokenMethods[o.n]},
		}
	},
	stored: func(b *testbed, o objectSpec) string {
		stored, err := b.server.Domain(newDomains[o.name])
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

func init() { registerKind(domainKind) }

var tokenMethods = map[int]string{1: "RSA-GEN", 2: "RAND-GEN"}

func domainRole(o objectSpec) string {
	if o.name == "one" {
		return "partner"
	}
	return ""
}
