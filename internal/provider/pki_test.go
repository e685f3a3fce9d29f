package provider

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
)

// pair is a certificate and its key in PEM form.
type pair struct{ cert, key string }

var (
	pairsOnce sync.Once
	pairs     [2]pair
)

// twoPairs returns the certificates of two sandboxes with their keys, which do not match each
// other.
func twoPairs(t *testing.T) (a, b pair) {
	t.Helper()
	pairsOnce.Do(func() {
		for i := range pairs {
			box, _ := sandboxtest.Start(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS})
			cert, err := os.ReadFile(filepath.Join(box.CertsDir(), "kusciaapi-server.crt"))
			if err != nil {
				t.Fatal(err)
			}
			key, err := os.ReadFile(filepath.Join(box.CertsDir(), "kusciaapi-server.key"))
			if err != nil {
				t.Fatal(err)
			}
			pairs[i] = pair{string(cert), string(key)}
		}
	})
	return pairs[0], pairs[1]
}
