// Package deployment is kuscia_deployment: the resource, its data sources and its
// list resource. It manages KusciaDeployments, the Kubernetes objects that
// servings become, through the Kubernetes API.
//
// What a deployment is made of is said once, in definition.go. request.go makes
// the object that is applied, in the form that Kuscia's controller does not
// rewrite, and response.go reads one. Whether a deployment runs is told by the
// Deployments of its parties (package party), never by its phase, which shows no
// failure of an update.
package deployment
