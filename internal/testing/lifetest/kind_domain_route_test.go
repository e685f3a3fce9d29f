package lifetest_test

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

func init() {
	ca, client := inBase64(certificates[0]), inBase64(certificates[1])
	port := func(number int, protocol string, tls any) attrs {
		return attrs{"name": "http", "port": number, "protocol": protocol, "is_tls": tls, "path_prefix": "/x"}
	}
	lives["kuscia_domain_route"] = life{
		warns:   []string{"Fields of the domain route may be lost", "Domain route is replaced"},
		cli:     "tokens",
		servers: master,
		prepare: func(s *servers, name string) {
			for _, end := range []string{"-a", "-b"} {
				makeDomain(s, kuscia.DomainRequest{DomainID: name + end})
			}
		},
		minimal: func(name string) attrs {
			return attrs{
				"source": name + "-a", "destination": name + "-b", "authentication_type": "None", "allow_removal_of": []any{"sourceWhiteIPList"},
				"endpoint": attrs{"host": "gateway.example", "ports": []any{attrs{"name": "http", "port": 1080, "protocol": "HTTP"}}},
			}
		},
		variants: map[string]variant{
			"tokens": {
				full: attrs{
					"authentication_type": "Token", "endpoint": attrs{"host": "gateway.example", "ports": []any{port(1080, "HTTP", true)}},
					"token_config":    attrs{"token_gen_method": "UID-RSA-GEN", "rolling_update_period": 60},
					"body_encryption": attrs{"algorithm": "AES"}, "wait_for_ready": false, "timeouts": attrs{"create": "1m", "update": "1m"},
				},
				changed: attrs{
					"authentication_type": "Token", "endpoint": attrs{"host": "10.0.0.1", "ports": []any{with(port(1081, "GRPC", false), attrs{"name": "other", "path_prefix": "/y"})}},
					"token_config":    attrs{"token_gen_method": nil, "rolling_update_period": 90},
					"body_encryption": attrs{"algorithm": "SM4"}, "wait_for_ready": nil, "timeouts": attrs{"create": "2m", "update": "2m"},
				},
				spelled: attrs{"endpoint": attrs{"ports": []any{port(1080, "http", true)}}},
			},
			"certificates": {
				full:     attrs{"authentication_type": "MTLS", "mtls_config": attrs{"tls_ca": ca, "source_client_cert": client, "source_client_private_key": "a2V5"}},
				changed:  attrs{"authentication_type": "None", "mtls_config": nil},
				together: [][]string{{"authentication_type", "mtls_config"}},
			},
			"other certificates": {
				full:    attrs{"authentication_type": "MTLS", "mtls_config": attrs{"tls_ca": ca, "source_client_cert": client, "source_client_private_key": "a2V5"}},
				changed: attrs{"authentication_type": "MTLS", "mtls_config": attrs{"tls_ca": client, "source_client_cert": ca, "source_client_private_key": "a2V6"}},
				spelled: attrs{"mtls_config": attrs{"tls_ca": inBase64(withCRLF(certificates[0]))}},
			},
			"write-only key": {
				full:    attrs{"authentication_type": "MTLS", "mtls_config": attrs{"tls_ca": ca, "source_client_cert": client, "source_client_private_key_wo": "a2V5", "source_client_private_key_wo_version": 1}},
				changed: attrs{"authentication_type": "MTLS", "mtls_config": attrs{"tls_ca": ca, "source_client_cert": client, "source_client_private_key_wo": "a2V6", "source_client_private_key_wo_version": 2}},
				hidden:  []string{"mtls_config.source_client_private_key"},
			},
			"transit": {
				full:     attrs{"endpoint": nil, "transit": attrs{"transit_method": "THIRD-DOMAIN", "domain_id": "alice"}},
				changed:  attrs{"endpoint": nil, "transit": attrs{"transit_method": "REVERSE-TUNNEL", "domain_id": nil}},
				together: [][]string{{"transit.transit_method", "transit.domain_id"}},
			},
		},
		besides:      func(string) attrs { return attrs{"body_encryption": nil, "endpoint": attrs{"host": "other.example"}} },
		replaced:     []string{"authentication_type", "endpoint", "token_config", "mtls_config", "transit", "body_encryption"},
		replacements: map[string]func(string) attrs{"destination": func(name string) attrs { return attrs{"destination": name + "-b"} }},
		bad: map[string]badInput{
			"unused certificates": {attrs{"authentication_type": "Token", "mtls_config": attrs{"tls_ca": ca, "source_client_cert": client}}, "mtls_config", `is used only with authentication_type = "MTLS"`},
			"no certificates":     {attrs{"authentication_type": "MTLS"}, "mtls_config", "needs mtls_config"},
			"to itself":           {attrs{"source": "alice", "destination": "alice"}, "destination", "no effect"},
			"authentication":      {attrs{"authentication_type": "token"}, "authentication_type", `"token" is not allowed`},
		},
	}
}
