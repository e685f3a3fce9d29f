// Package crud makes a resource, its data source and its list resource of a
// Spec: for objects that are created, asked for, updated and deleted by one
// call each, without a rollout. What a resource says of itself is its rows
// (tfkit/definition), its way to the wire and back, its checks and its calls;
// everything else is here once: plans, creates whose answer is lost, adoption,
// reading back, write-only texts, drift, import, identity, moved blocks, and
// the shortcuts of tfkit/fastpath.
package crud
