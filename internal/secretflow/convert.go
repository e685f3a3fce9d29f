package secretflow

import (
	"math"
	"strconv"
	"strings"
)

// jsonFailed begins what the application says of a text that its parser refuses.
const jsonFailed = "json to pb failed, msg:INVALID_ARGUMENT:"

// codeJSON is the application's code for it (DESERIALIZE_FAILED).
const codeJSON = 9

// step is a step of a path: the key as written, and the name in protobuf or, for an entry of a map,
// its index. The key of an entry that is given twice is not part of the path.
type step struct {
	name, proto string
	entry       bool
	index       int
}

// converter reads a tree as a message, and collects what the application refuses.
type converter struct {
	problems
	steps []step
	// secret is set within a message whose values may be secrets.
	secret bool
}

// path is the path of JSON keys of the current place and further names.
func (c *converter) path(names ...string) string {
	all := make([]string, 0, len(c.steps)+len(names))
	for _, s := range c.steps {
		if s.name != "" {
			all = append(all, s.name)
		}
	}
	return strings.Join(append(all, names...), ".")
}

// named is the path with a star for each key that only the text has.
func (c *converter) named() string {
	all := make([]string, 0, len(c.steps))
	for _, s := range c.steps {
		if s.entry {
			all = append(all, "*")
		} else {
			all = append(all, s.name)
		}
	}
	return strings.Join(all, ".")
}

// part is the key of partyConfigs that the current place is in, or "".
func (c *converter) part() string {
	if len(c.steps) > 1 && c.steps[1].entry && c.steps[0].proto == servingConfig.byName[fieldPartyConfigs].proto {
		return c.steps[1].name
	}
	return ""
}

// protoPath is the path that the parser of protobuf 21 shows.
func (c *converter) protoPath() string {
	var out strings.Builder
	for i, s := range c.steps {
		switch {
		case s.entry:
			out.WriteString("[" + strconv.Itoa(s.index) + "]")
			if s.name != "" {
				out.WriteString(".value")
			}
		case i > 0:
			out.WriteString("." + s.proto)
		default:
			out.WriteString(s.proto)
		}
	}
	return out.String()
}

// refuse adds a problem at the current place or, with a name, at a key in it. says is what the
// parser says after the path.
func (c *converter) refuse(name, what, allowed, says string, versions Versions) {
	c.add(c.problem(name, what, allowed, says, versions))
}

func (c *converter) problem(name, what, allowed, says string, versions Versions) Problem {
	p := Problem{
		Place: InText, Path: c.path(), Named: c.named(), Part: c.part(), What: what, Allowed: allowed,
		Answers: []Answer{{Versions: versions, Stage: StageParse, Code: codeJSON, Text: c.answer(name, says)}},
	}
	if name != "" {
		p.Path = c.path(name)
	}
	return p
}

// answer is what the application says of the current place or, with a name, of a key in it.
func (c *converter) answer(name, says string) string {
	path := c.protoPath()
	if path != "" {
		path = "(" + path + ")"
		if name != "" {
			path += " "
		}
	}
	return jsonFailed + path + name + ": " + says
}

// message reads the members of an object as the fields of a message.
func (c *converter) message(m *message, object *node) {
	outer := c.secret
	c.secret = outer || m.secret
	defer func() { c.secret = outer }()
	set := map[string]string{} // the member of each group
	for i := range object.nodes {
		if c.isFull() {
			return
		}
		member := &object.nodes[i]
		f, known := m.byName[member.name]
		if !known {
			c.refuse(member.name, "The application has no such field.", m.similar(member.name), "Cannot find field.", allVersions)
			c.all[len(c.all)-1].unread = noneHas + "this field."
			continue
		}
		if missing := allVersions &^ f.versions; missing != 0 {
			c.refuse(member.name, "The application has this field since "+f.versions.first()+".", "", "Cannot find field.", missing)
		}
		if f.oneof != "" && member.kind != nullNode {
			if first, is := set[f.oneof]; is {
				c.refuse("", "Only one of "+first+" and "+f.name+" can be set.", "", "invalid value oneof field '"+f.oneof+"' is already set. Cannot set '"+member.name+"' for type oneof", allVersions)
				continue
			}
			set[f.oneof] = f.name
		}
		c.field(f, member)
	}
}

