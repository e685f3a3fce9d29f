package secrets_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

func TestSecretKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		``:                  nil,
		`plain password=x`:  nil,
		`{"model":"glm"}`:   nil,
		`{"password":"p"}`:  {"password"},
		`{"password":""}`:   nil,
		`{"password":"**"}`: nil,
		`{"password":5}`:    nil,
		`{"a":{"secretKey":7788990011223344},"size":7788990011223344}`: {"a.secretKey"},
		`{"maxTokens":"5"}`: nil,
		`{"a":{"storage":{"accessKeyId":"i","accessKeySecret":"s","secret-key":"s"}}}`:               {"a.storage.accessKeySecret", "a.storage.secret-key"},
		`{"parties":[{"API_KEY":"k"},{"authToken":"t"}]}`:                                            {"parties[0].API_KEY", "parties[1].authToken"},
		`{"token":"{{.TOKEN}}","secret":"${secret}","credentials":"<put in>"}`:                       nil,
		`{"inner":"{\"private_key\":\"k\"}"}`:                                                        {"inner.private_key"},
		`{"DATA_ENCRYPTION_KEY":"k","signingKey":"k","MASTER_KEY":"k","hmac-key":"k","aes.key":"k"}`: {"DATA_ENCRYPTION_KEY", "MASTER_KEY", "aes.key", "hmac-key", "signingKey"},
		`{"PRIVATE_KEY_PEM":"k","client-key-data":"k","JWT":"k","BASIC_AUTH":"k","PASSCODE":"k"}`:    {"BASIC_AUTH", "JWT", "PASSCODE", "PRIVATE_KEY_PEM", "client-key-data"},
		`{"public_key":"k","primary_key":"k","keys":"k","sort_key":"k","TLS_KEY":"tls.key"}`:         nil,
		`{"secret":{"name":"n"}}`:        nil,
		`{"limit":1e400,"password":"x"}`: {"password"},
		`{"a":1,"a":2,"password":"x"}`:   {"password"},
		`{"a":"\ud800","password":"x"}`:  {"password"},
		`[{"passwd":"p"}]`:               {"[0].passwd"},
	} {
		if got := secrets.Keys(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	deep := strings.Repeat(`{"a":`, 5000) + `{"token":"t"}` + strings.Repeat("}", 5000)
	if got := secrets.Keys(deep); got != nil {
		t.Errorf("a text with 5000 levels: %q", got)
	}
}
