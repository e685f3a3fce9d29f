// Package domainroute is the resource and data source kuscia_domain_route: a way
// from one domain to another.
//
// The KusciaAPI cannot change a route, so that every difference replaces it, and
// it names a route by source and destination with a dash between them, so that
// two pairs of domains can share a name; see pair.go.
package domainroute
