// Package plan decides what a configuration means for a serving: the planned state
// and what replaces it (plan.go, party_change.go), what is refused (validate.go
// always, check.go in a plan, image_check.go against app images), and the requests
// (request.go). It asks nobody.
package plan
