// Package serving simulates servings and their controller, which creates
// Services and Deployments in the cluster.
package serving
