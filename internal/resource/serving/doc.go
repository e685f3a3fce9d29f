// Package serving is kuscia_serving: the resource, its data source, the batch
// status data source and the redeploy action.
//
// The rules are pure functions: defaults.go (what a left out attribute means),
// resources.go (when two lists of resources mean the same), differences.go (in
// what a serving of Kuscia is not the wanted one), plan.go (what a difference
// becomes), validate.go, judge.go and preflight.go (what is refused), request.go
// and response.go (model to wire and back). resource.go and modify_plan.go only
// decode, call, wait and save.
package serving
