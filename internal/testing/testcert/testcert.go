// Package testcert issues certificates for tests.
package testcert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"testing"
	"time"
)

// Authority signs certificates.
type Authority struct {
	// PEM is its own certificate.
	PEM  []byte
	tb   testing.TB
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority returns an authority whose certificate is valid for an hour.
func NewAuthority(tb testing.TB, name string) *Authority {
	tb.Helper()
	a := &Authority{tb: tb}
	a.cert, a.key = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}, a.newKey()
	a.PEM = a.sign(a.cert, a.key)
	return a
}

// Issue returns a certificate that is valid until a time, and its key, in PEM. It is for DNS names and IP
// addresses, the first of which is its common name.
func (a *Authority) Issue(end time.Time, names ...string) (cert, key []byte) {
	a.tb.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: end,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	if len(names) > 0 {
		template.Subject.CommonName = names[0]
	}
	private := a.newKey()
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		a.tb.Fatal(err)
	}
	return a.sign(template, private), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
}

func (a *Authority) newKey() *ecdsa.PrivateKey {
	a.tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.tb.Fatal(err)
	}
	return key
}

func (a *Authority) sign(template *x509.Certificate, of *ecdsa.PrivateKey) []byte {
	a.tb.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, of.Public(), a.key)
	if err != nil {
		a.tb.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// Pair returns a certificate with a common name, of an authority of its own, and its key, in PEM.
func Pair(tb testing.TB, name string) (cert, key string) {
	tb.Helper()
	signed, private := NewAuthority(tb, "ca").Issue(time.Now().Add(time.Hour), name)
	return string(signed), string(private)
}
