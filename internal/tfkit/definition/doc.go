// Package definition describes objects of an API for Terraform: each attribute
// is declared once, in one row (Attribute), with its type, what it stands for
// when it is left out, when two values of it mean the same, whether a change
// replaces the object, and its description. The framework's schemas and all
// that has to be decided about values follow from the rows: plans, refreshes,
// differences, and what may be sent.
//
// It knows Terraform and no product. tfkit/crud makes resources, data sources
// and list resources of it.
package definition
