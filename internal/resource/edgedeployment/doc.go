// Package edgedeployment is kuscia_edge_deployment: the resource, its data
// sources and its list resource. It manages application deployments on edge
// nodes of Huawei Cloud's Intelligent EdgeFabric, through the versions v3 and
// v2 of its API.
//
// The vendor's documents leave open which response means "does not exist", and
// whether names are unique. Here HTTP 404 with a code of IEF does, and after a
// 400 the list decides; a name that exists is an error before anything is sent.
// Instances of v2 are assumed to have the states of v3.
//
// schema.go is the single definition of the schema, the default and the
// meaning of each attribute. The rules are pure functions on such values:
// request.go, response.go, plan.go, check.go and rollout.go.
package edgedeployment
