package versions

import "fmt"

// Need is a feature that a configuration or a request needs.
type Need struct {
	Feature
	// Without is what a Kuscia without it does, for a sentence that goes on after
	// its version: "which would store the route without TLS". May be "".
	Without string
	// Instead is what can be done besides the use of a newer Kuscia: "set is_tls =
	// false". May be "".
	Instead string
}

// IsZero reports whether nothing is needed.
func (n Need) IsZero() bool { return n.Name == "" }

// Text explains that a version does not have the feature; an unknown one is that of a Kuscia that
// was seen not to have it.
func (n Need) Text(v Version) string {
	which := "older"
	if v.Known() {
		which = v.String()
	}
	text := fmt.Sprintf("%s needs Kuscia %s, and this one is %s", n.What, n.Needs(), which)
	if n.Without != "" {
		text += ", " + n.Without
	}
	text += ". Use a newer Kuscia"
	if n.Instead != "" {
		text += ", or " + n.Instead
	}
	return text + "."
}

// Named is the feature with another subject of its sentences.
func (f Feature) Named(what string) Feature {
	f.What = what
	return f
}
