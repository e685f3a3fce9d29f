// Package manifest is about the custom resources in which Kuscia stores objects: what the KusciaAPI
// carries of a specification, what else it has, and how a change through the Kubernetes API keeps the
// rest.
package manifest
