// Package wait waits for servings: one poller for the whole process asks
// the batch status of every serving that is waited for, and a verdict says
// whether a serving runs as asked. It knows Kuscia and nothing of Terraform.
//
// Kuscia's state alone does not tell. After an update the old Available is
// still answered, for up to 0.3 s on an idle control plane and for as long as
// its controllers lag on another, with no generation beside it; during a
// rollout the state is Available while old pods serve, or while there are more
// pods than desired; and an update that Kuscia could not apply leaves the state
// Available for ever (observed on Kuscia v1.1). So the verdict looks at the
// pod numbers of every party, and where an update replaces the pods of a party
// whose numbers were right before it, these count only once its rollout was
// seen to begin:
//
//   - pods of another version than the Deployment's, which every gradual
//     rollout shows until its last old pod is gone;
//   - no available pod, where the strategy lets all old ones go at once;
//   - another Deployment, or none.
//
// A pod that crashes in the meantime is no evidence. Right numbers of a party
// whose numbers were others before the update are.
//
// Where the pods themselves can be looked at, Evidence shows what they were made
// from, and nothing is guessed: what it does not show is not done.
//
// What cannot be told from the status: an update that Kuscia could not apply,
// or of which nothing reaches the pods, from one that is still to begin. Right
// numbers then count after BeginTime, and the result says so. Nor can the end of
// an earlier rollout be told from that of the update, where the update came in
// the middle of it.
package wait
