//go:build linux

package httpapi

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFilesOfTheKernel: a file of the kernel, which says that it is regular and empty, is not read:
// some of them block.
func TestFilesOfTheKernel(t *testing.T) {
	t.Parallel()
	content, err := ReadCredentialFile("/proc/self/status")
	if err != nil || len(content) != 0 {
		t.Errorf("%d bytes, %v", len(content), err)
	}
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("t0ken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if content, err := ReadCredentialFile(file); err != nil || string(content) != "t0ken" {
		t.Errorf("%q, %v", content, err)
	}
}
