package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

func TestOptionsAreChecked(t *testing.T) {
	for want, options := range map[string]Options{
		`protocol "SSL" is not one of`:  {Protocol: "SSL"},
		"is not on loopback":            {Listen: "0.0.0.0:0"},
		"does not look like v1.1.0b0":   {Version: "latest"},
		"is older than v0.4.0":          {Version: "v0.3.0b0"},
		"is not on loopback; the":       {Listen: "192.0.2.1:0"},
		"missing port in address":       {Listen: "127.0.0.1"},
		"reading the state in testdata": {StateFile: "testdata/fixtures/app_images.json"},
	} {
		s, err := Start(t.Context(), options)
		if err == nil {
			_ = s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", options, err, want)
		}
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	s, err := Start(t.Context(), Options{Protocol: ProtocolMTLS})
	must(t, err)
	dir := s.CertsDir()
	for _, name := range []string{server.FileToken, server.FileCA, server.FileCAKey, server.FileServerCert, server.FileServerKey} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	must(t, s.Close())
	must(t, s.Close()) // a second Close has no effect
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the certificates are still there: %v", err)
	}
}

func TestCertificatesAreUsedAgain(t *testing.T) {
	dir := t.TempDir()
	read := func() string {
		s, err := Start(t.Context(), Options{Protocol: ProtocolTLS, CertsDir: dir})
		must(t, err)
		defer func() { must(t, s.Close()) }()
		ca, err := os.ReadFile(filepath.Join(s.CertsDir(), server.FileCA))
		must(t, err)
		return s.Token() + string(ca)
	}
	if first, second := read(), read(); first != second {
		t.Error("a second start made new certificates or a new token")
	}
}
