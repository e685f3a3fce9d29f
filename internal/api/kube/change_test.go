package kube

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// TestChange: an object is compared again while a write may succeed after that, and not after the
// error of a request that has its own retries.
func TestChange(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, storedDeployment) })
	lost := &apierror.Error{OutcomeUnknown: true}
	done := func(*unstructured.Unstructured, bool) (bool, error) { return true, nil }
	refused, others := errors.New("refused"), &apierror.Error{Cause: CauseFieldManager}
	for name, test := range map[string]struct {
		compare func(found *unstructured.Unstructured, again bool) (bool, error)
		errs    []error
		writes  int
		err     error
	}{
		"made":            {nil, []error{nil}, 1, nil},
		"nothing to do":   {done, nil, 0, nil},
		"not any more":    {func(*unstructured.Unstructured, bool) (bool, error) { return false, refused }, nil, 0, refused},
		"another version": {nil, []error{ErrPatchTest, &apierror.Error{Cause: CauseChanged}, nil}, 3, nil},
		"own version":     {nil, []error{errNewVersion, nil}, 2, nil},
		"lost, was made":  {func(_ *unstructured.Unstructured, again bool) (bool, error) { return again, nil }, []error{lost}, 1, nil},
		"final":           {nil, []error{Final(lost)}, 1, lost},
		"refused":         {nil, []error{refused}, 1, refused},
		"of others":       {nil, []error{others}, 1, others},
	} {
		if test.compare == nil {
			test.compare = func(found *unstructured.Unstructured, _ bool) (bool, error) {
				if found.GetResourceVersion() != "7" {
					t.Errorf("%s: compares %v", name, found)
				}
				return false, nil
			}
		}
		writes := 0
		err := client.Change(t.Context(), KusciaDeployments, CrossDomain, "kd", test.compare, func(*unstructured.Unstructured) error {
			writes++
			return test.errs[writes-1]
		})
		if writes != test.writes || !errors.Is(err, test.err) {
			t.Errorf("%s: %d writes end with %v", name, writes, err)
		}
	}
}

// TestRetry: an attempt is repeated while the object changes, at once after the
// first time and then after longer and longer pauses, up to a limit or the end
// of the context.
func TestRetry(t *testing.T) {
	t.Parallel()
	changed := errors.New("changed")
	for name, test := range map[string]struct {
		conflicts, made int
		limit           time.Duration
		takes           time.Duration
		err             error
	}{
		"made at once":     {0, 1, time.Hour, 0, nil},
		"one conflict":     {1, 2, time.Hour, 0, nil},
		"three conflicts":  {3, 4, time.Hour, 150 * time.Millisecond, nil},
		"always conflicts": {100, 10, time.Hour, 1800 * time.Millisecond, changed},
		"no time left":     {100, 3, 120 * time.Millisecond, 120 * time.Millisecond, changed},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), test.limit)
			defer cancel()
			began, made := time.Now(), 0
			err := Retry(ctx, func(number int) (again bool, err error) {
				if made++; number != made {
					t.Errorf("%s: attempt %d has the number %d", name, made, number)
				}
				if number <= test.conflicts {
					return true, changed
				}
				return false, nil
			})
			if !errors.Is(err, test.err) || made != test.made || time.Since(began) != test.takes {
				t.Errorf("%s: %d attempts in %s end with %v", name, made, time.Since(began), err)
			}
		})
	}
	lost := &apierror.Error{OutcomeUnknown: true}
	err := Retry(t.Context(), func(number int) (bool, error) {
		if number == 1 {
			return true, lost
		}
		return false, apierror.ErrUnavailable
	})
	if !apierror.OutcomeUnknown(err) || !errors.Is(err, apierror.ErrUnavailable) {
		t.Errorf("a lost write and a failed read end with %v", err)
	}
}
