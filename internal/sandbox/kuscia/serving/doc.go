// Package serving simulates servings and Kuscia's controller of them, which makes
// Services and Deployments in the cluster.
package serving
