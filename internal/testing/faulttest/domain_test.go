package faulttest_test

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// domainSpec is a domain in a configuration.
type domainSpec struct{ id, role, method string }

func domainAddress(id string) string { return "kuscia_domain." + id }

// domains are up to three, of which the first is a partner's.
func domains(n int, method string) configuration {
	return configuration{domains: []domainSpec{{"grace", "partner", method}, {"heidi", "", method}, {"ivan", "", method}}[:n]}
}

func (d domainSpec) resource(timeout string) resource {
	return resource{address: domainAddress(d.id), typeName: "kuscia_domain", config: func(func(string, string) any) attrs {
		return attrs{
			"domain_id": d.id, "role": d.role, "auth_center": attrs{"authentication_type": "Token", "token_gen_method": d.method},
			"timeouts": attrs{"create": timeout},
		}
	}}
}

func (d domainSpec) differences(server *sandbox.Sandbox) []string {
	stored, err := server.Domain(d.id)
	if err != nil {
		return []string{err.Error()}
	}
	method := ""
	if stored.AuthCenter != nil {
		method = stored.AuthCenter.TokenGenMethod
	}
	if stored.Role != d.role || method != d.method {
		return []string{fmt.Sprintf("domain %s is %+v with %q, want %+v", d.id, stored, method, d)}
	}
	return nil
}

// testbedDomains are there from the start.
var testbedDomains = []string{"alice", "bob", "carol"}

// domainDifferences are those of all domains beside the ones that are there from
// the start, with that of the master.
func (c configuration) domainDifferences(server *sandbox.Sandbox) (found []string) {
	want := append(slices.Clone(testbedDomains), "kuscia-system")
	for _, d := range c.domains {
		want = append(want, d.id)
		found = append(found, d.differences(server)...)
	}
	slices.Sort(want)
	if got := server.DomainIDs(); !slices.Equal(got, want) {
		found = append(found, fmt.Sprintf("the domains are %v, want %v", got, want))
	}
	return found
}
