package lifetest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"strings"
	"time"
)

// certificates are two certificates as PEM.
var certificates = makeCertificates()

func makeCertificates() (texts []string) {
	for _, name := range []string{"first", "second"} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			panic(err)
		}
		template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour)}
		der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
		if err != nil {
			panic(err)
		}
		texts = append(texts, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	}
	return texts
}

// inBase64 is a certificate as Kuscia stores it.
func inBase64(certificate string) string {
	return base64.StdEncoding.EncodeToString([]byte(certificate))
}

// withCRLF is the same certificate with other ends of lines.
func withCRLF(certificate string) string { return strings.ReplaceAll(certificate, "\n", "\r\n") }
