package provider

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// pair is a certificate and its key in PEM form.
type pair struct{ cert, key string }

// twoPairs returns two certificates with their keys, which do not match each other.
func twoPairs(t *testing.T) (a, b pair) {
	t.Helper()
	made := func() pair {
		files, err := server.MakeCertificates()
		if err != nil {
			t.Fatal(err)
		}
		return pair{string(files[server.FileServerCert]), string(files[server.FileServerKey])}
	}
	return made(), made()
}
