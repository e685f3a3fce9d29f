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
