package definitiontest

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// The suffixes of the attributes of a write-only form.
const (
	suffixWO      = "_wo"
	suffixVersion = "_wo_version"
)

// Drawn is a generated configuration that prints the attributes that are set.
type Drawn struct{ definition.Tree }

// GoString shows the tree in the report of a failed property test.
func (d Drawn) GoString() string { return fmt.Sprint(d.Tree) }

// Generator generates configurations. An optional attribute is left out, empty,
// or has one of a few values, so that two configurations are often semantically
// equal.
type Generator struct {
	Definition *definition.Definition
	// Texts are the possible values of string attributes, by name; others are
	// "", "a" or "b", and where JSON is compared by content also an object in two spellings.
	Texts map[string][]string
	// Spellings are the possible values of string attributes, as Texts has them: each
	// list has texts that mean the same. Those of different lists never do.
	Spellings map[string][][]string
	// Defaults are values of attributes that the server takes for one that is left out, where
	// the definition has none. See Respelled.
	Defaults map[string]string
	// WriteOnly allows strings of Spellings to be in their write-only form.
	WriteOnly bool
	// Empty allows any string to be "", also where Texts does not have it. A
	// configuration may then be invalid.
	Empty bool
	// Keys are the possible keys of maps, by the name of the attribute; others are "a" and "b".
	Keys map[string][]string
	// Numbers are the possible values of number attributes, by name; others are 0, 1 or 2.
	Numbers map[string][]int
	// OneOf are attributes of objects of which one is set. An optional string among them has
	// Texts whose last one is not empty.
	OneOf [][]string
	// Distinct are lists of objects, in one object, that have different names: the names get
	// a number.
	Distinct [][]string
	// Rare are attributes of the configuration that most leave out together, such as those
	// whose change is a replacement.
	Rare []string
	// Fixed are attributes with the same value in every configuration, such as
	// the id.
	Fixed definition.Tree
	// Unknowns allows any part to be unknown, and strings to be write-only.
	Unknowns bool
	// Change modifies a generated configuration whose attributes depend on each other, and
	// Changes the objects in an attribute, by its name.
	Change  func(t *rapid.T, drawn definition.Tree) definition.Tree
	Changes map[string]func(t *rapid.T, drawn definition.Tree)
}

// Configurations is the generator for rapid.
func (g Generator) Configurations() *rapid.Generator[Drawn] {
	return rapid.Custom(func(t *rapid.T) Drawn {
		out := g.fields(t, g.Definition.Attributes())
		g.fit(t, g.Definition.Attributes(), out)
		g.leaveOut(t, out)
		maps.Copy(out, g.Fixed)
		if g.Change != nil {
			out = g.Change(t, out)
		}
		return Drawn{out}
	})
}

// Config generates a configuration value.
func (g Generator) Config(t *rapid.T, label string) definition.Value {
	return g.Definition.Encode(g.Configurations().Draw(t, label).Tree)
}

func (g Generator) fields(t *rapid.T, rows []definition.Attribute) definition.Tree {
	out := definition.Tree{}
	for _, row := range sorted(rows) {
		if row.Presence == definition.Computed || row.Refused != "" || isWriteOnly(rows, row.Name) {
			continue
		}
		out[row.Name] = g.attribute(t, row)
		switch {
		case row.WriteOnly && g.Unknowns:
			g.hide(t, row, out)
		case row.WriteOnly && g.WriteOnly:
			g.hideKnown(t, row, out)
		}
	}
	return out
}

// isWriteOnly reports whether an attribute belongs to the write-only form of another one.
func isWriteOnly(rows []definition.Attribute, name string) bool {
	return slices.ContainsFunc(rows, func(row definition.Attribute) bool {
		return row.WriteOnly && (name == row.Name+suffixWO || name == row.Name+suffixVersion)
	})
}

// hideKnown may put a string into its write-only form. Two texts that do not mean the same
// never have the same version.
func (g Generator) hideKnown(t *rapid.T, row definition.Attribute, out definition.Tree) {
	groups := g.Spellings[row.Name]
	i := slices.IndexFunc(groups, func(group []string) bool { return slices.Contains(group, fmt.Sprint(out[row.Name])) })
	if i >= 0 && (g.Empty || out[row.Name] != "") && rapid.Bool().Draw(t, "write-only") {
		out[row.Name+suffixWO], out[row.Name+suffixVersion] = out[row.Name], int64(2*i+rapid.IntRange(1, 2).Draw(t, "version"))
		out[row.Name] = nil
	}
}

// hide may add the write-only form of a string: beside the string only what may turn out to
// be null.
func (g Generator) hide(t *rapid.T, row definition.Attribute, out definition.Tree) {
	text, version := row.Name+suffixWO, row.Name+suffixVersion
	draw := func(known any, label string) any {
		if rapid.Bool().Draw(t, label) {
			return definition.Unknown
		}
		return known
	}
	switch rapid.SampledFrom([]string{"clear", "hidden", "perhaps hidden"}).Draw(t, "form") {
	case "hidden":
		out[row.Name] = draw(nil, "unknown string")
		out[text], out[version] = draw("a", "unknown text"), draw(int64(rapid.IntRange(1, 2).Draw(t, "version")), "unknown version")
	case "perhaps hidden":
		out[text], out[version] = definition.Unknown, definition.Unknown
	}
}

