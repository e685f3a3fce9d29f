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

// TestNodeNeedsItsMaster: options that contradict each other are refused.
func TestNodeNeedsItsMaster(t *testing.T) {
	master := startSandbox(t, Options{})
	for _, options := range []Options{
		{Lite: "alice"}, {Master: master}, {Lite: "alice", Master: master, Autonomy: "alice"}, {Lite: "alice", Master: master, StateFile: "x"},
	} {
		if s, err := Start(t.Context(), options); err == nil {
			_ = s.Close()
			t.Errorf("a sandbox with options %+v starts", options)
		}
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
