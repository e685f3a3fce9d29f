package definition_test

import (
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testcert"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

func certificate(t *testing.T) (der []byte, text string) {
	t.Helper()
	text, _ = testcert.Pair(t, "a")
	block, _ := pem.Decode([]byte(text))
	return block.Bytes, text
}

// TestCertificate: all encodings of a certificate are equal.
func TestCertificate(t *testing.T) {
	t.Parallel()
	der, text := certificate(t)
	_, other := certificate(t)
	encode := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	body := base64.StdEncoding.EncodeToString(der)
	spellings := map[string]string{
		"PEM": text, "CRLF": strings.ReplaceAll(text, "\n", "\r\n"), "no last newline": strings.TrimSpace(text), "outer newlines": "\n" + text + "\n",
		"base64 of PEM": encode(text), "base64 of PEM without newline": encode(strings.TrimSpace(text)), "twice": encode(encode(text)),
		"body": body, "body in lines": body[:64] + "\n" + body[64:],
	}
	for a, x := range spellings {
		for b, y := range spellings {
			if !definition.Certificate(x, y) {
				t.Errorf("%s and %s differ", a, b)
			}
		}
		for _, y := range []string{other, encode(other), text + other, "", "text"} {
			if definition.Certificate(x, y) {
				t.Errorf("%s is the same as %q", a, y)
			}
		}
	}
	if !definition.Certificate(text+other, encode(text+other)) || definition.Certificate(text+other, other+text) {
		t.Error("the order of the certificates in a chain is ignored")
	}
	for _, junk := range []string{"", "a", "====", "-----BEGIN CERTIFICATE-----", encode("junk"), strings.Repeat("A", 1<<16)} {
		if definition.DecodeCertificates(junk) != nil || !definition.Certificate(junk, junk) {
			t.Errorf("%.40q", junk)
		}
	}
}

// TestHasPrivateKey: a key next to the certificate is found in every encoding.
func TestHasPrivateKey(t *testing.T) {
	t.Parallel()
	_, text := certificate(t)
	encode := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	for _, kind := range []string{"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"} {
		both := text + "-----BEGIN " + kind + "-----\nAAAA\n-----END " + kind + "-----\n"
		for _, with := range []string{both, encode(both), encode(encode(both)), "note\n" + both} {
			if !definition.HasPrivateKey(with) {
				t.Errorf("no private key found in %.60q", with)
			}
		}
	}
	for _, without := range []string{"", text, encode(text), encode(encode(text)), "a", "===="} {
		if definition.HasPrivateKey(without) {
			t.Errorf("private key found in %.60q", without)
		}
	}
}
