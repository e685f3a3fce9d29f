package definition

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"maps"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// SemanticEquality reports whether two strings are equal to the server.
type SemanticEquality func(a, b string) bool

// Equalities that several APIs share.
var (
	// Quantity: Kubernetes quantities of the same amount, "0.1" and "100m".
	Quantity SemanticEquality = tfvalue.QuantityEqual
	// JSON: the same JSON object or array, regardless of white space and the order of keys. Other
	// texts are equal only if they are identical.
	JSON SemanticEquality = tfvalue.ConfigTextEqual
	// Duration: Go durations of the same length, "60s" and "1m".
	Duration SemanticEquality = sameDuration
	// Instant: the same time in RFC 3339, in any time zone.
	Instant SemanticEquality = sameInstant
	// Certificate: the same certificates, as PEM, or as base64 of PEM or DER.
	Certificate SemanticEquality = sameCertificate
	// Fold: equal except for upper and lower case.
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

// DecodeCertificates returns the concatenated DER of the certificates in a
// text: PEM, or base64 of PEM or DER, also encoded twice. It is nil if there
// are none.
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

// HasPrivateKey reports whether a text that should contain certificates only
// contains a private key, as PEM or base64 of it, also encoded twice.
func HasPrivateKey(text string) (found bool) {
	eachLayer(text, func(raw []byte) (done bool) {
		found = bytes.Contains(raw, []byte("PRIVATE KEY-----"))
		return found
	})
	return found
}

// eachLayer calls look with the text, with its base64 decoding, and so on,
// until look returns true.
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

// WithSpelling returns a planned object in which each string that is semantically equal to the prior
// one, or is left out where the prior one is empty, has the spelling of the prior object. Terraform
// accepts a prior value instead of the configured one.
func (d *Definition) WithSpelling(planned, prior View) View {
	if planned.fields == nil || prior.fields == nil {
		return planned
	}
	var spelled map[string]Value
	for _, field := range d.root.inOrder {
		spelled = planned.changing(spelled, field.Name, field.spelled(planned.fields[field.Name], field.fieldOf(prior.fields)))
	}
	return planned.withFields(spelled)
}

func (n *node) spelled(planned, prior Value) Value {
	switch {
	case !planned.IsKnown() || prior.IsNull():
		return planned
	case planned.IsNull():
		if n.Presence == Optional && n.Default == nil && n.Attribute.Type == String && StringOf(prior) == "" {
			return prior
		}
		return planned
	}
	switch n.Attribute.Type {
	case String:
		if n.SemanticEquality != nil && n.SemanticEquality(StringOf(planned), StringOf(prior)) {
			return prior
		}
	case Object:
		return (&Definition{root: n}).WithSpelling(ViewOf(planned), ViewOf(prior)).Value()
	case ObjectMap:
		elements, before := FieldsOf(planned), FieldsOf(prior)
		if maps.EqualFunc(elements, before, Equal) {
			return planned
		}
		spelled := make(map[string]Value, len(elements))
		for key, element := range elements {
			spelled[key] = n.element.spelled(element, n.element.orNull(before[key]))
		}
		return (&Definition{root: n.element}).MapOf(spelled)
	}
	return planned
}
