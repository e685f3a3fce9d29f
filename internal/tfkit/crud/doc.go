// Package crud makes a resource, its data source and its list resource from a
// Spec, for objects that are created, read, updated and deleted by one call each,
// without a rollout. A resource declares its attributes (tfkit/definition), the
// conversion to and from the wire type, its checks and its calls; everything else
// is implemented here once: plans, creates whose response is lost, adoption,
// reading back, write-only attributes, drift, import, identity, moved blocks, and
// the shortcuts of tfkit/fastpath.
package crud
