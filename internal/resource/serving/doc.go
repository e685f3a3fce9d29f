// Package serving is kuscia_serving: the resource, its data source, its list
// resource and the redeploy action. It decodes, sends requests, waits and saves; the rules are
// pure functions in the packages below it:
//
//   - model: the serving in Terraform, its private state, and the conversions
//     from and to Terraform's values and Kuscia's wire types
//   - plan: the effect of a difference between configuration and state, what is
//     rejected, and the requests
//   - refresh: the state after a response of Kuscia
//   - rollout: when an update is complete, and from what the pods were created
//   - status: the data source kuscia_serving_status
//   - versions: the versions of the objects behind Kuscia's response
//   - servingtest: servings, random servings and checks for the tests of all of
//     them
package serving
