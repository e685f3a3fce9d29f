package secrets_test

import (
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// TestSecretNames: names in JSON, YAML, properties and scripts whose value is a secret, and none
// whose value stands for something else.
func TestSecretNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`{"password":"p"}`:                      {"password"},
		`{"limit":5}`:                           nil,
		"db:\n  password: 'p'\n  - token: t\n":  {"password", "token"},
		"spring.datasource.password=p\n[x]\n":   {"spring.datasource.password"},
		"export API_KEY=\"k\"\n":                {"API_KEY"},
		"--db-password=p":                       {"db-password"},
		"password: ${PASSWORD}\ntoken=$TOKEN\n": nil,
		"password: {{.PASSWORD}}":               nil,
		"token: /run/secrets/token\nsecret: ~":  nil,
		"use_token: true\nmax_tokens: 5":        nil,
		"plain text about a password":           nil,
	} {
		if got := secrets.Names(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"mysql://user:p4ss@db:3306/x": true, "https://user@host/a:b": false, "http://host:80/@x": false, "x://u:${P}@h": false,
		"-----BEGIN RSA PRIVATE KEY-----": true, "-----BEGIN CERTIFICATE-----": false,
	} {
		if got := secrets.Has(text); got != want {
			t.Errorf("%q has a secret: %t", text, got)
		}
	}
}

// TestLoggedSecrets: secrets in parts of JSON, at any level of escapes, and in assignments of a log.
func TestLoggedSecrets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`raw str: {"a":"b","oss_meta":"{\"accessKey\":\"p1\",\\\"secretKey\\\" : \\\"p\n2\\\"}","x`: {"p1", `p\n2`},
		"started with --db-password=p1 token='p2', x=1":                                             {"p1", "p2"},
		`{"secretKey":"p1`: {"p1"},
		`raw str: {\"secretKey\": 7788990011223344, \"size\": 8877665544332211}`:                         {"7788990011223344"},
		`{secretKey: 'p1', "token": "p2"}`:                                                               {"p1", "p2"},
		`(model_config.oss_source_meta.secret_key): invalid value 7788990011223344 for type TYPE_STRING`: {"7788990011223344"},
		"invalid token: unexpected end, use_token=true, password=$PASSWORD":                              nil,
		`{"password":"***","token":"{{.TOKEN}}","limit":5,"name":"password"}`:                            nil,
	} {
		if got := secrets.Logged(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
