// Package domaindata implements kuscia_domain_data: the resource, the list
// resource and the data sources kuscia_domain_data and kuscia_domain_data_list.
//
// The server treats a create of existing data as an update, so the provider
// first checks whether the data exists. An update keeps the fields that it
// omits, so removing a value replaces the resource. A replacement also deletes
// the grants of the data, and the plan of every replacement says so.
package domaindata
