// Package rollout implements the support for OpenKruise Rollouts, which release
// new versions of a workload step by step: the resource kuscia_rollout with its
// data source, kuscia_traffic_routing, and the approval of a step as an action
// and as a resource. All but the approvals are built with tfkit/crud. The logic
// specific to Rollouts is in guard.go, which checks the cluster before a
// change, and in approval.go.
package rollout
