// Package domain implements the resource kuscia_domain, its data sources and
// the ephemeral resource with its deploy token. The resource is built with
// tfkit/crud.
package domain
