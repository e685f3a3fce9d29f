// Package rolloutstatus reads the progress of the Deployments of a
// KusciaDeployment, as kubectl rollout status does for one Deployment. It
// queries the cluster, and package party evaluates them. A serving is a
// KusciaDeployment, too. Before an update it waits until the Rollout of each
// Deployment controls it.
package rolloutstatus
