package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// program writes a program that responds to "version" with the given text.
func program(t *testing.T, dir, name, response string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	script := "#!/bin/sh\n[ \"$1\" = version ] || exit 64\ncat <<'END'\n" + response + "\nEND\n"
	// A process that another test starts meanwhile would keep the file open, and a file that is
	// written cannot be run.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// machine is a Finder on a simulated machine.
type machine struct {
	finder *Finder
	log    bytes.Buffer
	bin    string
	env    map[string]string
	path   map[string]string
	builds int
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{bin: t.TempDir(), env: map[string]string{}, path: map[string]string{}}
	m.finder = NewFinder(m.bin, &m.log)
	m.finder.getenv = func(name string) string { return m.env[name] }
	m.finder.lookPath = func(name string) (string, error) {
		if path, ok := m.path[name]; ok {
			return path, nil
		}
		return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
	}
	m.finder.build = func(_ context.Context, path string, _ io.Writer) error {
		m.builds++
		program(t, filepath.Dir(path), filepath.Base(path), "OpenTofu v"+OpenTofuVersion+"\non linux_amd64")
		return nil
	}
	return m
}

func TestFindOrder(t *testing.T) {
	t.Parallel()
	other := t.TempDir()
	named := program(t, other, "named", "Terraform v1.17.0\non linux_amd64")
	terraform := program(t, other, "terraform", "Terraform v1.11.4\non linux_amd64\n\nYour version of Terraform is out of date!")
	tofu := program(t, other, "tofu", "OpenTofu v1.10.0-rc1\non linux_amd64")
	old := program(t, other, "old", "Terraform v1.7.5\non linux_amd64")

	for name, tc := range map[string]struct {
		env, path map[string]string
		want      CLI
		builds    int
		log       string
	}{
		"the environment goes first": {
			env: map[string]string{PathVariable: named}, path: map[string]string{"terraform": terraform, "tofu": tofu},
			want: CLI{Path: named, Product: Terraform, Version: "1.17.0"},
		},
		"the environment is taken at its word": {
			env:  map[string]string{PathVariable: old},
			want: CLI{Path: old, Product: Terraform, Version: "1.7.5"},
		},
		"terraform goes before tofu": {
			path: map[string]string{"terraform": terraform, "tofu": tofu},
			want: CLI{Path: terraform, Product: Terraform, Version: "1.11.4"},
		},
		"an old terraform is passed over": {
			path: map[string]string{"terraform": old, "tofu": tofu},
			want: CLI{Path: tofu, Product: OpenTofu, Version: "1.10.0-rc1"},
			log:  "is not used: it is Terraform 1.7.5 and 1.8 or later is needed",
		},
		"nothing there": {
			want:   CLI{Product: OpenTofu, Version: OpenTofuVersion},
			builds: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.env, m.path = tc.env, tc.path
			if tc.builds > 0 {
				tc.want.Path = filepath.Join(m.bin, "tofu")
			}
			got, err := m.finder.Find(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got != tc.want || m.builds != tc.builds {
				t.Errorf("got %+v after %d builds, want %+v after %d", got, m.builds, tc.want, tc.builds)
			}
			if !strings.Contains(m.log.String(), tc.log) {
				t.Errorf("log %q does not contain %q", m.log.String(), tc.log)
			}
		})
	}
}
