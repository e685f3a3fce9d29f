package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
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
