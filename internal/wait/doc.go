// Package wait waits for servings: one poller for the whole process asks
// the batch status of every serving that is waited for, and a verdict says
// whether a serving runs as asked. It knows Kuscia and nothing of Terraform.
//
// Kuscia's state alone does not tell. After an update the old Available is
// still answered for up to 0.3 s, with no generation beside it; during a
// rollout the state is Available while old pods serve, or while there are more
// pods than wanted; and an update that Kuscia could not apply leaves the state
// Available for ever (observed on Kuscia v1.1). So the verdict looks at the
// pod numbers of every party.
//
// What cannot be told from the status: an update that Kuscia could not apply
// and that leaves the number of pods as it was. The old pods then look exactly
// like new ones.
package wait
