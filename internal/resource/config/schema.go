package config

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// The attributes.
const (
	attrKey   = "key"
	attrValue = "value"
)

// entrySchema has the attributes of an entry, named like the API's.
func entrySchema() definition.Schema {
	return definition.Schema{
		Description: "An entry of the configuration of one node of Kuscia: a key with a secret value, for example the credentials that a data source refers to by `info_key`. " +
			"The entry belongs to the node behind the endpoint of the provider block, and no other node sees it; use a provider alias for each node. Kuscia stores values encrypted and returns them in clear.\n\n" +
			"A node answers from a cache that is a little older than what it stores. After each write the provider looks until the node shows it, and a delete that the node has lost is sent again. " +
			"Two parties that create the same key at the same moment both succeed at Kuscia; the one whose value is not there afterwards gets an error, and does not have the entry in its state.\n\n" +
			"An import reads the value in clear into the state, whichever form the configuration has; the first update with the write-only form takes it out. " +
			"A configuration that Terraform generates leaves the value out, which is sensitive, and the entry stays as it is until an update whose configuration has one. " +
			"The configuration API exists since Kuscia v0.12.",
		Attributes: []definition.Attribute{
			{Name: attrKey, Replace: definition.Always, Description: "Key of the entry: letters, digits, `-`, `_` and `.`, at most 253, not `.` alone and not beginning with `..`. Changing it replaces the entry. `domain-public-key` is the node's own."},
			{Name: attrValue, Presence: definition.Optional, WriteOnly: true, Description: "Value of the entry, not empty. All entries of a node together have less than 1 MiB. Give this or `value_wo`."},
		},
	}
}

// toWire is an entry as it is sent.
func toWire(root definition.Reader) *kuscia.ConfigEntry {
	return &kuscia.ConfigEntry{Key: root.Text(attrKey), Value: root.Text(attrValue)}
}

// fromWire is the tree of an answer.
func fromWire(entry *kuscia.ConfigEntry) definition.Tree {
	return definition.Tree{attrKey: entry.Key, attrValue: entry.Value}
}

const (
	// maxEntries is what all entries of a node may have together.
	maxEntries = 1 << 20
)

// checkKey says what is wrong with a key, "" if nothing. The node keeps its entries
// in a ConfigMap.
func checkKey(key string) string {
	switch {
	case key == kuscia.ReservedConfigKey:
		return fmt.Sprintf("%q is where the node keeps its own public key. Kuscia would let it be overwritten and deleted, and the node would not work any more. Choose another key.", key)
	case len(validation.IsConfigMapKey(key)) > 0:
		return fmt.Sprintf("%q is not a key. Use letters, digits, \"-\", \"_\" and \".\", at most %d, not \".\" alone and not beginning with \"..\", for example \"oss-credentials\".", httpapi.Text(key), validation.DNS1123SubdomainMaxLength)
	}
	return ""
}

// checkEntry adds what is wrong with an entry. It shows nothing of the value.
func checkEntry(c *check.Checker, entry *kuscia.ConfigEntry) {
	at := path.Root(attrValue)
	switch {
	case entry.Value == "":
		c.Add(check.Refused, at, "", "No value",
			"An entry needs a value that is not empty, in value or value_wo: Kuscia does not tell an empty one from none. To remove the entry, remove the resource.")
	case len(entry.Key)+len(entry.Value) > maxEntries:
		c.Add(check.Refused, at, "", "Value too long",
			fmt.Sprintf("The value has %d bytes, and all entries of a node together must have less than %d.", len(entry.Value), maxEntries))
	}
}
