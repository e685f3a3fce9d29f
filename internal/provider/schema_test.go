package provider_test

import (
	"regexp"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/schemajson"
)

// TestSchemaRules: every part of the schema has a description, from which the
// documentation is generated; there are no sets, which make plans slow and
// unreadable; and an attribute that is named like a secret is not shown.
func TestSchemaRules(t *testing.T) {
	t.Parallel()
	schemas, err := schemajson.Read(t.Context(), provider.NewServer(provider.Build{Version: "test"}, true)(), "kuscia")
	if err != nil {
		t.Fatal(err)
	}
	s := schemas.Schemas["kuscia"]
	c := schemaRules{T: t}
	c.block("provider", s.ConfigSchema.Block)
	for prefix, kind := range map[string]map[string]*tfjson.Schema{
		"": s.ResourceSchemas, "data.": s.DataSourceSchemas, "ephemeral.": s.EphemeralResourceSchemas, "list.": s.ListResourceSchemas,
	} {
		for name, schema := range kind {
			c.block(prefix+name, schema.Block)
		}
	}
	for name, schema := range s.ActionSchemas {
		c.block("action."+name, schema.Block)
	}
	for name, function := range s.Functions {
		c.described("function "+name, function.Description)
		for _, parameter := range function.Parameters {
			c.described("function "+name+": parameter "+parameter.Name, parameter.Description)
		}
	}
	if c.attributes < 100 {
		t.Errorf("only %d attributes were checked", c.attributes)
	}
}

type schemaRules struct {
	*testing.T
	attributes int
}

func (c *schemaRules) described(path, description string) {
	c.Helper()
	if strings.TrimSpace(description) == "" {
		c.Errorf("%s has no description; say what the value does, what is allowed and what the default is", path)
	}
}

func (c *schemaRules) block(path string, block *tfjson.SchemaBlock) {
	c.described(path, block.Description)
	c.attributesOf(path, block.Attributes, false)
	if len(block.NestedBlocks) > 0 {
		c.Errorf("%s has blocks; use nested attributes", path)
	}
}

func (c *schemaRules) attributesOf(path string, attributes map[string]*tfjson.SchemaAttribute, hidden bool) {
	for name, a := range attributes {
		at := path + "." + name
		c.attributes++
		c.described(at, a.Description)
		hidden := hidden || a.Sensitive || a.WriteOnly
		if nested := a.AttributeNestedType; nested != nil {
			c.attributesOf(at, nested.Attributes, hidden)
		}
		if nested := a.AttributeNestedType; nested != nil && nested.NestingMode == tfjson.SchemaNestingModeSet || nested == nil && hasSet(a.AttributeType) {
			c.Errorf("%s is a set; use a map, or a list that is compared without its order", at)
		}
		if namedLikeSecret(at) && a.AttributeNestedType == nil && a.AttributeType != cty.Bool && a.AttributeType != cty.Number && !hidden {
			c.Errorf("%s is named like a secret and is neither sensitive nor write-only", at)
		}
	}
}

func hasSet(t cty.Type) bool {
	return t.IsSetType() || t.IsCollectionType() && hasSet(t.ElementType())
}

// secretWord is the last word of the name of a secret. The name of an entry (key), and that under
// which Kuscia stores a secret (info_key), are none.
var secretWord = regexp.MustCompile(`[._](tokens?|passwords?|passwd|passphrase|secrets?|credentials?|keys?)(_wo)?$`)

// namedLikeSecret reports whether an attribute is named like a secret.
func namedLikeSecret(path string) bool {
	return secretWord.MatchString(path) && !strings.HasSuffix(path, ".key") && !strings.HasSuffix(path, ".info_key")
}
