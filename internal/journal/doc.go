// Package journal notes the creates whose objects the CLI may not have stored
// yet, in a file of the user for each. When the CLI or the provider is killed
// before the new object is in the state, the note stays, and the next create of
// the same content knows that the object it finds is its own.
//
// A note begins as that of a create under way, guarded by a lock of its own.
// When the create returns, the CLI has the object in memory, and not always in
// the state: OpenTofu, and Terraform with a remote state, write it when a later
// change of the state comes at least 20 seconds after the last writing, or at
// the end. So the note is settled: it names the lock of this process (a Process)
// and stays until the process ends in order. A note is interrupted when it is
// there and its lock is free.
//
// All of it is best effort: where nothing can be written it is as if there were
// no journal, and only the log says so.
package journal
