// Package rollingupdate computes what a rolling update of a Deployment leaves running, as Kubernetes
// does.
package rollingupdate

import (
	"strconv"
	"strings"
)

// maxCount is the largest number that is read.
const maxCount = 1 << 20

// MayMiss returns how many of the desired pods may be missing during an update. A percentage of those
// that may be unavailable is rounded down; where none may be missing and none be there in addition, one
// is. known is false if a bound is neither a number nor a percentage: then all may be missing for
// unavailable, and surge adds pods.
func MayMiss(desired int, surge, unavailable string) (missing int, known bool) {
	missing, known = share(unavailable, desired)
	if !known {
		missing = desired
	}
	more, alsoKnown := share(surge, 100) // of any number of pods, a part of one adds one
	if missing == 0 && more == 0 && alsoKnown {
		missing = 1
	}
	return missing, known && alsoKnown
}

// share is a number, or a percentage of a total rounded down.
func share(text string, total int) (n int, ok bool) {
	digits, percent := strings.CutSuffix(text, "%")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > maxCount {
		return 0, false
	}
	if percent {
		n = n * total / 100
	}
	return n, true
}
