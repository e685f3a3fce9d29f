package domainroute

import (
	"maps"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
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

// TestWrites: how often the status has to be written until it is that of the changed route.
func TestWrites(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, after string
		with          tree
		want          int
	}{
		"nothing":              {"token", "token", nil, 0},
		"another spelling":     {"token", "token", tree{"endpoint": tree{"host": "gateway.bob.example", "ports": []any{port(tree{"protocol": "http"})}}}, 0},
		"another endpoint":     {"token", "token", tree{"endpoint": tree{"host": "other", "ports": []any{port(nil)}}}, 1},
		"tokens appear":        {"none", "token", nil, 1},
		"tokens go":            {"token", "mtls", nil, 1},
		"a transit instead":    {"token", "tunnel", nil, 1},
		"another transit":      {"tunnel", "third domain", nil, 2},
		"encryption":           {"token", "token", tree{"body_encryption": tree{"algorithm": "AES"}}, 2},
		"the next token":       {"token", "token", tree{"token_config": tree{"rolling_update_period": int64(60)}}, 0},
		"endpoint, no tokens":  {"none", "none", tree{"endpoint": tree{"host": "other", "ports": []any{port(nil)}}}, 0},
		"other authentication": {"mtls", "none", nil, 0},
	} {
		wire := func(config string, with tree) *kuscia.DomainRoute {
			changed := tree{}
			maps.Copy(changed, configs[config])
			maps.Copy(changed, with)
			reader, _ := definition.Read(configured(changed), domainRoute.Definition.Null())
			return toWire(reader)
		}
		if got := writes(wire(test.before, nil), wire(test.after, test.with)); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}
