package certificate_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

type attrs = map[string]any

// ephemeral is a certificate of alice; attributes are added or replace the name.
func ephemeral(more attrs) string {
	attributes := attrs{"common_name": "alice"}
	maps.Copy(attributes, more)
	return acctest.TopLevel("ephemeral", []string{"kuscia_certificate", "test"}, attributes)
}

// stored is a configuration that stores a certificate and its key in two
// entries, in write-only form.
func stored(entry string, version int, more attrs) string {
	of := func(label, value string, after ...any) string {
		return acctest.Block("kuscia_config", label, attrs{
			"key": entry + "-" + label, "value_wo": acctest.Reference(value), "value_wo_version": version, "depends_on": after,
		})
	}
	return ephemeral(more) +
		of("key", "ephemeral.kuscia_certificate.test.key") +
		// Both of one run.
		of("chain", "jsonencode(ephemeral.kuscia_certificate.test.cert_chain)", acctest.Reference("kuscia_config.key"))
}

// block returns the first PEM block of a base64 text.
func block(t *testing.T, text string) *pem.Block {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	found, _ := pem.Decode(raw)
	if found == nil {
		t.Fatal("no PEM")
	}
	return found
}

// TestAccCertificate: the certificate is as configured, in both forms of the
// key. The key is not in the state, plan, output or log.
func TestAccCertificate(t *testing.T) {
	acctest.RequireWriteOnly(t)
	e := acctest.New(t)
	entry := e.Name("certificate")
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("TF_LOG", "TRACE")
	t.Setenv("TF_LOG_PATH", log)
	w := e.Initialized(t, stored(entry, 1, attrs{"organization": "Example", "duration_sec": 3600}))
	output := w.Run(0, "plan", "-out=saved", "-input=false")
	output += w.Run(0, "apply", "-input=false", "saved")
	w.DestroyAtEnd()
	output += w.Plan(acctest.PlanEmpty)

	value := func(name string) string {
		text, err := e.API.QueryConfig(t.Context(), entry+"-"+name)
		if err != nil || text == "" {
			t.Fatalf("%s: %q (%v)", name, text, err)
		}
		return text
	}
	key := value("key")
	made := block(t, key)
	private, err := x509.ParsePKCS1PrivateKey(made.Bytes)
	if err != nil || made.Type != "RSA PRIVATE KEY" {
		t.Fatalf("%s: %v", made.Type, err)
	}
	var chain []string
	for _, part := range strings.Split(strings.Trim(value("chain"), `[]`), ",") {
		chain = append(chain, strings.Trim(part, `"`))
	}
	leaf, err := x509.ParseCertificate(block(t, chain[0]).Bytes)
	if err != nil || !private.PublicKey.Equal(leaf.PublicKey) || leaf.Subject.CommonName != "alice" || leaf.Subject.Organization[0] != "Example" || len(chain) != 2 {
		t.Fatalf("certificate subject %v, chain length %d (%v)", leaf.Subject, len(chain), err)
	}
	if left := time.Until(leaf.NotAfter); left > time.Hour || left < 50*time.Minute {
		t.Errorf("the certificate is valid for %s", left)
	}
	authority, err := x509.ParseCertificate(block(t, chain[1]).Bytes)
	if err != nil || leaf.CheckSignatureFrom(authority) != nil {
		t.Errorf("the certificate is not signed by the domain (%v)", err)
	}

	// A new version stores the certificate of the new run.
	w.Write("main.tf", stored(entry, 2, attrs{"key_type": "PKCS#8"}))
	output += w.Run(0, "apply", "-auto-approve", "-input=false")
	again := value("key")
	if kind := block(t, again).Type; kind != "PRIVATE KEY" {
		t.Errorf("the key is %s", kind)
	}

	logged, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(logged), "certificate/generate") {
		t.Errorf("the log contains no request (%v), so searching it for secrets proves nothing", err)
	}
	for name, content := range map[string]string{"the output": output, "the state": w.Read("terraform.tfstate"), "the plan": w.Run(0, "show", "-json", "saved"), "the log": string(logged)} {
		// The first line of the PEM is the same for every key, the following
		// ones are not.
		if strings.Contains(content, key[80:160]) || strings.Contains(content, again[80:160]) || strings.Contains(content, "PRIVATE KEY") {
			t.Errorf("the key is in %s", name)
		}
	}
}
