// Package judge decides whether what was deployed runs as specified: a serving, a KusciaDeployment
// or an edge deployment. Judge is a pure function of a State, which a package that reads a server
// makes of its responses, of the Target, and of the History of earlier states. Waits, refreshes and
// warnings ask it. How long a wait goes on is up to the wait.
//
// A Deployment and the instances of an edge deployment show their specification. The status of a
// serving does not, and its state is not enough. After an update Kuscia still returns the
// old state Available, for up to 0.3 s on an idle control plane and for as long
// as its controllers lag on a busy one, and it has no observedGeneration. During
// a rollout the state is Available while old pods serve, or while there are more
// pods than desired. An update that Kuscia could not apply leaves the state
// Available forever (observed on Kuscia v1.1). Judge therefore compares the
// numbers of pods of every workload. If an update replaces the pods of a workload whose
// numbers were as desired before the update too, they are accepted only
// after the start of its rollout has been observed, which is one of:
//
//   - pods of another version than the Deployment's, which exist during every
//     gradual rollout until its last old pod is deleted;
//   - no available pod, if the strategy allows all old ones to be deleted at
//     once;
//   - another Deployment, or none.
//
// A pod that crashes during that time is none of these. For a workload whose
// numbers differed from the desired ones before the update, the desired numbers are
// enough.
//
// If the Deployments of a serving can be read, nothing is inferred: Target.NeedsProof.
//
// In the status alone, an update that Kuscia could not apply, or that changes no
// pod, cannot be distinguished from one whose rollout has not started yet. The
// desired numbers are then accepted after a time (RunsUnseen), as are those of instances that do
// not show what has changed. The status also does not distinguish the end of an earlier
// rollout from the end of an update made during it.
package judge
