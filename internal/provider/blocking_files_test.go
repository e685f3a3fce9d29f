//go:build !windows

package provider

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// TestBlockingFiles: a pipe, a device, a directory and a large file are errors at once, wherever
// the provider looks for a file with credentials.
func TestBlockingFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, large := filepath.Join(dir, tokenCredential.conventional[0]), filepath.Join(dir, "large")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, make([]byte, 1<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for attribute, test := range map[string]struct{ path, want string }{
		attrTokenFile:             {pipe, "not a regular file"},
		attrCACertificateFile:     {os.DevNull, "not a regular file"},
		attrClientCertificateFile: {large, "larger than 1 MiB"},
		attrClientKeyFile:         {dir, "is a directory"},
		attrCertsDir:              {dir, "not a regular file"},
	} {
		ended := make(chan diag.Diagnostics, 1)
		go func() {
			ended <- configure(t, newTestProvider(map[string]string{"KUSCIA_ENDPOINT": httpsURL, envName(attribute): test.path}), nil, false).Diagnostics
		}()
		select {
		case diags := <-ended:
			if len(diags) != 1 || !strings.Contains(diags[0].Detail(), test.want) {
				t.Errorf("%s: %v, want %s", attribute, diags, test.want)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: still reading %s", attribute, test.path)
		}
	}
}
