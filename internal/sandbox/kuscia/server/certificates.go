package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// The file names in a certificates folder, as in /home/kuscia/var/certs.
const (
	FileToken      = "token"
	FileCA         = "ca.crt"
	FileCAKey      = "ca.key"
	FileServerCert = "kusciaapi-server.crt"
	FileServerKey  = "kusciaapi-server.key"
)

// CertificateFiles are PEM texts by file name.
type CertificateFiles map[string][]byte

// certificateLife is the validity of generated certificates.
const certificateLife = 10 * 365 * 24 * time.Hour

// MakeCertificates generates a CA and a certificate signed by it, which is used
// by the server and, as in Kuscia's documents, by clients.
func MakeCertificates() (CertificateFiles, error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making the CA key: %w", err)
	}
	caTemplate, err := CertificateTemplate("kuscia-system")
	if err != nil {
		return nil, err
	}
	caTemplate.IsCA, caTemplate.BasicConstraintsValid = true, true
	caTemplate.KeyUsage = x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign
	ca, err := x509.CreateCertificate(rand.Reader, caTemplate, caTemplate, caKey.Public(), caKey)
	if err != nil {
		return nil, fmt.Errorf("making the CA: %w", err)
	}

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making the server key: %w", err)
	}
	template, err := CertificateTemplate("KusciaAPI")
	if err != nil {
		return nil, err
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment
	template.DNSNames = []string{"kusciaapi", "localhost"}
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	cert, err := x509.CreateCertificate(rand.Reader, template, caTemplate, key.Public(), caKey)
	if err != nil {
		return nil, fmt.Errorf("making the server certificate: %w", err)
	}

	files := CertificateFiles{
		FileCA:         pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca}),
		FileServerCert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}),
	}
	if files[FileCAKey], err = keyPEM(caKey); err != nil {
		return nil, err
	}
	if files[FileServerKey], err = keyPEM(key); err != nil {
		return nil, err
	}
	return files, nil
}

// CertificateTemplate is an unsigned certificate for a name.
func CertificateTemplate(name string) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, fmt.Errorf("making a serial number: %w", err)
	}
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(certificateLife),
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
	}, nil
}

func keyPEM(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encoding a key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// Write writes each file with mode 0600 into an existing directory.
func (files CertificateFiles) Write(dir string) error {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return fmt.Errorf("writing certificates: %w", err)
		}
	}
	return nil
}
