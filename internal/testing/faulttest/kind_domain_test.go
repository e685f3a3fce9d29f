package faulttest_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
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
	stored: func(server *sandbox.Sandbox, o objectSpec) string {
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
	desired:     func(o objectSpec) string { return fmt.Sprintf("%q with %q", domainRole(o), tokenMethods[o.n]) },
	differences: domainDifferences,

	generate: func(g generator, _ generatedConfig, add func(generatedResource)) {
		g.some(3, add, func(i int) generatedResource { return g.domain(fmt.Sprint("domain-", i)) })
	},
	identity: []string{"domain_id"},
	same:     map[string][][]any{"role": {{nil, ""}}, "wait_for_deploy_token": {{nil, true}}},
	respell: func(g generator, config attrs) {
		config["cert"] = g.respelled(config["cert"])
		switch config["master_domain_id"] {
		case nil, "", config["domain_id"]:
			config["master_domain_id"] = pick(g, nil, "", config["domain_id"])
		}
	},
	moveRequest: requestWith("domain_id"),
	all:         func(server *sandbox.Sandbox) string { return fmt.Sprint(server.DomainIDs()) },

	edit: changeRole(nil),
	remove: func(ctx context.Context, api *kuscia.Client, value stateValue) error {
		return api.DeleteDomain(ctx, value("domain_id"))
	},
	drift: func(attrs) externalWrite {
		return changeRole(&kuscia.AuthCenter{AuthenticationType: "Token", TokenGenMethod: "RSA-GEN"})
	},
}

func init() { registerKind(domainKind) }

// changeRole changes the role of a domain, and replaces its auth_center.
func changeRole(center *kuscia.AuthCenter) externalWrite {
	return func(ctx context.Context, api *kuscia.Client, value stateValue) error {
		role := "partner"
		if value("role") == role {
			role = ""
		}
		return api.UpdateDomain(ctx, &kuscia.DomainRequest{DomainID: value("domain_id"), Role: role, AuthCenter: center})
	}
}

var tokenMethods = map[int]string{1: "RSA-GEN", 2: "RAND-GEN"}

func domainRole(o objectSpec) string {
	if o.name == "one" {
		return "partner"
	}
	return ""
}

func (g generator) domain(name string) generatedResource {
	id := "r-" + name
	config := attrs{"domain_id": id, "role": pick[any](g, nil, "", "partner"), "master_domain_id": pick[any](g, nil, "", id)}
	if g.chance(30) {
		config["cert"] = g.certificate()
	}
	if g.chance(50) {
		config["auth_center"] = attrs{"authentication_type": pick(g, "Token", "MTLS", "None"), "token_gen_method": pick(g, "RSA-GEN", "RAND-GEN", "UID-RSA-GEN")}
	}
	if g.chance(30) {
		config["wait_for_deploy_token"] = g.chance(50)
	}
	return generatedResource{"kuscia_domain", name, config}
}

// testbedDomains are the initial domains, on a master with its own domain.
var testbedDomains = []string{"alice", "bob", "carol"}

const masterDomain = "kuscia-system"

// domainDifferences are missing and unexpected domains.
func domainDifferences(objects []objectSpec, server *sandbox.Sandbox) []string {
	want := slices.Clone(testbedDomains)
	for _, o := range objects {
		want = append(want, newDomains[o.name])
	}
	slices.Sort(want)
	got := slices.DeleteFunc(server.DomainIDs(), func(id string) bool { return id == masterDomain })
	if !slices.Equal(got, want) {
		return []string{fmt.Sprintf("the domains are %v, want %v", got, want)}
	}
	return nil
}

// domains are references to all generated domains.
func (c generatedConfig) domains() (list []any) {
	for _, name := range c.names(domainKind.typeName) {
		list = append(list, reference{domainKind.typeName + "." + name, "domain_id"})
	}
	return list
}
