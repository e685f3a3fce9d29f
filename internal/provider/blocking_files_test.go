//go:build !windows

package provider

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// TestBlockingFiles: wherever a file with credentials comes from, a pipe, a device
// and a file without end are errors at once.
func TestBlockingFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, sparse := filepath.Join(dir, "pipe"), filepath.Join(dir, "sparse")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(sparse, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 1<<40); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{pipe: "not a regular file", "/dev/zero": "not a regular file", sparse: "larger than 1 MiB", dir: "is a directory"} {
		certs := t.TempDir()
		if err := os.Symlink(path, filepath.Join(certs, "token")); err != nil {
			t.Fatal(err)
		}
		places := map[string]struct {
			block block
			env   env
		}{attrCertsDir: {block{CertsDir: str(certs)}, nil}, envName(attrCertsDir): {block{}, env{envName(attrCertsDir): certs}}}
		for name, b := range map[string]block{
			attrTokenFile: {TokenFile: str(path)}, attrCACertificateFile: {CACertificateFile: str(path)},
			attrClientCertificateFile: {ClientCertificateFile: str(path)}, attrClientKeyFile: {ClientKeyFile: str(path)},
		} {
			places[name] = struct {
				block block
				env   env
			}{b, nil}
			places[envName(name)] = struct {
				block block
				env   env
			}{block{}, env{envName(name): path}}
		}
		for name, place := range places {
			place.block.Endpoint = str(httpsURL)
			ended := make(chan []problem, 1)
			go func() {
				_, problems := resolve(place.block, place.env.get, httpapi.ReadCredentialFile)
				ended <- problems
			}()
			select {
			case problems := <-ended:
				if len(problems) != 1 || !strings.Contains(problems[0].Detail, want) || !strings.HasPrefix(problems[0].Detail, name) {
					t.Errorf("%s as %s: %+v", path, name, problems)
				}
			case <-time.After(10 * time.Second):
				t.Errorf("%s as %s is read without end", path, name)
			}
		}
	}
}
