// Package wait waits for servings: one poller for the whole process asks
// the batch status of every serving that is waited for, and Verdict decides
// whether a serving runs as specified. It knows Kuscia and nothing of Terraform.
//
// The state of a serving is not enough. After an update Kuscia still answers
// with the old Available, for up to 0.3 s on an idle control plane and as long
// as its controllers lag on a busy one, and shows no observedGeneration; during
// a rollout the state is Available while old pods serve, or while there are more
// pods than desired; and an update that Kuscia could not apply leaves the state
// Available for ever (observed on Kuscia v1.1). So Verdict compares the replica
// counts of every party. Where an update replaces the pods of a party whose
// replica counts were as desired before the update too, they count only once its
// rollout was seen to begin, which is shown by:
//
//   - pods of another version than the Deployment's, which every gradual
//     rollout shows until its last old pod is gone;
//   - no available pod, where the strategy lets all old ones go at once;
//   - another Deployment, or none.
//
// A pod that crashes in the meantime does not show it. For a party whose replica
// counts differed from the desired ones before the update, the desired counts are
// enough.
//
// Where the Deployments can be read, Evidence shows what the pods were created
// from, and nothing is inferred: a party counts as done only if it says so.
//
// From the status alone, an update that Kuscia could not apply, or that changes no
// pod, looks like one whose rollout has not begun yet: the desired replica counts
// then count after BeginTime, and the result says so. Nor does the status tell the
// end of an earlier rollout from that of an update made in the middle of it.
package wait
