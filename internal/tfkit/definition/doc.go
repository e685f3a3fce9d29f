// Package definition describes objects of an API for Terraform. Each attribute
// is declared once (Attribute), with its type, default, semantic equality,
// whether a change replaces the object, and description. The framework's
// schemas, plans, refreshes, differences and requests are derived from these
// declarations.
//
// It depends on Terraform's libraries and on no API, but on the table of the
// versions of Kuscia. tfkit/crud creates resources, data sources and list
// resources from it.
package definition