// field reads a member as a field.
func (c *converter) field(f *field, member *node) {
	if member.kind == nullNode || f.kind == isAny {
		return
	}
	switch {
	case f.kind == isMap && member.kind == listNode:
		c.refuse("", "The field "+f.name+" has to be an object.", "", "invalid value Cannot bind a list to map for field '"+f.name+"'. for type Map", allVersions)
		c.all[len(c.all)-1].Path = c.path(member.name)
		return
	case f.repeated && member.kind == listNode:
		c.steps = append(c.steps, step{name: member.name, proto: f.proto})
		for i := range member.nodes {
			if member.nodes[i].kind != nullNode {
				c.value(f, &member.nodes[i])
			}
		}
		c.steps = c.steps[:len(c.steps)-1]
		return
	case member.kind == listNode:
		c.refuse(member.name, "A list is not allowed here.", f.allowed(), "Proto field is not repeating, cannot start list.", allVersions)
		return
	}
	c.steps = append(c.steps, step{name: member.name, proto: f.proto})
	c.value(f, member)
	c.steps = c.steps[:len(c.steps)-1]
}

// value reads a value that is neither null nor, but within a list, a list.
func (c *converter) value(f *field, v *node) {
	switch f.kind {
	case isMessage:
		if v.kind != objectNode {
			c.invalid(f, v, "type.googleapis.com/"+f.of.name)
			return
		}
		c.message(f.of, v)
	case isMap:
		c.entries(f, v)
	case isString:
		if v.kind != stringNode {
			c.invalid(f, v, "TYPE_STRING")
		}
	case isInt32:
		if !v.isInt32() {
			c.invalid(f, v, "TYPE_INT32")
		}
	case isBool:
		// A quoted truth value is not known to be refused by every version.
		if v.kind != boolNode && v.text != "true" && v.text != "false" {
			c.invalid(f, v, "TYPE_BOOL")
		}
	case isEnum:
		c.enum(f, v)
	case isAny:
	}
}

// anyString is the value of a map of strings.
var anyString = text("")

// entries reads an object as a map.
func (c *converter) entries(f *field, object *node) {
	if object.kind != objectNode {
		c.invalid(f, object, "Map")
		return
	}
	seen := make(map[string]bool, len(object.nodes))
	for i := range object.nodes {
		if c.isFull() {
			return
		}
		entry := &object.nodes[i]
		if seen[entry.name] {
			c.steps = append(c.steps, step{entry: true, index: len(seen) - 1})
			c.refuse(entry.name, "The key is given twice.", "", "Repeated map key: '"+entry.name+"' is already set.", allVersions)
			c.steps = c.steps[:len(c.steps)-1]
			continue
		}
		c.steps = append(c.steps, step{name: entry.name, entry: true, index: len(seen)})
		switch {
		case entry.kind == nullNode:
		case f.of == nil:
			c.value(&anyString, entry)
		case entry.kind == objectNode:
			c.message(f.of, entry)
		default:
			c.invalid(&field{kind: isMessage, of: f.of}, entry, "type.googleapis.com/"+f.of.name)
		}
		seen[entry.name] = true
		c.steps = c.steps[:len(c.steps)-1]
	}
}

// enum reads the name or the number of a value.
func (c *converter) enum(f *field, v *node) {
	if v.kind == stringNode {
		for _, known := range f.values.values {
			if known.name != v.text {
				continue
			}
			if missing := allVersions &^ known.versions; missing != 0 {
				c.invalidIn(f, v, "type.googleapis.com/"+f.values.name, "The application has this value since "+known.versions.first()+".", missing)
			}
			return
		}
	}
	if !v.isInt32() {
		full := c.isFull()
		c.invalid(f, v, "type.googleapis.com/"+f.values.name)
		if v.kind == stringNode && !full {
			c.all[len(c.all)-1].unread = noneHas + "this value."
		}
	}
}

