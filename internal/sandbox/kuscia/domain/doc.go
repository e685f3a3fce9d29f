// Package domain simulates domains and their objects: nodes, routes, data, data
// sources, grants, the configuration of nodes, certificates. They are one
// package because they share their controllers.
package domain
