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

// Presence says who gives an attribute its value.
type Presence int

// The presences.
const (
	// Required: the configuration.
	Required Presence = iota
	// Optional: the configuration; left out it stands for its default, which
	// plan and state then hold.
	Optional
	// Nullable: the configuration; left out is a value of its own, null. A
	// probe that is absent differs from one with nothing in it.
	Nullable
	// ServerDefault: the configuration; left out, the server (or
	// Attribute.Generate) chooses once, and the object keeps that.
	ServerDefault
	// Computed: the server, or Schema.Derive.
	Computed
)

// Attribute is the one row that declares an attribute. Its name is the API's
// wherever possible.
type Attribute struct {
	Name     string
	Type     Type
	Presence Presence
	// Description is Markdown, for users.
	Description string
	// Attributes are those of an object, or of each object of a list.
	Attributes []Attribute

	// Default is what an Optional attribute stands for when it is left out: a
	// string, an int64 or a bool. nil is the empty value of the type.
	Default any
	// Meaning says when two texts, or those of a map, are the same; nil is to the
	// letter.
	Meaning Meaning
	// SameAsEmpty names an attribute beside this text whose value, as this
	// one's, says the same as "": a reference to the object itself.
	SameAsEmpty string
	// Replace says which differences cannot be made in place; the zero value is
	// none.
	Replace Replace
	// Generate makes the value of a ServerDefault text at create, so that an
	// answer that is lost can be looked up by it.
	Generate func(Reader) string

	// SetByOthers marks a ServerDefault attribute of the object itself that others
	// may set at any time: left out, an update neither sends nor compares it.
	SetByOthers bool

	// Sensitive values are hidden in plans.
	Sensitive bool
	// WriteOnly adds a second form of a text that is kept in no state and plan:
	// NAME_wo, and NAME_wo_version, which says that the text changes. The wire
	// mapping sees NAME, whichever form is configured.
	WriteOnly bool
	// NotReturned values are never returned by the server. The state keeps what was
	// sent; after an import nothing is known of them.
	NotReturned bool
	// Local values are not the server's at all, such as whether to wait: the
	// state keeps them, and a change of them sends nothing.
	Local bool
	// Volatile marks a Computed attribute that an update of the object may
	// change; others keep their value once they have one.
	Volatile bool
}

// Schema is a whole object.
type Schema struct {
	// Description is Markdown, for users.
	Description string
	Attributes  []Attribute
	// Derive makes Computed values out of a complete object, unknown as long as
	// what they depend on is. prior is the state before, null if there is none.
	// Of a value that is the prior state it makes what is there already. May be
	// nil.
	Derive func(value, prior Value) map[string]Value
}
