// Package serving is kuscia_serving: the resource, its data source and the redeploy
// action. It decodes, calls, waits and saves; the rules are pure functions in the
// packages below it:
//
//   - model: the serving as Terraform holds it, its private state, and the way from
//     Terraform's values and Kuscia's wire types and back
//   - plan: what a difference between configuration and state becomes, what is
//     refused, and the requests
//   - refresh: what an answer of Kuscia becomes in the state
//   - rollout: what an update has to reach until it is done, and what the pods were
//     made from
//   - status: the data source kuscia_serving_status
//   - servingtest: servings, random servings and checks for the tests of all of them
package serving
