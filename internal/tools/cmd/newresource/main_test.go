package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSkeletonCompiles: the skeleton compiles in its target directory, and only
// the tests for the parts to be filled in fail.
func TestSkeletonCompiles(t *testing.T) {
	t.Parallel()
	files, err := generate("skeleton_widget")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir, overlay := t.TempDir(), struct{ Replace map[string]string }{map[string]string{}}
	if err := write(filepath.Join(dir, "x"), files); err != nil {
		t.Fatal(err)
	}
	for name := range files {
		overlay.Replace[filepath.Join(root, "internal/resource/skeletonwidget", name)] = filepath.Join(dir, "x", name)
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "widget.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-C", root, "-vet=off", "-overlay", file, "-c", "-o", binary, "./internal/resource/skeletonwidget")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), binary, "-test.v")
	run.Dir = filepath.Join(dir, "x")
	out, err := run.CombinedOutput()
	said := string(out)
	if err == nil || !strings.Contains(said, "--- FAIL: TestIsFilledIn") || !strings.Contains(said, "schema.go:") {
		t.Errorf("the skeleton is accepted as filled in:\n%s", said)
	}
	for _, test := range []string{"TestPlans", "TestUnknown", "TestServes"} {
		if !strings.Contains(said, "--- PASS: "+test) {
			t.Errorf("%s fails:\n%s", test, said)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	if got, want := namesOf("domain_data_source"), (names{"domain_data_source", "domaindatasource", "domain data source", "domainDataSource"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, name := range []string{"", "Widget", "a__b", "kuscia-x", "1a", "_a"} {
		if _, err := generate(name); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}
