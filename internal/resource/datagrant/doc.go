// Package datagrant implements kuscia_domain_data_grant: the resource, the list
// resource and the data sources kuscia_domain_data_grant and
// kuscia_domain_data_grants.
//
// An update replaces all fields, so it always contains the whole grant. The
// server never returns description, signature and the initiator of the limit.
// After a change the phase is outdated, so it is an attribute of the data
// sources, but not of the resource.
package datagrant
