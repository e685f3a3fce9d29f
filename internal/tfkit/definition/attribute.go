package definition

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Type is the type of an attribute.
type Type int

// The types.
const (
	String     Type = iota // string
	Number                 // whole number
	Bool                   // bool
	StringList             // list of strings
	StringMap              // map of strings
	Object                 // nested object
	ObjectList             // list of nested objects
	ObjectMap              // map of nested objects
)

// describes reports whether a Terraform type is that of an attribute.
func (t Type) describes(tf tftypes.Type) bool {
	switch tf := tf.(type) {
	case tftypes.List:
		return t == StringList && tf.ElementType.Is(stringType) || t == ObjectList && !tf.ElementType.Is(stringType)
	case tftypes.Map:
		return t == StringMap && tf.ElementType.Is(stringType) || t == ObjectMap && !tf.ElementType.Is(stringType)
	case tftypes.Object:
		return t == Object
	case nil:
		return false
	}
	return t == String && tf.Is(stringType) || t == Number && tf.Is(numberType) || t == Bool && tf.Is(boolType)
}

// Presence declares who sets the value of an attribute.
type Presence int

// The values of Presence.
const (
	// Required: the configuration must set it.
	Required Presence = iota
	// Optional: the configuration may set it; otherwise plan and state have its
	// default, or null if that is the empty value.
	Optional
	// Nullable: the configuration may set it; otherwise it is null, which
	// differs from an empty value. For example, a missing probe differs from a
	// probe without attributes.
	Nullable
	// ServerDefault: the configuration may set it; otherwise the server (or
	// Attribute.Generate) chooses a value on create, and the object keeps it.
	ServerDefault
	// Computed: the server or Schema.Derive sets it.
	Computed
)

// Attribute declares an attribute. Its name is the API's wherever possible.
type Attribute struct {
	Name     string
	Type     Type
	Presence Presence
	// Description is Markdown for users.
	Description string
	// Attributes are those of a nested object, or of each object in a list or map.
	Attributes []Attribute
	// IdentifiedBy are the nested strings that identify an object in an ObjectMap
	// to the server; the first of them, which is Optional, is the key if it is not set.
	// The keys are then names in configuration and state only: renaming one sends
	// nothing. Without it, the key identifies the object.
	IdentifiedBy []string

	// Default is the value of an Optional attribute that is not set: a string,
	// an int64, a bool, or an empty Tree for an object that means something without attributes; for a Nullable Local attribute, what an import has, and for a Computed value,
	// what it is as long as the server has not told it, a Tree. nil is the empty value of the type, which plans do not show.
	Default any
	// DefaultFrom is the value of an Optional attribute that is not set where it follows
	// from the other attributes of its object, unknown as long as they are; a value without a
	// type if it does not. May be nil.
	DefaultFrom func(siblings map[string]Value) Value
	// SemanticEquality reports whether two strings, or two strings in maps or lists, are
	// equal to the server; nil: only identical strings are.
	SemanticEquality SemanticEquality
	// SameAsEmpty names a sibling attribute. If this attribute has the same
	// value as its sibling, it is semantically equal to "": it refers to the
	// object itself.
	SameAsEmpty string
	// Replace declares which changes need a replacement; the zero value: none.
	Replace Replace
	// Generate generates the value of a ServerDefault string on create. A
	// generated id allows a lookup after a lost response.
	Generate func(Reader) string

	// SetByOthers marks a top-level ServerDefault attribute that other clients
	// may set at any time. If the configuration does not set it, an update
	// neither sends nor compares it.
	SetByOthers bool

	// Sensitive hides the value in plans.
	Sensitive bool
	// WriteOnly adds a write-only alternative to a string: NAME_wo, and
	// NAME_wo_version, which must change whenever the string does. ToWire reads
	// NAME, whichever of the two is configured. See
	// KeepImportedSecrets for values that an import has read. The string itself is
	// sensitive, unless it is Readable.
	WriteOnly bool
	// Readable is set for a string with a write-only alternative that plans show,
	// since a reviewer has to see what changes in it.
	Readable bool
	// Alternatives are sibling attributes of a Nullable string with a write-only
	// alternative: exactly one of them and the string is set. If none is set, the
	// configuration leaves the string out, see KeepImportedSecrets; otherwise null is
	// its value.
	Alternatives []string
	// NotReturned marks values that the server never returns. The state keeps
	// the sent value; after an import it is null.
	NotReturned bool
	// Local marks settings of the resource that the server does not have, such
	// as whether to wait. Changing them sends no request. After an import, a
	// difference in them is no change until the first update of other attributes.
	Local bool
	// Refused is set for a Nullable attribute that no configuration may set, though
	// users expect it: why, and what to do instead. Terraform would drop an
	// attribute that is not in the schema without a word.
	Refused string
	// Since are the values that Kuscia supports since one of its versions.
	Since []Since
	// Effect is what a change does, for the page of the resource, where Replace and
	// Local do not tell it.
	Effect string
	// Volatile marks a Computed attribute that an update may change; other
	// computed attributes keep their value.
	Volatile bool
}

// Schema declares a whole object.
type Schema struct {
	// Description is Markdown for users.
	Description string
	Attributes  []Attribute
	// Update is what an update in place does, for the page of the resource; empty:
	// EffectInPlace.
	Update string
	// DataSource are the Computed attributes that only data sources of the object have. A Tree may
	// have them for a resource too.
	DataSource []Attribute
	// PartOf is the definition of which this one has a part: a Tree may have all names of that.
	// May be nil.
	PartOf *Definition
	// Timeouts adds the attribute timeouts.
	Timeouts Timeouts
	// Derive computes Computed values from an object, and ServerDefault ones that are
	// unknown; they are unknown while their inputs are. prior is the prior state or null. For an object that
	// equals the prior state, Derive must return the values of the prior state.
	// May be nil.
	Derive func(value, prior Value) map[string]Value
}

// Has reports whether a top-level attribute is declared.
func (s Schema) Has(name string) bool {
	return slices.ContainsFunc(s.Attributes, func(a Attribute) bool { return a.Name == name })
}
