// Package rollout decides when the last update of a serving is complete: the
// target of a wait (target.go), how a refresh evaluates its single response
// (pending_rollout.go), and from what the pods of each party were created (deployed.go).
package rollout
