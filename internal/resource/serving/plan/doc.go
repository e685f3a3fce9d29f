// Package plan decides the effect of a configuration on a serving: the planned
// state and what replaces it (plan.go, party_change.go), what is rejected
// (validate.go always, check.go in a plan, image_check.go against app images),
// and the requests (request.go). It makes no requests.
package plan
