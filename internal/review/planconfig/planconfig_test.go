package planconfig

import (
	"slices"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
)

// TestAddresses: the block of an instance is found whatever its keys have.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"a.b":                                  "a.b",
		`a.b[0]`:                               "a.b",
		`module.m["x"].module.n[1].a.b["y.z"]`: "module.m.module.n.a.b",
		`module.m["]\"["].a.b["\\"]`:           "module.m.a.b",
		`module.m["x`:                          "module.m",
		`a.b["module.m.a.c"]`:                  "a.b",
	} {
		if got := AddressOf(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// TestSoleProvider: there is one if all blocks, and all objects without a block, have it.
func TestSoleProvider(t *testing.T) {
	t.Parallel()
	block := func(kind, provider string) Block { return Block{Address: kind + ".x", Type: kind, Provider: provider} }
	for want, resources := range map[string][]Block{
		"":         {block("kuscia_domain", "kuscia"), block("kuscia_serving", "kuscia.b")},
		"kuscia":   {block("kuscia_domain", "kuscia"), block("aws_instance", "aws")},
		"kuscia.b": {block("kuscia_domain", "kuscia.b")},
	} {
		if got := (Configuration{Root: Module{Resources: resources}}).SoleProvider("kuscia"); got != want {
			t.Errorf("%v: %q, want %q", resources, got, want)
		}
	}
}

// TestAddressesOf: blocks of a mode are found in all modules, others are not.
func TestAddressesOf(t *testing.T) {
	t.Parallel()
	block := func(kind string, mode tfjson.ResourceMode) Block {
		return Block{Address: string(mode) + "." + kind + ".x", Mode: mode, Type: kind}
	}
	var c Configuration
	c.Root.Resources = []Block{block("shell_script", tfjson.DataResourceMode), block("aws_ami", tfjson.DataResourceMode), block("external", tfjson.ManagedResourceMode), block("vault_secret", Ephemeral)}
	c.Root.Calls = map[string]struct {
		Module Module `json:"module"`
	}{"m": {Module{Resources: []Block{block("local_command", tfjson.DataResourceMode)}}}}
	if got := c.AddressesOf(tfjson.DataResourceMode, IsProgram); !slices.Equal(got, []string{"data.shell_script.x", "module.m.data.local_command.x"}) {
		t.Errorf("%q", got)
	}
	if got := c.AddressesOf(Ephemeral, func(string) bool { return true }); !slices.Equal(got, []string{"ephemeral.vault_secret.x"}) {
		t.Errorf("%q", got)
	}
}

// TestKuscias: provider configurations with one constant address, or with that of the environment, are one Kuscia,
// and no others.
func TestKuscias(t *testing.T) {
	t.Parallel()
	at := func(endpoint any) Provider {
		return Provider{Name: "kuscia", Expressions: map[string]any{"endpoint": endpoint}}
	}
	constant := func(endpoint string) Provider { return at(map[string]any{"constant_value": endpoint}) }
	known := at(map[string]any{"references": []any{"var.kuscia"}})
	several := Configuration{Providers: map[string]Provider{
		"kuscia": constant("https://k.example"), "kuscia.b": constant("HTTPS://K.example.:443/"), "kuscia.c": constant("http://k.example:443"), "kuscia.d": known, "kuscia.e": known, "kuscia.f": constant("::"),
		"kuscia.g": {Name: "kuscia"}, "kuscia.h": {Name: "kuscia", Expressions: map[string]any{"token": map[string]any{"references": []any{"var.t"}}}}, "kubernetes": {Name: "kubernetes"},
	}}.Kuscias("kuscia")
	for key, want := range map[string]string{"kuscia": "kuscia", "kuscia.b": "kuscia", "kuscia.c": "kuscia.c", "kuscia.d": "kuscia.d", "kuscia.e": "kuscia.e", "kuscia.f": "kuscia.f", "kuscia.g": "kuscia.g", "kuscia.h": "kuscia.g", "kubernetes": "kubernetes", "": ""} {
		if got := several.Of(key); got != want {
			t.Errorf("%q is %q, not %q", key, got, want)
		}
	}
	one := Configuration{Providers: map[string]Provider{"kuscia.a": constant("http://k:1"), "kuscia.b": constant("http://k:1/")}}.Kuscias("kuscia")
	if got := one.Of(""); got != "kuscia.a" {
		t.Errorf("what has no block is in %q", got)
	}
}
