//go:build unix

package main

import (
	"strings"
	"testing"
)

func TestUnderShortName(t *testing.T) {
	t.Parallel()
	const terraform = `{"format_version":"1.0","provider_schemas":{"registry.terraform.io/a/kuscia":{"provider":{"version":0}}}}`
	const openTofu = `{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/a/kuscia":{"provider":{"version":0}}}}`

	fromTerraform, err := underShortName([]byte(terraform), "registry.terraform.io/a/kuscia")
	if err != nil {
		t.Fatal(err)
	}
	fromOpenTofu, err := underShortName([]byte(openTofu), "registry.opentofu.org/a/kuscia")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"format_version":"1.0","provider_schemas":{"kuscia":{"provider":{"version":0}}}}`
	if string(fromTerraform) != want || string(fromOpenTofu) != want {
		t.Errorf("got %s and %s, want %s", fromTerraform, fromOpenTofu, want)
	}

	if _, err := underShortName([]byte(terraform), "registry.opentofu.org/a/kuscia"); err == nil || !strings.Contains(err.Error(), "registry.opentofu.org/a/kuscia") {
		t.Errorf("a schema that is not there: got %v", err)
	}
	if _, err := underShortName([]byte("There are some problems"), "x"); err == nil {
		t.Error("no JSON: no error")
	}
}
