package serving_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// newEnv returns a Kuscia for this test only; tests run in parallel.
func newEnv(t *testing.T) *acctest.Env {
	t.Helper()
	requireAcc(t)
	t.Parallel()
	return acctest.New(t)
}

// requireAcc skips a test that runs the CLI unless such tests are enabled.
func requireAcc(t *testing.T) {
	t.Helper()
	if os.Getenv(resource.EnvTfAcc) == "" {
		t.Skip("acceptance tests run with " + resource.EnvTfAcc + "=1")
	}
}

// changes is a plan check: the plan changes exactly the given attributes of a
// resource, such as "parties.alice.replicas". What a replacement makes unknown
// because it is a new serving is ignored.
type changes struct {
	address string
	want    []string
}

// expectChanges checks which attributes a plan changes.
func expectChanges(address string, attributes ...string) plancheck.PlanCheck {
	return changes{address, attributes}
}

// CheckPlan implements plancheck.PlanCheck.
func (c changes) CheckPlan(_ context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	for _, change := range req.Plan.ResourceChanges {
		if change.Address != c.address {
			continue
		}
		var got []string
		compare("", change.Change.Before, change.Change.After, change.Change.AfterUnknown, &got)
		if change.Change.Actions.Replace() {
			got = slices.DeleteFunc(got, func(name string) bool {
				return name == "create_time" || name == "endpoints" || strings.HasPrefix(name, "parties.") && strings.HasSuffix(name, ".image")
			})
		}
		if acctest.RealCluster() && !slices.Contains(c.want, "rollout_complete") {
			got = slices.DeleteFunc(got, func(name string) bool { return name == "rollout_complete" })
		}
		sort.Strings(got)
		want := slices.Sorted(slices.Values(c.want))
		if !slices.Equal(got, want) {
			resp.Error = fmt.Errorf("%s: the plan changes %q, want %q (actions %v)", c.address, got, want, change.Change.Actions)
		}
		return
	}
	resp.Error = fmt.Errorf("%s is not in the plan", c.address)
}

// compare collects the paths in which two values of a plan differ.
func compare(at string, before, after, unknown any, found *[]string) {
	if unknown == true {
		*found = append(*found, at)
		return
	}
	switch old := before.(type) {
	case map[string]any:
		fresh, ok := after.(map[string]any)
		if !ok {
			break
		}
		pending, _ := unknown.(map[string]any)
		keys := map[string]bool{}
		for key := range old {
			keys[key] = true
		}
		for key := range fresh {
			keys[key] = true
		}
		for key := range pending {
			keys[key] = true
		}
		for key := range keys {
			compare(strings.TrimPrefix(at+"."+key, "."), old[key], fresh[key], pending[key], found)
		}
		return
	case []any:
		fresh, ok := after.([]any)
		if !ok || len(fresh) != len(old) {
			break
		}
		pending, _ := unknown.([]any)
		for i := range old {
			var p any
			if i < len(pending) {
				p = pending[i]
			}
			compare(fmt.Sprintf("%s[%d]", at, i), old[i], fresh[i], p, found)
		}
		return
	}
	if !reflect.DeepEqual(before, after) {
		*found = append(*found, at)
	}
}

// preApply are the checks of the plan that a step applies.
func preApply(checks ...plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: checks}
}

// sent returns the bodies of the updates of a serving, oldest first, as JSON without
// the header and the ID.
func sent(e *acctest.Env, servingID string) (bodies []string) {
	for _, request := range e.Sandbox.Requests() {
		body := attrs{}
		if request.Op != acctest.PathServingUpdate || json.Unmarshal([]byte(request.Body), &body) != nil || body["serving_id"] != servingID {
			continue
		}
		delete(body, "header")
		delete(body, "serving_id")
		text, _ := json.Marshal(body) // it was JSON
		bodies = append(bodies, string(text))
	}
	return bodies
}

// expectSent checks the bodies of all updates of a serving since
// Sandbox.ResetRequests, as sent returns them. It passes on a real Kuscia, which does not record
// requests.
func expectSent(e *acctest.Env, servingID string, want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if e.Sandbox == nil {
			return nil
		}
		if got := sent(e, servingID); !slices.Equal(got, want) {
			return fmt.Errorf("serving %s: the updates are %q, want %q", servingID, got, want)
		}
		return nil
	}
}

// forgetRequests is for TestStep.PreConfig: only later requests are counted.
func forgetRequests(e *acctest.Env) func() {
	return func() {
		if e.Sandbox != nil {
			e.Sandbox.ResetRequests()
		}
	}
}

// all runs every check and reports every failure.
func all(checks ...resource.TestCheckFunc) resource.TestCheckFunc {
	return resource.ComposeAggregateTestCheckFunc(checks...)
}

// deleted is a CheckDestroy for servings.
func deleted(e *acctest.Env, servings []servingHCL) resource.TestCheckFunc {
	ids := make([]string, len(servings))
	for i, s := range servings {
		ids[i] = s.servingID()
	}
	return e.CheckServingDestroyed(ids...)
}

// wrapped returns a pattern for a text in the CLI's output, which wraps lines.
func wrapped(text string) string { return strings.ReplaceAll(text, " ", `[\s│]+`) }

// handmade creates a serving with the API and deletes it at the end, if it still
// exists.
func handmade(t *testing.T, e *acctest.Env, request *kuscia.CreateServingRequest) {
	t.Helper()
	e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.CreateServing(ctx, request) })()
	t.Cleanup(e.Do(func(ctx context.Context, api *kuscia.Client) error {
		err := api.DeleteServing(ctx, request.ServingID)
		if errors.Is(err, kuscia.ErrNotFound) {
			return nil
		}
		return err
	}))
}

// testServing is the address of the serving of most tests.
const testServing = "kuscia_serving.test"

func expect[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%s: %v, want %v", what, got, want)
	}
	return nil
}

// endpoint is an element of endpoints.
func endpoint(domainID, role, port, scope string) knownvalue.Check {
	return knownvalue.ObjectExact(map[string]knownvalue.Check{
		"domain_id": knownvalue.StringExact(domainID), "role": knownvalue.StringExact(role),
		"port_name": knownvalue.StringExact(port), "scope": knownvalue.StringExact(scope),
		"endpoint": knownvalue.StringRegexp(regexp.MustCompile(`^[a-z][-a-z0-9.]+(:\d+)?$`)),
	})
}

// rfc3339 matches all times.
var rfc3339 = knownvalue.StringRegexp(regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$`))
