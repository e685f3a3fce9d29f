// Package domain has the resource kuscia_domain, its data sources and the
// ephemeral resource with its deploy token. The resource is one of tfkit/crud.
package domain
