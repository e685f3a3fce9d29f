// Package datasource is kuscia_domain_data_source: the resource, the list
// resource and the data sources kuscia_domain_data_source and
// kuscia_domain_data_sources.
//
// Only the node of a domain may change its data sources and read how the data
// are accessed. An update replaces this information as a whole, so that every
// update sends the access keys again. A change from a key of the node's
// configuration to the data source's own information takes two requests.
package datasource