// invalid refuses a value of another type.
func (c *converter) invalid(f *field, v *node, typeName string) {
	c.invalidIn(f, v, typeName, "The value is not allowed.", allVersions)
}

func (c *converter) invalidIn(f *field, v *node, typeName, what string, versions Versions) {
	says, shown := "", "" // of objects and lists it is not recorded
	if v.kind != objectNode && v.kind != listNode {
		says, shown = "invalid value "+v.written()+" for type "+typeName, "invalid value ... for type "+typeName
	}
	p := c.problem("", what, f.allowed(), says, versions)
	p.Answers[0].Shown = c.answer("", shown)
	if c.shows(f, v) {
		p.Quote = v.quoted()
	}
	c.add(p)
}

// shows reports whether a value that is refused may be shown: not what is within a message with
// secrets or has a key of the user, and nothing where an object with anything belongs.
func (c *converter) shows(f *field, v *node) bool {
	switch {
	case v.kind == objectNode || v.kind == listNode:
		return true
	case c.secret || f == &anyString:
		return false
	}
	return f.kind != isMessage && f.kind != isMap
}

// quoted is a value as it is shown.
func (v *node) quoted() string {
	if v.kind == stringNode {
		return quote(v.text)
	}
	return bounded(v.written())
}

// maxQuote bounds what is quoted of a text, in characters.
const maxQuote = 64

func quote(text string) string { return strconv.Quote(bounded(text)) }

func bounded(text string) string {
	if runes := []rune(text); len(runes) > maxQuote {
		return string(runes[:maxQuote]) + "..."
	}
	return text
}

// allowed says which values a field takes.
func (f *field) allowed() string {
	switch f.kind {
	case isString:
		return "A string is allowed."
	case isInt32:
		return "A whole number that fits into 32 bits is allowed."
	case isBool:
		return "true or false is allowed."
	case isEnum:
		var names []string
		for _, v := range f.values.values {
			if v.number != 0 || !strings.HasPrefix(v.name, "INVALID_") {
				names = append(names, v.name)
			}
		}
		return "Allowed are " + strings.Join(names, ", ") + "."
	case isMessage, isMap, isAny:
	}
	return "An object is allowed."
}

// written is a value as the parser quotes it.
func (v *node) written() string {
	switch v.kind {
	case stringNode:
		return `"` + v.text + `"`
	case objectNode:
		return "an object"
	case listNode:
		return "a list"
	case nullNode:
		return "null"
	case boolNode, numberNode:
	}
	return v.text
}

// isInt32 reports whether a value is a number that fits, also as a string.
func (v *node) isInt32() bool {
	if v.kind != numberNode && v.kind != stringNode {
		return false
	}
	n, ok := parseNumber(v.text)
	return ok && n == math.Trunc(n) && n >= math.MinInt32 && n <= math.MaxInt32
}

// parseNumber parses a decimal number.
func parseNumber(text string) (float64, bool) {
	if text == "" || strings.Trim(text, "0123456789+-.eE") != "" || len(text) > 400 {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

// first names the first of some versions.
func (v Versions) first() string { return strings.TrimSuffix(v.String(), " and later") }

// similar suggests the field whose name differs in case, dashes and underscores only.
func (m *message) similar(name string) string {
	fold := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s))
	}
	for i := range m.fields {
		if fold(m.fields[i].name) == fold(name) {
			return "It is called " + m.fields[i].name + "."
		}
	}
	if len(m.fields) == 0 {
		return "No field is allowed here."
	}
	names := make([]string, len(m.fields))
	for i := range m.fields {
		names[i] = m.fields[i].name
	}
	return "Allowed are " + strings.Join(names, ", ") + "."
}
