package domainroute

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// TestChecks: values that Kuscia would reject or ignore are reported at their
// attribute.
func TestChecks(t *testing.T) {
	t.Parallel()
	endpoint := func(with tree) tree {
		return tree{"endpoint": tree{"host": "gateway.bob.example", "ports": []any{port(with)}}}
	}
	for name, test := range map[string]struct {
		with tree
		at   string
		is   check.Severity
	}{
		"source":           {tree{"source": "Alice"}, "source", check.Refused},
		"host with scheme": {tree{"endpoint": tree{"host": "https://bob", "ports": []any{port(nil)}}}, "endpoint.host", check.Refused},
		"IPv6":             {tree{"endpoint": tree{"host": "::1", "ports": []any{port(nil)}}}, "endpoint.host", check.Refused},
		"no endpoint":      {tree{"endpoint": nil}, "endpoint.ports", check.Unusable},
		"port 0":           {endpoint(tree{"port": int64(0)}), "endpoint.ports[0].port", check.Refused},
		"HTTPS":            {endpoint(tree{"protocol": "https"}), "endpoint.ports[0].protocol", check.Refused},
		"TCP":              {endpoint(tree{"protocol": "TCP"}), "endpoint.ports[0].protocol", check.Refused},
		"no protocol":      {endpoint(tree{"protocol": ""}), "endpoint.ports[0].protocol", check.Refused},
		"port name twice":  {tree{"endpoint": tree{"host": "bob", "ports": []any{port(nil), port(nil)}}}, "endpoint.ports[1].name", check.Unusable},
		"method":           {tree{"token_config": tree{"token_gen_method": "RAND-GEN"}}, "token_config.token_gen_method", check.Refused},
		"period":           {tree{"token_config": tree{"rolling_update_period": int64(-1)}}, "token_config.rolling_update_period", check.Refused},
		"tokens unused":    {tree{"authentication_type": authNone, "token_config": tree{"rolling_update_period": int64(1)}}, "token_config", check.Refused},
		"no CA":            {tree{"authentication_type": authMTLS, "mtls_config": mtls(tree{"tls_ca": ""})}, "mtls_config.tls_ca", check.Unusable},
		"key in the CA":    {tree{"authentication_type": authMTLS, "mtls_config": mtls(tree{"tls_ca": encoded("c\n-----BEGIN RSA PRIVATE KEY-----\n")})}, "mtls_config.tls_ca", check.Refused},
		"PEM":              {tree{"authentication_type": authMTLS, "mtls_config": mtls(tree{"source_client_private_key": "-----BEGIN"})}, "mtls_config.source_client_private_key", check.Unusable},
		"other method":     {tree{"transit": tree{"transit_method": "third-domain"}}, "transit.transit_method", check.Refused},
		"no third domain":  {tree{"transit": tree{"transit_method": thirdDomain}}, "transit.domain_id", check.Refused},
		"through an end":   {tree{"transit": tree{"transit_method": thirdDomain, "domain_id": "bob"}}, "transit.domain_id", check.Unusable},
		"no domain ID":     {tree{"transit": tree{"transit_method": thirdDomain, "domain_id": "Carol"}}, "transit.domain_id", check.Unusable},
		"algorithm":        {tree{"body_encryption": tree{"algorithm": "aes"}}, "body_encryption.algorithm", check.Refused},
		"encryption":       {tree{"authentication_type": authNone, "body_encryption": tree{"algorithm": "AES"}}, "body_encryption", check.Unusable},
	} {
		found := domainRoute.Issues(configured(test.with))
		if len(found) != 1 || found[0].At.String() != test.at || found[0].Severity != test.is {
			t.Errorf("%s: found %+v", name, found)
		}
	}
	for name, with := range configs {
		if found := domainRoute.Issues(configured(with)); len(found) > 0 {
			t.Errorf("%s: found %+v", name, found)
		}
	}
}
