package acctest

import (
	"crypto/rand"
	"encoding/hex"
	"regexp"
	"strings"
)

// maxName keeps names short enough for a Kubernetes label with the suffixes of
// Kuscia.
const maxName = 40

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// Name returns a unique name: a valid serving_id, app image name and
// service_name_prefix.
func (e *Env) Name(prefix string) string {
	e.t.Helper()
	random := make([]byte, 4)
	if _, err := rand.Read(random); err != nil {
		e.t.Fatalf("no random name: %v", err)
	}
	return name(prefix, hex.EncodeToString(random))
}

func name(prefix, suffix string) string {
	prefix = strings.Trim(notInNames.ReplaceAllString(strings.ToLower(prefix), "-"), "-0123456789")
	if prefix == "" {
		prefix = "tf"
	}
	if room := maxName - len(suffix) - 1; len(prefix) > room {
		prefix = strings.TrimRight(prefix[:room], "-")
	}
	return prefix + "-" + suffix
}
