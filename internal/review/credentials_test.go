package review

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// newCertificate is a certificate as PEM, and its DER form.
func newCertificate(t *testing.T) (text string, der []byte) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err = x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), der
}

// TestCertificates: certificates are known by the beginning of the fingerprint
// that openssl shows, in both encodings.
func TestCertificates(t *testing.T) {
	t.Parallel()
	text, der := newCertificate(t)
	other, _ := newCertificate(t)
	sum := sha256.Sum256(der)
	want := fmt.Sprintf("SHA-256 %02X:%02X:%02X:%02X:%02X:%02X:%02X:%02X…", sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7])
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	for _, form := range []string{text, encoded, " " + encoded + "\n"} {
		if got := fingerprint(value{raw: form}); got != want {
			t.Errorf("the fingerprint is %s, want %s", got, want)
		}
	}
	if got := fingerprint(value{raw: "x"}); got != "(not PEM)" {
		t.Errorf("the fingerprint of a text is %s", got)
	}

	changes := func(before, after any) []Credential {
		return credentialsOf(object{kind: "kuscia_domain", action: Update, before: value{raw: map[string]any{"cert": before}}, after: value{raw: map[string]any{"cert": after}}})
	}
	if got := changes(text, encoded); len(got) != 0 {
		t.Errorf("another encoding is a change: %v", got)
	}
	got := changes(text, other)
	if len(got) != 1 || got[0].Kind != "certificate" || got[0].Value.Before != want || got[0].Value.After == want || strings.Contains(got[0].Value.After, "BEGIN") {
		t.Errorf("another certificate is %v", got)
	}
}
