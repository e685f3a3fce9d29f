// Package servingstatus has the statuses of servings. One Poller for a whole run queries the batch
// status of every serving whose wait asks for it, those that are about to start a rollout first and
// most often. Wait is the probe of one wait, and Evaluate decides whether a serving runs as specified.
// It depends on Kuscia and not on Terraform.
//
// The state of a serving is not enough. After an update Kuscia still returns the
// old state Available, for up to 0.3 s on an idle control plane and for as long
// as its controllers lag on a busy one, and it has no observedGeneration. During
// a rollout the state is Available while old pods serve, or while there are more
// pods than desired. An update that Kuscia could not apply leaves the state
// Available forever (observed on Kuscia v1.1). Evaluate therefore compares the
// replica counts of every party. If an update replaces the pods of a party whose
// replica counts were as desired before the update too, they are accepted only
// after the start of its rollout has been observed, which is one of:
//
//   - pods of another version than the Deployment's, which exist during every
//     gradual rollout until its last old pod is deleted;
//   - no available pod, if the strategy allows all old ones to be deleted at
//     once;
//   - another Deployment, or none.
//
// A pod that crashes during that time is none of these. For a party whose replica
// counts differed from the desired ones before the update, the desired counts are
// enough.
//
// If the Deployments can be read, a DeploymentObserver reports what the pods were
// created from, and nothing is inferred: a party is done only if the observer
// reports it as done.
//
// In the status alone, an update that Kuscia could not apply, or that changes no
// pod, cannot be distinguished from one whose rollout has not started yet. The
// desired replica counts are then accepted after StartTimeout, and the result
// lists these parties. The status also does not distinguish the end of an earlier
// rollout from the end of an update made during it.
package servingstatus
