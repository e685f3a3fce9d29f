package lifetest_test

import (
	"encoding/base64"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// certificates are two certificates as PEM.
var certificates = makeCertificates()

func makeCertificates() []string {
	files, err := server.MakeCertificates()
	if err != nil {
		panic(err)
	}
	return []string{string(files[server.FileCA]), string(files[server.FileServerCert])}
}

// inBase64 is a certificate as Kuscia stores it.
func inBase64(certificate string) string {
	return base64.StdEncoding.EncodeToString([]byte(certificate))
}

// withCRLF is the same certificate with other ends of lines.
func withCRLF(certificate string) string { return strings.ReplaceAll(certificate, "\n", "\r\n") }
