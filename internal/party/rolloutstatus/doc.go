// Package rolloutstatus says how far the Deployments of a KusciaDeployment are, as
// kubectl rollout status does of one Deployment: it asks the cluster for them, and
// package party judges. A serving is a KusciaDeployment, too.
package rolloutstatus
