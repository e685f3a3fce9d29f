// Package domaindata is kuscia_domain_data: the resource, the list resource and
// the data sources kuscia_domain_data and kuscia_domain_data_list.
//
// What is particular: a create of data that exist is an update at the server,
// so that it looks first; an update keeps what it is not given, so that
// emptying replaces; and a replacement takes the grants of the data along,
// which every replacement says.
package domaindata
