// Package planconfig reads what a review needs of the configuration in the JSON of a plan: the
// provider configuration of each resource, its provisioners, and the programs of data sources.
package planconfig

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
)

// Configuration is the configuration of a plan.
type Configuration struct {
	Providers map[string]Provider `json:"provider_config"`
	Root      Module              `json:"root_module"`
}

// Provider is a provider configuration.
type Provider struct {
	Name     string `json:"name"`
	FullName string `json:"full_name"`
	// Expressions has what the block sets, by attribute or block.
	Expressions map[string]any `json:"expressions"`
}

func (p Provider) isOf(name string) bool { return p.Name == name || path.Base(p.FullName) == name }

// Module has the resources of a module and of those that it calls.
type Module struct {
	Resources []Block `json:"resources"`
	Calls     map[string]struct {
		Module Module `json:"module"`
	} `json:"module_calls"`
}

// Block is the block of a resource.
type Block struct {
	// Address is that in its module.
	Address  string              `json:"address"`
	Mode     tfjson.ResourceMode `json:"mode"`
	Type     string              `json:"type"`
	Provider string              `json:"provider_config_key"`
	// Provisioners are programs and scripts that an apply runs beside the resource.
	Provisioners []struct {
		Type string `json:"type"`
	} `json:"provisioners"`
	// Expressions has what the block sets, by attribute.
	Expressions map[string]json.RawMessage `json:"expressions"`
}

// MaySet reports whether the block sets an attribute, or is not in the configuration that was read.
func (b Block) MaySet(attribute string) bool {
	_, set := b.Expressions[attribute]
	return set || b.Address == ""
}

// Ephemeral is the mode of ephemeral resources.
const Ephemeral tfjson.ResourceMode = "ephemeral"

// Blocks are blocks by their addresses.
type Blocks map[string]Block

// Blocks are those of all modules.
func (c Configuration) Blocks() Blocks {
	all := Blocks{}
	c.walk(func(address string, block Block) { all[address] = block })
	return all
}

// programs are the types of data sources that run a program, of providers that are known for it.
var programs = []string{"external", "local_command", "shell_script"}

// IsProgram reports whether data sources of a type run a program where they are read.
func IsProgram(dataSource string) bool { return slices.Contains(programs, dataSource) }

// AddressesOf are the addresses of the blocks of a mode whose types fit.
func (c Configuration) AddressesOf(mode tfjson.ResourceMode, fits func(kind string) bool) (addresses []string) {
	c.walk(func(address string, block Block) {
		if block.Mode == mode && fits(block.Type) {
			addresses = append(addresses, address)
		}
	})
	slices.Sort(addresses)
	return addresses
}

// walk visits the blocks of all modules.
func (c Configuration) walk(visit func(address string, block Block)) {
	var walk func(at string, m Module)
	walk = func(at string, m Module) {
		for _, block := range m.Resources {
			visit(at+block.Address, block)
		}
		for name, call := range m.Calls {
			walk(at+"module."+name+".", call.Module)
		}
	}
	walk("", c.Root)
}

// Of is the block of a resource with this address; without content if there is none.
func (b Blocks) Of(address string) Block { return b[AddressOf(address)] }

// SoleProvider is the provider configuration of the resources of one provider, whose types
// begin with its name and "_", if there is just one.
func (c Configuration) SoleProvider(name string) string {
	found := c.keysOf(name)
	if len(found) != 1 {
		return ""
	}
	return slices.Collect(maps.Keys(found))[0]
}

// keysOf are the keys of the provider configurations of the resources of one provider.
func (c Configuration) keysOf(name string) map[string]bool {
	found := map[string]bool{}
	for key, provider := range c.Providers {
		if provider.isOf(name) {
			found[key] = true
		}
	}
	for _, block := range c.Blocks() {
		if block.Mode != tfjson.DataResourceMode && strings.HasPrefix(block.Type, name+"_") {
			found[block.Provider] = true
		}
	}
	return found
}

// AddressOf is the address of the block of an instance.
func AddressOf(address string) string {
	var b strings.Builder
	inKey, inText, escaped := false, false, false
	for _, r := range address {
		switch {
		case escaped:
			escaped = false
		case inText:
			escaped, inText = r == '\\', r != '"'
		case inKey:
			inText, inKey = r == '"', r != ']'
		case r == '[':
			inKey = true
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
