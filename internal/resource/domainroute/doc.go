// Package domainroute implements the resource and data source
// kuscia_domain_route: a route from one domain to another.
//
// The KusciaAPI cannot change a route, so every change replaces it. It names a
// route SOURCE-DESTINATION, so two pairs of domains can have the same name; see
// pair.go.
package domainroute