// resolveHidden chooses one of the two forms of a string.
func resolveHidden(row definition.Attribute, open, out definition.Tree) {
	text, version := row.Name+suffixWO, row.Name+suffixVersion
	out[text], out[version] = nil, nil
	if open[text] == nil {
		return
	}
	if open[row.Name] != nil && open[row.Name] != definition.Unknown {
		return
	}
	out[row.Name], out[text], out[version] = nil, open[text], open[version]
	if open[text] == definition.Unknown {
		out[text] = "a"
	}
	if open[version] == definition.Unknown {
		out[version] = int64(1)
	}
}

func sorted(rows []definition.Attribute) []definition.Attribute {
	return slices.SortedFunc(slices.Values(rows), func(a, b definition.Attribute) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
}

func (g Generator) unknown(t *rapid.T) bool {
	return g.Unknowns && rapid.IntRange(0, 24).Draw(t, "unknown") == 24
}

func (g Generator) attribute(t *rapid.T, row definition.Attribute) any {
	if g.unknown(t) {
		return definition.Unknown
	}
	if row.Presence != definition.Required && rapid.IntRange(0, 2).Draw(t, "absent") == 0 {
		return nil
	}
	texts := g.texts(row)
	text := rapid.SampledFrom(texts)
	if g.Empty && !slices.Contains(texts, "") {
		const oneIn = 8 // low enough for an object with many strings to be valid
		text = rapid.SampledFrom(append(slices.Repeat(texts, oneIn), slices.Repeat([]string{""}, len(texts))...))
	}
	switch row.Type {
	case definition.String:
		return text.Draw(t, "text")
	case definition.Number:
		if numbers, special := g.Numbers[row.Name]; special {
			return rapid.SampledFrom(numbers).Draw(t, "number")
		}
		return rapid.IntRange(0, 2).Draw(t, "number")
	case definition.Bool:
		return rapid.Bool().Draw(t, "truth")
	case definition.StringList:
		return rapid.SliceOfN(text, 0, 2).Draw(t, "texts")
	case definition.StringMap:
		return rapid.MapOfN(rapid.SampledFrom(g.keys(row.Name)), text, 0, 2).Draw(t, "map")
	case definition.ObjectList:
		out := []any{}
		for range rapid.IntRange(0, 2).Draw(t, "length") {
			if g.unknown(t) {
				out = append(out, definition.Unknown)
				continue
			}
			out = append(out, g.object(t, row))
		}
		return out
	case definition.ObjectMap:
		out := definition.Tree{}
		keys, least := g.keys(row.Name), 0
		if row.Presence == definition.Required && !g.Empty {
			least = 1
		}
		for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), least, min(3, len(keys)), rapid.ID).Draw(t, "keys") {
			if out[key] = definition.Unknown; !g.unknown(t) {
				out[key] = g.object(t, row)
			}
		}
		return out
	default:
		return g.object(t, row)
	}
}

// jsonTexts mean the same where JSON is compared by content.
var jsonTexts = []string{`{"a":1}`, "{ \"a\": 1.0 }\n"}

// texts are the possible values of a string attribute.
func (g Generator) texts(row definition.Attribute) []string {
	if groups, ok := g.Spellings[row.Name]; ok {
		return slices.Concat(groups...)
	}
	if texts, ok := g.Texts[row.Name]; ok {
		return texts
	}
	texts := []string{"", "a", "b"}
	if row.SemanticEquality != nil && row.SemanticEquality(jsonTexts[0], jsonTexts[1]) {
		texts = append(texts, jsonTexts...)
	}
	return texts
}

func (g Generator) keys(name string) []string {
	if keys, ok := g.Keys[name]; ok {
		return keys
	}
	return []string{"a", "b"}
}

// Resolve generates values for everything that is unknown.
func (g Generator) Resolve(t *rapid.T, open definition.Tree) Drawn {
	g.Unknowns = false
	return rapid.Custom(func(t *rapid.T) Drawn {
		// A custom generator must draw something, even if everything is known.
		rapid.Bool().Draw(t, "unused")
		return Drawn{g.resolveFields(t, open, g.Definition.Attributes())}
	}).Draw(t, "resolved")
}

func (g Generator) resolveFields(t *rapid.T, open definition.Tree, rows []definition.Attribute) definition.Tree {
	out := definition.Tree{}
	for _, row := range sorted(rows) {
		if isWriteOnly(rows, row.Name) {
			continue // resolveHidden has it
		}
		switch v := open[row.Name].(type) {
		case definition.Tree:
			if row.Type != definition.ObjectMap {
				out[row.Name] = g.resolveFields(t, v, row.Attributes)
				continue
			}
			elements := definition.Tree{}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				elements[key] = g.resolveElement(t, v[key], row.Attributes)
			}
			out[row.Name] = elements
		case []any:
			elements := []any{}
			for _, element := range v {
				elements = append(elements, g.resolveElement(t, element, row.Attributes))
			}
			out[row.Name] = elements
		default:
			out[row.Name] = v
			if v == definition.Unknown {
				out[row.Name] = g.attribute(t, row)
			}
		}
		if row.WriteOnly {
			resolveHidden(row, open, out)
		}
	}
	return out
}

func (g Generator) resolveElement(t *rapid.T, element any, rows []definition.Attribute) definition.Tree {
	if e, ok := element.(definition.Tree); ok {
		return g.resolveFields(t, e, rows)
	}
	return g.fields(t, rows)
}
