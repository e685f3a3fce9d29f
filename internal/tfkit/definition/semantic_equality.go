package definition

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// SemanticEquality reports whether two texts mean the same to the server.
type SemanticEquality func(a, b string) bool

// Meanings that several APIs share.
var (
	// Quantity: Kubernetes quantities of the same amount, "0.1" and "100m".
	Quantity SemanticEquality = tfvalue.QuantityEqual
	// JSON: the same value, whatever the white space and the order of keys.
	JSON SemanticEquality = tfvalue.ConfigTextEqual
	// Duration: Go durations of the same length, "60s" and "1m".
	Duration SemanticEquality = sameDuration
	// Instant: the same moment in RFC 3339, in whichever time zone.
	Instant SemanticEquality = sameInstant
	// Certificate: the same certificates, as PEM or base64 of it or of DER.
	Certificate SemanticEquality = sameCertificate
	// Fold: texts that differ in upper and lower case only.
	Fold SemanticEquality = strings.EqualFold
)

func sameDuration(a, b string) bool {
	x, errX := time.ParseDuration(a)
	y, errY := time.ParseDuration(b)
	return a == b || errX == nil && errY == nil && x == y
}

func sameInstant(a, b string) bool {
	x, errX := time.Parse(time.RFC3339Nano, a)
	y, errY := time.Parse(time.RFC3339Nano, b)
	return a == b || errX == nil && errY == nil && x.Equal(y)
}

func sameCertificate(a, b string) bool {
	if a == b {
		return true
	}
	x, y := DecodeCertificates(a), DecodeCertificates(b)
	return len(x) > 0 && bytes.Equal(x, y)
}

// DecodeCertificates is the DER of the certificates in a text, one after the
// other: PEM, or base64 of PEM or of DER, also twice. It is nil where there are
// none.
func DecodeCertificates(text string) (der []byte) {
	eachLayer(text, func(raw []byte) (done bool) {
		if der = parsePEM(raw); der == nil {
			if certificates, err := x509.ParseCertificates(raw); err == nil && len(certificates) > 0 {
				der = raw
			}
		}
		return der != nil
	})
	return der
}

// HasPrivateKey reports whether a private key is in a text, where only
// certificates belong: as PEM, or base64 of it, also twice.
func HasPrivateKey(text string) (found bool) {
	eachLayer(text, func(raw []byte) (done bool) {
		found = bytes.Contains(raw, []byte("PRIVATE KEY-----"))
		return found
	})
	return found
}

// eachLayer looks at a text, at what it is in base64 of, and so on, until done.
func eachLayer(text string, look func(raw []byte) (done bool)) {
	const mostLayers = 3
	raw := []byte(text)
	for range mostLayers {
		if look(bytes.TrimSpace(raw)) || look(raw) {
			return
		}
		decoded, err := base64.StdEncoding.DecodeString(string(bytes.Join(bytes.Fields(raw), nil)))
		if err != nil {
			return
		}
		raw = decoded
	}
}

func parsePEM(text []byte) (der []byte) {
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			return der
		}
		if _, err := x509.ParseCertificate(block.Bytes); err == nil {
			der = append(der, block.Bytes...)
		}
		text = rest
	}
}
