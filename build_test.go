package main_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// modules are the folders of the Go modules.
func modules(t *testing.T) (dirs []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() != "." && strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case entry.Name() == "go.mod":
			dirs = append(dirs, filepath.Dir(path))
		}
		return nil
	})
	if err != nil || len(dirs) < 2 {
		t.Fatalf("%v: %v", dirs, err)
	}
	return dirs
}

func text(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestModules: every module has the same toolchain, newer than its minimum Go version, so that
// releases have the fixes of the standard library; the bot updates each, and the actions.
func TestModules(t *testing.T) {
	t.Parallel()
	config := text(t, ".github/dependabot.yml")
	directories := regexp.MustCompile(`(?m)^    directories: \[(.*)\]$`).FindString(config)
	toolchains := map[string]bool{}
	for _, dir := range modules(t) {
		toolchains[regexp.MustCompile(`(?m)^toolchain go1\.\d+\.\d+$`).FindString(text(t, filepath.Join(dir, "go.mod")))] = true
		if want := `"` + strings.TrimSuffix("/"+filepath.ToSlash(dir), ".") + `"`; !strings.Contains(directories, want) {
			t.Errorf("%s is not in %s", want, directories)
		}
	}
	if len(toolchains) != 1 || toolchains[""] || !strings.Contains(config, "package-ecosystem: github-actions") {
		t.Errorf("the toolchains are %v, or actions are not updated", toolchains)
	}
}

// TestWorkflows: actions are pinned by commit, which the reader of an example fills in for that of
// this repository, and a release requires the tests, an environment and an attestation.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, others := range []string{"examples/*/github-actions.yaml", ".github/actions/*/action.yml"} {
		more, err := filepath.Glob(others)
		if err != nil || len(more) < 2 {
			t.Fatal(more, err)
		}
		files = append(files, more...)
	}
	pinned := regexp.MustCompile(`^\S+@[0-9a-f]{40} # v\d|^terraform-kuscia/terraform-provider-kuscia/\S+@COMMIT\b`)
	for _, file := range files {
		for _, use := range regexp.MustCompile(`(?m)uses: (.*)$`).FindAllStringSubmatch(text(t, file), -1) {
			if !strings.HasPrefix(use[1], "./.github/workflows/") && !pinned.MatchString(use[1]) {
				t.Errorf("%s: %s is not pinned", file, use[1])
			}
		}
	}
	_, release, found := strings.Cut(text(t, ".github/workflows/release.yml"), "\n  release:\n")
	if !found {
		t.Fatal("no job that releases")
	}
	for _, want := range []string{"\n    needs: test\n", "\n    environment: release\n", "attestations: write", "id-token: write", "uses: actions/attest-build-provenance@"} {
		if !strings.Contains("\n"+release, want) {
			t.Errorf("the release has no %q", strings.TrimSpace(want))
		}
	}
	if !strings.Contains(text(t, ".github/workflows/release.yml"), "  test:\n    uses: ./.github/workflows/test.yml\n") || !strings.Contains(text(t, ".github/workflows/test.yml"), "  workflow_call:") {
		t.Error("the tests are not those of every change")
	}
}

// TestVulnerabilityCheck: the check fails on findings and on its own failures,
// and reports if it could not check.
func TestVulnerabilityCheck(t *testing.T) {
	t.Parallel()
	const unreachable = `echo 'govulncheck: fetching vulnerabilities: Get "https://vuln.go.dev/index/modules.json.gz": no such host' >&2; exit 1`
	for name, test := range map[string]struct {
		program, required string
		fails             bool
		says              string
	}{
		"nothing found":         {"echo 'No vulnerabilities found.'", "", false, "No vulnerabilities found."},
		"a vulnerability":       {"echo 'Vulnerability #1: GO-2026-1'; exit 3", "", true, "GO-2026-1"},
		"no database":           {unreachable, "", false, "SKIPPED: the vulnerability database cannot be reached. Nothing was checked"},
		"no database, required": {unreachable, "required", true, "FAILED: the vulnerability database cannot be reached"},
		"another fault":         {"echo 'loading packages: broken' >&2; exit 1", "", true, "broken"},
	} {
		program := filepath.Join(t.TempDir(), "govulncheck")
		write(t, program, "#!/bin/sh\n"+test.program+"\n")
		if err := os.Chmod(program, 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), ".ci/vulnerabilities", program)
		cmd.Env = append(os.Environ(), "VULNERABILITIES="+test.required)
		output, err := cmd.CombinedOutput()
		if (err != nil) != test.fails || !strings.Contains(string(output), test.says) {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
	}
}
