package httpapi

import (
	"strings"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// unanswered are the reads that have failed in all of their attempts since a server has last
// answered. Each of many objects would wait as long otherwise, ten at a time, and all of
// them for hours. It is safe for concurrent use. The zero value is ready for use.
type unanswered struct {
	mu sync.Mutex
	// answers is the number of answers of the server.
	answers int
	// failed are the reads by the name of their operation.
	failed map[string]failedReads
}

// failedReads are those of an operation.
type failedReads struct {
	// of are the objects that were read; "" is a read that names none.
	of map[string]bool
	// last is the error of the last one, and until when it is that of others.
	last  *apierror.Error
	until time.Time
}

const (
	// failedOthers is how many reads of other objects have to fail: of one alone the object may
	// be the reason.
	failedOthers = 2
	// shortestWait is how long a read has to take until it has failed: to fail soon is no wait.
	shortestWait = time.Second
	// maxCommon limits the time for which a failure is that of others. It is as long as the failed
	// read has taken.
	maxCommon = time.Minute
)

// recordAnswer records an answer that is of use.
func (u *unanswered) recordAnswer() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.answers++
	clear(u.failed)
}

// answersSoFar is for recordFailure.
func (u *unanswered) answersSoFar() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.answers
}

// recordFailure records the failure of a read that began after so many answers. It counts only
// if the server has not answered others in the meantime.
func (u *unanswered) recordFailure(read *Call, answersBefore int, took time.Duration, err *apierror.Error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.answers != answersBefore || took < shortestWait {
		return
	}
	if u.failed == nil {
		u.failed = map[string]failedReads{}
	}
	reads := u.failed[read.Name]
	if reads.of == nil {
		reads.of = map[string]bool{}
	}
	reads.of[objectsOf(read)] = true
	reads.last, reads.until = err, time.Now().Add(min(took, maxCommon))
	u.failed[read.Name] = reads
}

// failure returns the error of a read that need not be sent, since those of others have failed;
// nil if it has to be sent.
func (u *unanswered) failure(read *Call) *apierror.Error {
	u.mu.Lock()
	defer u.mu.Unlock()
	reads := u.failed[read.Name]
	if time.Now().After(reads.until) {
		return nil
	}
	of := objectsOf(read)
	others := len(reads.of)
	if reads.of[of] {
		others--
	}
	if others < failedOthers && (of != "" || !reads.of[of]) { // what names no object is the same read
		return nil
	}
	failed := *reads.last
	failed.ID, failed.Attempts = read.id(), 0
	failed.Message += ". That was the answer to others, and is not asked for again so soon"
	return &failed
}

// objectsOf identifies the objects that are read.
func objectsOf(read *Call) string { return strings.Join(read.IDs, "\x00") }
