package kube

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// Change changes an object, and never overwrites what other clients have changed: compare gets
// the object as it is, decides whether the change is still right, and returns done if there is
// nothing to write; write must write only to the version that was compared. again is set for all
// but the first attempt: an earlier one may have been carried out.
func (c *Client) Change(ctx context.Context, kind Kind, namespace, name string,
	compare func(found *unstructured.Unstructured, again bool) (done bool, err error), write func(found *unstructured.Unstructured) error,
) error {
	return Retry(ctx, func(attempt int) (again bool, err error) {
		found, err := c.Get(ctx, kind, namespace, name)
		if err != nil {
			return false, err
		}
		if done, err := compare(found, attempt > 1); done || err != nil {
			return false, err
		}
		err = write(found)
		if ends := new(finalError); errors.As(err, ends) {
			return false, ends.error
		}
		return Superseded(err) || errors.Is(err, errNewVersion), err
	})
}

// finalError is an error after which Change ends.
type finalError struct{ error }

// Final returns the error of a request of a write that has its own retries, or nil: after it, Change
// does not begin again.
func Final(err error) error {
	if err == nil {
		return nil
	}
	return finalError{err}
}

// errNewVersion is returned if an attempt itself has changed the version of the object.
var errNewVersion = fmt.Errorf("the object has a new version: %w", apierror.ErrConflict)

// Own is ManageByApply at the beginning of a write. If it changes the object, its error is one
// after which Change compares again.
func (c *Client) Own(ctx context.Context, kind Kind, found *unstructured.Unstructured) error {
	owned, err := c.ManageByApply(ctx, kind, found)
	if err == nil && owned.GetResourceVersion() != found.GetResourceVersion() {
		return errNewVersion
	}
	return Final(err)
}
