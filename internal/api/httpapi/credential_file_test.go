//go:build linux

package httpapi

import (
	"os"
	"path/filepath"
	"testing"
	"time"
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

// TestFilesThatBlock: a file that cannot be read in time is an error, whatever it is.
func TestFilesThatBlock(t *testing.T) {
	t.Parallel()
	released := make(chan struct{})
	defer close(released)
	_, err := within(time.Millisecond, func() ([]byte, error) {
		<-released
		return nil, nil
	})
	if err == nil || err.Error() != "it could not be read within 1ms" {
		t.Error(err)
	}
}
