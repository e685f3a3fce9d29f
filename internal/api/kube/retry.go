package kube

import (
	"context"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

const (
	// attempts is the maximum number of attempts of a change: controllers may
	// write to an object at any time.
	attempts = 10
	// attemptPause is how much longer the pause is after each attempt. There is
	// none after the first one.
	attemptPause = 50 * time.Millisecond
)

// Retry repeats a change of an object that other clients change too, until it
// is made. An attempt reads the object, decides whether the change is still
// right, and writes only to the version that it has read. again reports that
// the object has changed meanwhile. Retry returns the error of the last
// attempt, with that of an earlier write whose outcome is unknown.
func Retry(ctx context.Context, attempt func(number int) (again bool, err error)) error {
	var lost error
	for number := 1; ; number++ {
		again, err := attempt(number)
		switch {
		case apierror.OutcomeUnknown(err):
			lost = err
		case err != nil && lost != nil:
			err = fmt.Errorf("%w; after that: %w", lost, err)
		}
		if !again || number == attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Duration(number-1) * attemptPause):
		}
	}
}
