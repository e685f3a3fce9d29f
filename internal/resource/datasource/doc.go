// Package datasource is kuscia_domain_data_source: the resource, the list
// resource and the data sources kuscia_domain_data_source and
// kuscia_domain_data_sources.
//
// What is particular: only the node of a domain may change its data sources and
// see how the data are reached; how they are reached is replaced as a whole, so
// that every update resends the keys; and the way from a key of the node's
// configuration back to own information has two steps.
package datasource
