// Package rollout decides when the last update of a serving is done: what a wait has
// to reach (target.go), what a refresh makes of its one answer (follow.go), and what
// the pods of each party were made from (deployed.go).
package rollout
