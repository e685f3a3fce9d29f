package domain

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

const (
	pemBegin = "-----BEGIN CERTIFICATE-----"
	pemEnd   = "-----END CERTIFICATE-----"
)

// checkCertificate accepts a certificate in one of the server's encodings and
// returns the stored form: base64 of PEM.
func (w *Domains) checkCertificate(text string) (cert, complaint string) {
	if text == "" || !w.Version.Has(versions.CertificateCheck) {
		return text, ""
	}
	if !w.Version.Has(versions.PEMCertificates) {
		return checkEncoded(text)
	}
	// PEM, or its body alone, with or without line breaks.
	plain := strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for _, candidate := range []string{plain, pemBegin + "\n" + plain + "\n" + pemEnd} {
		if areCertificates([]byte(candidate)) {
			return base64.StdEncoding.EncodeToString([]byte(candidate)), ""
		}
	}
	// One additional level of base64 is removed.
	decoded, err := base64.StdEncoding.DecodeString(text)
	if inner, failed := base64.StdEncoding.DecodeString(string(decoded)); err == nil && failed == nil && areCertificates(inner) {
		return string(decoded), ""
	}
	return checkEncoded(text)
}

// checkEncoded accepts base64 of PEM only.
func checkEncoded(text string) (cert, complaint string) {
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", "cert must be encoded with base64"
	}
	if !areCertificates(decoded) {
		return "", "cert format is invalid, must be an x509 certificate"
	}
	return text, ""
}

// areCertificates reports whether a text starts with a certificate in PEM.
func areCertificates(text []byte) bool {
	return firstCertificate(text) != nil
}

func firstCertificate(text []byte) *x509.Certificate {
	if !bytes.HasPrefix(bytes.TrimLeft(text, "\n"), []byte(pemBegin)) {
		return nil
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil
	}
	return cert
}

// encodePEM encodes PEM as the server returns it.
func encodePEM(text []byte) string { return base64.StdEncoding.EncodeToString(text) }

// publicKeyOf is the public key of a stored certificate as in routes, "" if
// there is none.
func publicKeyOf(cert string) string {
	decoded, err := base64.StdEncoding.DecodeString(cert)
	if err != nil {
		return ""
	}
	parsed := firstCertificate(decoded)
	if parsed == nil {
		return ""
	}
	return encodePublicKey(parsed.PublicKey)
}
