package sandbox

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// observeCertificate compares a generated certificate with the recorded text of
// a real one.
func (r *replay) observeCertificate(item transcriptItem) error {
	file := server.FileServerCert
	if strings.HasPrefix(item.Note, "ca") {
		file = server.FileCA
	}
	text, err := os.ReadFile(filepath.Join(r.servers[portMTLS].CertsDir(), file))
	if err != nil {
		return err
	}
	block, rest := pem.Decode(text)
	if block == nil || len(strings.TrimSpace(string(rest))) > 0 {
		return fmt.Errorf("%s is not one PEM block", file)
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return err
	}
	var lines []string
	if err := json.Unmarshal(item.Observed, &lines); err != nil {
		return err
	}
	recorded := strings.Join(lines, "\n")
	facts := map[string]bool{
		"subject=CN = " + cert.Subject.CommonName:       true,
		"TLS Web Client Authentication, TLS Web Server": slices.Equal(cert.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}),
		"CA:TRUE":                             cert.IsCA,
		"issuer=CN = kuscia-system":           cert.Issuer.CommonName == "kuscia-system",
		"Digital Signature, Key Encipherment": cert.KeyUsage == x509.KeyUsageDigitalSignature|x509.KeyUsageKeyEncipherment,
		"Digital Signature, Certificate Sign": cert.KeyUsage == x509.KeyUsageDigitalSignature|x509.KeyUsageCertSign,
		"DNS:kusciaapi":                       slices.Contains(cert.DNSNames, "kusciaapi"),
		"DNS:localhost":                       slices.Contains(cert.DNSNames, "localhost"),
		"IP Address:127.0.0.1":                len(cert.IPAddresses) > 0 && cert.IPAddresses[0].String() == "127.0.0.1",
	}
	checked := 0
	for fact, holds := range facts {
		if strings.Contains(recorded, fact) {
			checked++
			if !holds {
				return fmt.Errorf("recorded %q is not true here", fact)
			}
		}
	}
	if !strings.Contains(recorded, "subject=CN = "+cert.Subject.CommonName) || checked < 4 {
		return fmt.Errorf("subject %s; %d facts compared with\n%s", cert.Subject, checked, recorded)
	}
	return nil
}

func (r *replay) observeToken(item transcriptItem) error {
	var want struct {
		Length  int  `json:"length"`
		Newline bool `json:"trailing newline"`
	}
	if err := json.Unmarshal(item.Observed, &want); err != nil {
		return err
	}
	made, err := Start(r.t.Context(), Options{Protocol: ProtocolTLS})
	if err != nil {
		return err
	}
	defer func() { _ = made.Close() }()
	text, err := os.ReadFile(filepath.Join(made.CertsDir(), server.FileToken))
	if err != nil {
		return err
	}
	if len(text) != want.Length || strings.HasSuffix(string(text), "\n") != want.Newline {
		return fmt.Errorf("token file of %d bytes", len(text))
	}
	return nil
}
