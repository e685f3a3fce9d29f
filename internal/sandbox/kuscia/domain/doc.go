// Package domain simulates domains and what belongs to them: nodes, routes, data,
// data sources, grants, the configuration of nodes, certificates. They share
// their controllers, so that they are one package.
package domain
