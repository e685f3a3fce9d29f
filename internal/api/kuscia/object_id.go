package kuscia

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

const (
	maxObjectID = 63
	// readablePart is the maximum length of the readable part of a generated
	// id.
	readablePart = 24
)

// CheckObjectID returns what is wrong with the id of a domain, of domain data,
// of a data source or of a grant, or "". Kuscia's own rule also accepts "a..b"
// and "a.-b", which Kubernetes refuses.
func CheckObjectID(id string) (problem string) {
	if len(id) <= maxObjectID && len(validation.IsDNS1123Subdomain(id)) == 0 {
		return ""
	}
	return fmt.Sprintf("%q is not an ID. Use lower-case letters, digits, hyphens and dots, at most %d characters, "+
		"with a letter or digit at the start, at the end and on both sides of a dot.", httpapi.Text(id), maxObjectID)
}

// NewObjectID generates an id that begins with the valid characters of a text.
func NewObjectID(of string) string {
	readable := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r == '-', r == '_', r == '.', r == ' ', r == '/':
			return '-'
		}
		return -1
	}, strings.ToLower(of))
	readable = strings.Trim(readable, "-0123456789")
	readable = strings.TrimRight(readable[:min(len(readable), readablePart)], "-")
	random := make([]byte, 8)
	_, _ = rand.Read(random) // never fails
	if readable == "" {
		readable = "id"
	}
	return readable + "-" + hex.EncodeToString(random)
}
