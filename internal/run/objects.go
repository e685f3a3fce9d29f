package run

import "sync"

// Fact is what this run knows of an object.
type Fact int

// The facts.
const (
	// Exists: the object was read, is in the state, or was created by this run.
	Exists Fact = iota
	// Planned: this run is going to create or keep the object. Terraform plans an
	// object before the resources that refer to it.
	Planned
	// Replaced: this run is going to replace the object.
	Replaced
	// Destroyed: this run is going to delete the object. Terraform plans the deletion
	// of an object after that of the resources that refer to it.
	Destroyed
	// HiddenFields: the object was imported and may have fields that no response shows. Terraform plans
	// the new object of a tainted one without its private state.
	HiddenFields
)

// UnknownID is the id of objects that are planned while their id is unknown.
const UnknownID = ""

// Objects are the objects that this run knows, by resource type and import id.
// It is safe for concurrent use. The zero value is ready for use.
type Objects struct{ known sync.Map }

type runObject struct {
	typeName, id string
	fact         Fact
}

// Record records a fact about an object.
func (o *Objects) Record(typeName, id string, fact Fact) {
	o.known.Store(runObject{typeName, id, fact}, true)
}

// Is reports whether a fact about an object is recorded.
func (o *Objects) Is(typeName, id string, fact Fact) bool {
	_, is := o.known.Load(runObject{typeName, id, fact})
	return is
}

// Forget removes a fact about an object.
func (o *Objects) Forget(typeName, id string, fact Fact) {
	o.known.Delete(runObject{typeName, id, fact})
}
