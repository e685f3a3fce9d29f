// Package datagrant is kuscia_domain_data_grant: the resource, the list
// resource and the data sources kuscia_domain_data_grant and
// kuscia_domain_data_grants.
//
// What is particular: an update replaces all that it does not name, so that it
// is always sent whole; description, signature and the initiator of the limit
// are never returned; and the phase is old after a change, so that it is no
// attribute of the resource, only of the data sources.
package datagrant
