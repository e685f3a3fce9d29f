package kube

import (
	"errors"
	"net/http"
	"testing"

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
		"another version": {nil, []error{ErrPatchTest, nil}, 2, nil},
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
