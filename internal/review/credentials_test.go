package review

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testcert"
)

// TestCertificates: certificates are known by the beginning of the fingerprint
// that openssl shows, in both encodings.
func TestCertificates(t *testing.T) {
	t.Parallel()
	text, _ := testcert.Pair(t, "a")
	other, _ := testcert.Pair(t, "b")
	block, _ := pem.Decode([]byte(text))
	sum := sha256.Sum256(block.Bytes)
	want := fmt.Sprintf("SHA-256 %02X:%02X:%02X:%02X:%02X:%02X:%02X:%02X…", sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7])
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	for _, form := range []string{text, encoded, " " + encoded + "\n"} {
		if got := fingerprint(plan.Value{Raw: form}); got != want {
			t.Errorf("the fingerprint is %s, want %s", got, want)
		}
	}
	if got := fingerprint(plan.Value{Raw: "x"}); got != "(not PEM)" {
		t.Errorf("the fingerprint of a text is %s", got)
	}

	changes := func(before, after any) []Credential {
		return credentialsOf(plan.Object{Kind: "kuscia_domain", Action: plan.Update, Before: plan.Value{Raw: map[string]any{"cert": before}}, After: plan.Value{Raw: map[string]any{"cert": after}}})
	}
	if got := changes(text, encoded); len(got) != 0 {
		t.Errorf("another encoding is a change: %v", got)
	}
	got := changes(text, other)
	if len(got) != 1 || got[0].Kind != "certificate" || got[0].Value.Before != want || got[0].Value.After == want || strings.Contains(got[0].Value.After, "BEGIN") {
		t.Errorf("another certificate is %v", got)
	}
	if got = changes(text, text+other); len(got) != 1 || got[0].Value.Before != want || got[0].Value.After != want+" and 1 more" {
		t.Errorf("a second certificate is %v", got)
	}
}
