package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"testing"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// TestRunOnThisProgram writes the bill of the test program itself, which
// contains the library that writes it.
func TestRunOnThisProgram(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	document := filepath.Join(t.TempDir(), "sbom.json")
	if err := run(program, document, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}

	var bom cyclonedx.BOM
	if err := json.Unmarshal(first, &bom); err != nil {
		t.Fatal(err)
	}
	if bom.BOMFormat != "CycloneDX" || bom.SpecVersion != cyclonedx.SpecVersion1_6 {
		t.Errorf("format %s %s", bom.BOMFormat, bom.SpecVersion)
	}
	if bom.Metadata.Component.Version != "1.2.3" {
		t.Errorf("version %q", bom.Metadata.Component.Version)
	}
	if pattern := `^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`; !regexp.MustCompile(pattern).MatchString(bom.SerialNumber) {
		t.Errorf("serial number %q", bom.SerialNumber)
	}
	if !slices.ContainsFunc(*bom.Components, func(c cyclonedx.Component) bool { return c.Name == "std" && c.Version != "" }) {
		t.Error("the Go release is missing")
	}

	if err := run(program, document, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(document); err != nil || !bytes.Equal(first, second) {
		t.Errorf("a second bill differs (%v)", err)
	}
}

func TestBill(t *testing.T) {
	t.Parallel()
	bom := bill(&debug.BuildInfo{
		GoVersion: "go1.26.8",
		Path:      "example.test/Org/program/cmd/thing",
		Main:      debug.Module{Path: "example.test/Org/program", Version: "v0.0.1"},
		Deps: []*debug.Module{
			{Path: "example.test/Lib/a", Version: "v1.0.0", Sum: "h1:abc="},
			{Path: "example.test/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.test/c", Version: "v2.0.0"}},
		},
	}, []byte("program"), "")

	if got := bom.Metadata.Component; got.Name != "thing" || got.Version != "v0.0.1" || got.PackageURL != "pkg:golang/example.test/org/program/cmd/thing@v0.0.1" {
		t.Errorf("program %+v", got)
	}
	want := []string{"pkg:golang/std@1.26.8", "pkg:golang/example.test/lib/a@v1.0.0", "pkg:golang/example.test/c@v2.0.0"}
	var got []string
	for _, part := range *bom.Components {
		got = append(got, part.PackageURL)
	}
	if !slices.Equal(got, want) {
		t.Errorf("parts %q, want %q", got, want)
	}
	if refs := *(*bom.Dependencies)[0].Dependencies; !slices.Equal(refs, want) {
		t.Errorf("dependencies %q, want %q", refs, want)
	}
	if sum := (*(*bom.Components)[1].Properties)[0].Value; sum != "h1:abc=" {
		t.Errorf("checksum %q", sum)
	}
}

func TestRunRefusesWhatIsNoProgram(t *testing.T) {
	t.Parallel()
	if err := run("main.go", filepath.Join(t.TempDir(), "sbom.json"), ""); err == nil {
		t.Error("no error for a source file")
	}
}
