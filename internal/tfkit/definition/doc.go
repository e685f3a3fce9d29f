// Package definition describes objects of an API for Terraform: each attribute
// is declared once, in one row (Attribute), with its type, its default, its
// semantic equality, whether a change replaces the object, and its description. The
// framework's schemas are made from these rows, and plans, refreshes, differences
// and requests are computed from them.
//
// It depends on Terraform's libraries and on no API. tfkit/crud makes resources, data sources
// and list resources of it.
package definition
