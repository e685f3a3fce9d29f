// Package edgedeployment is kuscia_edge_deployment: the resource, its data
// sources and its list resource. It manages application deployments on edge
// nodes of Huawei Cloud's Intelligent EdgeFabric, through the versions v3 and v2
// of its API.
//
// What a deployment is made of is said once, in definition.go: schema, default
// and meaning of each attribute. The rules are pure functions over such values:
// request.go, response.go, plan.go, check.go and rollout.go.
package edgedeployment
