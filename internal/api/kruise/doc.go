// Package kruise has the wire types of OpenKruise Rollouts: Rollout and
// TrafficRouting, in the canonical form that their controller does not rewrite,
// and the interpretation of the status of a Rollout. It sends no requests.
package kruise
