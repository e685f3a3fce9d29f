package kuscia

import (
	"context"
	"errors"
)

// CodeGenerateCertificate is the error code of certificates (Kuscia v1.1).
const CodeGenerateCertificate int32 = 2000

var opGenerateCertificate = register(operation{Operation: confidential(update("certificate/generate")), code: CodeGenerateCertificate, flat: true})

var _ = errorRules.add(errorRule{code: CodeGenerateCertificate, operations: "certificate/", kind: ErrInvalid})

// The types of keys that a node generates.
const (
	KeyTypePKCS1 = "PKCS#1"
	KeyTypePKCS8 = "PKCS#8"
)

// GenerateCertificateRequest is the body of certificate/generate.
type GenerateCertificateRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	// CommonName is required.
	CommonName       string `json:"common_name"`
	Country          string `json:"country,omitempty"`
	Organization     string `json:"organization,omitempty"`
	OrganizationUnit string `json:"organization_unit,omitempty"`
	Locality         string `json:"locality,omitempty"`
	Province         string `json:"province,omitempty"`
	StreetAddress    string `json:"street_address,omitempty"`
	// DurationSec is in seconds; 0 means a day. It may exceed the validity of
	// the authority.
	DurationSec int64 `json:"duration_sec,omitempty"`
	// KeyType is KeyTypePKCS1 (also for "") or KeyTypePKCS8.
	KeyType string `json:"key_type,omitempty"`
}

// GeneratedCertificate is a new key with its certificate.
type GeneratedCertificate struct {
	// Key is the private key, as base64 of PEM.
	Key string `json:"key"`
	// CertChain has the new certificate and that of the node's domain, each as
	// base64 of PEM.
	CertChain []string `json:"cert_chain"`
}

// GenerateCertificate lets the node generate a key and sign a certificate for
// it, a new pair each time. Every kind of node supports it.
func (c *Client) GenerateCertificate(ctx context.Context, request *GenerateCertificateRequest) (*GeneratedCertificate, error) {
	body := *request
	body.Header = c.header(request.Header)
	var out GeneratedCertificate
	if err := c.read(ctx, opGenerateCertificate, []string{request.CommonName}, &body, &out, func() error {
		if out.Key == "" || len(out.CertChain) == 0 {
			return errors.New("the response has no key or no certificate")
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}
