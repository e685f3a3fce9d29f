// Package kruise has the objects of OpenKruise Rollouts as they are on the
// wire: Rollout and TrafficRouting, in the form that their controller does not
// rewrite, and what the status of a Rollout says about a release. It sends
// nothing.
package kruise
