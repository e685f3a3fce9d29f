// Package deployment is kuscia_deployment: the resource, its data sources and
// its list resource. It manages KusciaDeployments, the Kubernetes objects that
// Kuscia creates for servings, through the Kubernetes API.
//
// schema.go is the single definition of the attributes. request.go builds
// the object to apply, in the form that Kuscia's controller does not rewrite,
// and response.go reads an object. Whether a deployment runs is determined from
// the Deployments of its parties (package party), never from its phase, which
// does not show a failed update.
package deployment
