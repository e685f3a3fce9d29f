// Package cluster simulates the part of Kubernetes that Kuscia uses: a store of
// objects with versions, Deployments with their ReplicaSets and pods, Services,
// and their validation; and the durations of their steps.
package cluster
