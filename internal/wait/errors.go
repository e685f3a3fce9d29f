package wait

import "errors"

// Failed is the error of a wait that ended before its condition held.
type Failed interface {
	error
	// LastError is the error of the last query; nil if it succeeded.
	LastError() error
}

// NotRunning is the error of a wait for an object that does not run.
type NotRunning interface {
	Failed
	// IsDeleted reports whether the object was deleted during the wait.
	IsDeleted() bool
	// StartNotObserved reports whether only the start of a rollout was not observed: the object
	// may well run.
	StartNotObserved() bool
}

// IsDeleted reports whether a wait ended because its object was deleted meanwhile.
func IsDeleted(err error) bool {
	var e NotRunning
	return errors.As(err, &e) && e.IsDeleted()
}
