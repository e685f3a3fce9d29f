// Package rules has the rules of kuscia_serving, as functions that make no requests:
//
//   - the serving in Terraform: its attributes (schema.go), and views of its value (serving.go,
//     party.go, resources.go), its private state (private.go), and the conversions from and to
//     Kuscia's types (wire.go, resources_wire.go)
//   - a plan: what a configuration changes (plan.go, party_change.go, images.go), whose pods it
//     replaces (pod_revision.go), what is rejected (validate.go always, check.go in a plan,
//     image_check.go against app images), and the requests (request.go, follow.go)
//   - a refresh: the state after a response of Kuscia (refresh.go, differences.go)
//   - a rollout: when the last update is complete (target.go, pending_rollout.go), and from
//     what the pods of each party were created (deployed.go, origin.go)
//
// What is unknown in a configuration stays unknown everywhere.
package rules
