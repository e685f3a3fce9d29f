// Package journal notes the creates that are under way, in a file of the user
// for each. When the process is killed before Terraform has the new object in
// its state, the note stays, and the next create of the same content knows that
// the object it finds is its own.
//
// All of it is best effort: where nothing can be written it is as if there were
// no journal, and only the log says so.
package journal
