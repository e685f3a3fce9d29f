package lifetest_test

import (
	"context"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

func init() {
	first, second := inBase64(certificates[0]), inBase64(certificates[1])
	lives["kuscia_domain"] = life{
		warns:   []string{"Fields of the domain may be lost"},
		cli:     "settings",
		servers: master,
		prepare: func(s *servers, name string) {
			makeDomain(s, kuscia.DomainRequest{DomainID: name + "-local"})
			makeDomain(s, kuscia.DomainRequest{DomainID: name + "-partner", Role: "partner"})
		},
		minimal: func(name string) attrs { return attrs{"domain_id": name, "allow_removal_of": []any{"resourceQuota"}} },
		variants: map[string]variant{
			"role": {
				full: attrs{"role": "partner"}, changed: attrs{"role": nil},
			},
			"settings": {
				full: attrs{
					"cert": first, "auth_center": attrs{"authentication_type": "Token", "token_gen_method": "RSA-GEN"},
					"wait_for_deploy_token": false, "timeouts": attrs{"create": "1m"},
				},
				changed: attrs{
					"cert": second, "auth_center": attrs{"authentication_type": "MTLS", "token_gen_method": "RAND-GEN"},
					"wait_for_deploy_token": true, "timeouts": attrs{"create": "2m"},
				},
				spelled: attrs{"cert": withCRLF(certificates[0]), "role": ""},
			},
		},
		ofName: map[string]func(string) variant{
			"master": func(name string) variant {
				return variant{full: attrs{"master_domain_id": name + "-local"}, changed: attrs{"master_domain_id": nil}}
			},
			"master of a partner": func(name string) variant {
				return variant{
					full: attrs{"role": "partner", "master_domain_id": name + "-partner"}, changed: attrs{"role": nil, "master_domain_id": nil},
					together: [][]string{{"role", "master_domain_id"}},
				}
			},
		},
		replacements: map[string]func(string) attrs{"domain_id": func(name string) attrs { return attrs{"domain_id": name} }},
		bad: map[string]badInput{
			"dot":          {attrs{"domain_id": "a.b"}, "domain_id", "never create its namespace"},
			"the master":   {attrs{"domain_id": "master"}, "domain_id", "data.kuscia_domain"},
			"too long":     {attrs{"domain_id": strings.Repeat("a", 64)}, "domain_id", "not an ID of a domain"},
			"last hyphen":  {attrs{"domain_id": "a-"}, "domain_id", "not an ID of a domain"},
			"private key":  {attrs{"cert": certificates[0] + "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}, "cert", "private key"},
			"other method": {attrs{"auth_center": attrs{"authentication_type": "Token", "token_gen_method": "FOO"}}, "token_gen_method", "FOO"},
			"neither":      {attrs{"auth_center": attrs{"authentication_type": "", "token_gen_method": ""}}, "authentication_type", "Missing authentication_type"},
			"role":         {attrs{"role": "Partner"}, "role", `"Partner" is not allowed; use "partner"`},
			"certificate":  {attrs{"cert": "MIIB"}, "cert", "BEGIN CERTIFICATE"},
			"empty cert":   {attrs{"cert": ""}, "cert", "cannot be removed"},
			"auth_center":  {attrs{"auth_center": attrs{"authentication_type": "token", "token_gen_method": "RSA-GEN"}}, "authentication_type", `use "Token", "MTLS" or "None"`},
			"no method":    {attrs{"auth_center": attrs{"authentication_type": "Token", "token_gen_method": ""}}, "token_gen_method", "Missing token_gen_method"},
			"master":       {attrs{"master_domain_id": "No_Id"}, "master_domain_id", "Invalid master_domain_id"},
			"timeout":      {attrs{"timeouts": attrs{"create": "0s"}}, "timeouts", `"0s"`},
		},
	}
}

// makeDomain makes a domain that ends with the test.
func makeDomain(s *servers, request kuscia.DomainRequest) {
	s.env.Do(func(ctx context.Context, api *kuscia.Client) error { return api.CreateDomain(ctx, &request) })()
	s.env.Cleanup(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteDomain(ctx, request.DomainID) })
}
