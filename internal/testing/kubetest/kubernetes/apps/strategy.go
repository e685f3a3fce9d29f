// Package apps has the types whose printed form is in messages of Kubernetes'
// validation, under the names that they have there.
package apps

// DeploymentStrategy is printed for a type that is not supported.
type DeploymentStrategy struct {
	Type          string
	RollingUpdate *RollingUpdateDeployment
}

// RollingUpdateDeployment is printed as an address.
type RollingUpdateDeployment struct{}
