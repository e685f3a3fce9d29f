package domain

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// codeCertificate is outside of the range of all other codes.
const codeCertificate int32 = 2000

// Values for certificates that a node generates.
const (
	certificateKeyBits = 2048
	defaultLife        = 24 * time.Hour
)

// CertificateObject is the kind certificate.
var CertificateObject = server.Object{
	Name: "certificates",
	Operations: map[string]server.Operation{
		"certificate/generate": server.HandleUnlocked(codeCertificate, generateCertificate).OnLite(server.LiteOwn),
	},
	IDFields: []string{"common_name"},
	Started:  useAuthority,
}

// GenerateKeyCertsRequest is the body of certificate/generate.
type GenerateKeyCertsRequest struct {
	Header           *kuscia.RequestHeader `json:"header"`
	CommonName       string                `json:"common_name"`
	Country          string                `json:"country"`
	Organization     string                `json:"organization"`
	OrganizationUnit string                `json:"organization_unit"`
	Locality         string                `json:"locality"`
	Province         string                `json:"province"`
	StreetAddress    string                `json:"street_address"`
	DurationSec      int64                 `json:"duration_sec"`
	KeyType          string                `json:"key_type"`
}

func generateCertificate(s *server.Node, _ server.Caller, request *GenerateKeyCertsRequest) server.Response {
	refused := func(message string) server.Response {
		a := server.Refuse(codeCertificate, message)
		a.Fields = map[string]any{"key": "", "cert_chain": []string{}}
		return a
	}
	switch {
	case request.CommonName == "":
		return refused("common name must not be empty")
	case request.KeyType != "" && request.KeyType != kuscia.KeyTypePKCS1 && request.KeyType != kuscia.KeyTypePKCS8:
		return refused("key type must be [PKCS#1, PKCS#8]")
	case request.DurationSec < 0:
		return refused("duration sedconds must greater than 0")
	}
	ca := func() *authority {
		defer s.ControlPlane.Acquire()()
		return Of(s.ControlPlane).authority()
	}()
	key, cert, err := ca.issue(request)
	if err != nil {
		return refused(err.Error())
	}
	a := server.Done()
	a.Fields = map[string]any{"key": encodePEM(key), "cert_chain": []string{encodePEM(cert), ca.encodedCert()}}
	return a
}

// authority is the certificate authority of the cluster.
type authority struct {
	certPEM []byte
	cert    *x509.Certificate
	key     crypto.Signer
}

// authority returns the authority of the control plane, and creates it on first
// use.
func (w *Domains) authority() *authority {
	ca := server.Stored[authority](w.ControlPlane)
	if ca.cert == nil {
		made, err := newAuthority()
		if err != nil {
			panic(fmt.Sprintf("making an authority: %v", err)) // only without random numbers
		}
		*ca = *made
	}
	return ca
}

func newAuthority() (*authority, error) {
	files, err := server.MakeCertificates()
	if err != nil {
		return nil, err
	}
	return readAuthority(files[server.FileCA], files[server.FileCAKey])
}

func readAuthority(certPEM, keyPEM []byte) (*authority, error) {
	ca := &authority{certPEM: certPEM, cert: firstCertificate(certPEM)}
	block, _ := pem.Decode(keyPEM)
	if ca.cert == nil || block == nil {
		return nil, errors.New("the CA is not in PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("reading the CA key: %w", err)
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("the CA key is a %T", key)
	}
	ca.key = signer
	return ca, nil
}

// useAuthority uses the authority of a certificates folder. If its key cannot
// be read, the control plane has its own authority. The domain of the master has its
// certificate, also after a restart.
func useAuthority(controlPlane *server.ControlPlane, dir string) {
	cert, certErr := os.ReadFile(filepath.Join(dir, server.FileCA))
	key, keyErr := os.ReadFile(filepath.Join(dir, server.FileCAKey))
	ca, err := readAuthority(cert, key)
	defer controlPlane.Acquire()()
	if errors.Join(certErr, keyErr, err) == nil {
		*server.Stored[authority](controlPlane) = *ca
	}
	w := Of(controlPlane)
	if d := w.domain(server.MasterDomain); d != nil {
		d.Spec.Cert = w.authority().encodedCert()
		_ = w.domains.Update(d) // in memory, which does not fail
	}
}

func (a *authority) encodedCert() string { return encodePEM(a.certPEM) }

// issue generates a key and a certificate for it, both in PEM.
func (a *authority) issue(request *GenerateKeyCertsRequest) (keyText, certText []byte, err error) {
	key, err := rsa.GenerateKey(rand.Reader, certificateKeyBits)
	if err != nil {
		return nil, nil, fmt.Errorf("making a key: %w", err)
	}
	template, err := server.CertificateTemplate(request.CommonName)
	if err != nil {
		return nil, nil, err
	}
	template.Subject = pkix.Name{
		CommonName: request.CommonName, Country: listed(request.Country), Organization: listed(request.Organization),
		OrganizationalUnit: listed(request.OrganizationUnit), Locality: listed(request.Locality), Province: listed(request.Province),
		StreetAddress: listed(request.StreetAddress),
	}
	template.NotBefore = time.Now()
	template.NotAfter = template.NotBefore.Add(defaultLife)
	if request.DurationSec > 0 {
		// Very long durations overflow here as in the server, and end earlier.
		template.NotAfter = template.NotBefore.Add(time.Duration(request.DurationSec) * time.Second)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		return nil, nil, fmt.Errorf("making a certificate: %w", err)
	}
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	if request.KeyType == kuscia.KeyTypePKCS8 {
		block.Type = "PRIVATE KEY"
		if block.Bytes, err = x509.MarshalPKCS8PrivateKey(key); err != nil {
			return nil, nil, fmt.Errorf("encoding a key: %w", err)
		}
	}
	return pem.EncodeToMemory(block), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

// listed is a part of a name, nil for "".
func listed(part string) []string {
	if part == "" {
		return nil
	}
	return []string{part}
}

// encodePublicKey encodes a public key as the server returns it; "" for an
// unsupported type.
func encodePublicKey(key any) string {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return ""
	}
	kind := "PUBLIC KEY"
	if rsaKey, ok := key.(*rsa.PublicKey); ok {
		kind, der = "RSA PUBLIC KEY", x509.MarshalPKCS1PublicKey(rsaKey)
	}
	return encodePEM(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
