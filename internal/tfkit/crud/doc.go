// Package crud makes a resource, its data source and its list resource from a
// Spec, for objects that are created, read, updated and deleted by one call
// each, and may then start and run. A resource declares its attributes
// (tfkit/definition), the conversion to and from the wire type, its checks and
// its calls. Everything else is implemented here: plans, creates whose response
// is lost, adoption, reads after writes, write-only attributes, drift, import,
// identity, moved blocks, and the shortcuts of tfkit/fastpath.
package crud
