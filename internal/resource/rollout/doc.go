// Package rollout is what the provider has for OpenKruise Rollouts, which
// release new versions of a workload step by step: the resource kuscia_rollout
// with its data source, kuscia_traffic_routing, and the approval of a step as an
// action and as a resource. All but approvals are made by tfkit/crud; what is
// particular to a Rollout is in guard.go, which looks at the cluster before a
// change, and in approve.go.
package rollout
