// Package servingstatus has the statuses of servings. One Poller for a whole run queries the batch
// status of every serving whose wait asks for it, those that are about to start a rollout first and
// most often. Wait is the probe of one wait, and LookAt looks once; both ask package judge whether a
// serving runs as specified, with what StateOf makes of a status. If the Deployments can be read, a
// DeploymentObserver reports what the pods were created from.
// The package depends on Kuscia and not on Terraform.
package servingstatus
