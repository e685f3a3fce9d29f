package definition

// Type is the shape of an attribute's values.
type Type int

// The types.
const (
	Text       Type = iota // string
	Number                 // whole number
	Bool                   // truth value
	TextList               // list of strings
	TextMap                // map of strings
	Object                 // nested object
	ObjectList             // list of nested objects
)

// Presence says where the value of an attribute comes from.
type Presence int

// The presences.
const (
	// Required: the configuration.
	Required Presence = iota
	// Optional: the configuration; left out, plan and state have its default.
	Optional
	// Nullable: the configuration; left out it is null, which differs from an empty
	// value, as a probe that is absent differs from one without attributes.
	Nullable
	// ServerDefault: the configuration; left out, the server (or
	// Attribute.Generate) chooses a value at create, and the object keeps it.
	ServerDefault
	// Computed: the server, or Schema.Derive.
	Computed
)

// Attribute is the declaration ("row") of an attribute. Its name is the API's
// wherever possible.
type Attribute struct {
	Name     string
	Type     Type
	Presence Presence
	// Description is Markdown, for users.
	Description string
	// Attributes are those of an object, or of each object of a list.
	Attributes []Attribute

	// Default is the value of an Optional attribute that is left out: a string, an
	// int64 or a bool. nil is the empty value of the type.
	Default any
	// SemanticEquality says when two strings, or those of a map, are equal to the
	// server; nil: only if they are identical.
	SemanticEquality SemanticEquality
	// SameAsEmpty names a sibling attribute. A value of this attribute that equals the
	// sibling's is semantically equal to "": it refers to the object itself.
	SameAsEmpty string
	// Replace says which changes need a replacement; the zero value: none.
	Replace Replace
	// Generate makes the value of a ServerDefault string at create, so that the object
	// can be looked up by it after a lost response.
	Generate func(Reader) string

	// SetByOthers marks a ServerDefault attribute of the object itself that others
	// may set at any time: left out, an update neither sends nor compares it.
	SetByOthers bool

	// Sensitive values are hidden in plans.
	Sensitive bool
	// WriteOnly adds a write-only alternative to a string: NAME_wo, and
	// NAME_wo_version, whose change says that the string changes. The conversion to
	// the wire type reads NAME, whichever of the two is configured. See KeepObserved
	// for what an import has read of it.
	WriteOnly bool
	// NotReturned values are never returned by the server. The state keeps what was
	// sent; after an import they are null.
	NotReturned bool
	// Local values are settings of the resource that the server does not have, such
	// as whether to wait: a change of them sends nothing.
	Local bool
	// Volatile marks a Computed attribute that an update of the object may
	// change; others keep their value once they have one.
	Volatile bool
}

// Schema declares a whole object.
type Schema struct {
	// Description is Markdown, for users.
	Description string
	Attributes  []Attribute
	// Derive computes Computed values from an object, unknown as long as what they
	// depend on is. prior is the prior state, null if there is none. For a value that
	// equals the prior state it must return what that state has. May be nil.
	Derive func(value, prior Value) map[string]Value
}
