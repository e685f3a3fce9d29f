// Package serving is kuscia_serving: the resource, its data source and the
// batch status data source.
//
// The rules are pure functions: defaults.go (what a left out attribute means),
// resources.go and equal.go (when two spellings mean the same), plan.go (what
// a difference becomes), validate.go and preflight.go (what is refused),
// request.go and response.go (model to wire and back). resource.go and
// modify_plan.go only decode, call, wait and save.
package serving
