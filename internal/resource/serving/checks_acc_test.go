package serving_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
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
	// atAnyTime is set if rollout_complete depends on the progress of the pods.
	atAnyTime bool
}

// expectChanges checks which attributes a plan changes.
func expectChanges(address string, attributes ...string) plancheck.PlanCheck {
	return changes{address, attributes, false}
}

// expectDrift checks the same after a change outside of Terraform, whose rollout
// may be complete or not.
func expectDrift(address string, attributes ...string) plancheck.PlanCheck {
	return changes{address, attributes, true}
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
		if c.atAnyTime || acctest.RealCluster() && !slices.Contains(c.want, "rollout_complete") {
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

// actions checks what is planned for each of the given resources.
func actions(action plancheck.ResourceActionType, addresses ...string) []plancheck.PlanCheck {
	checks := make([]plancheck.PlanCheck, len(addresses))
	for i, address := range addresses {
		checks[i] = plancheck.ExpectResourceAction(address, action)
	}
	return checks
}

// preApply are the checks of the plan that a step applies.
func preApply(checks ...plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: checks}
}

// emptyPlan checks that a step's configuration plans no change.
func emptyPlan() resource.ConfigPlanChecks { return preApply(plancheck.ExpectEmptyPlan()) }

// server checks the serving that Kuscia has.
func server(e *acctest.Env, id string, check func(*kuscia.Serving) error) resource.TestCheckFunc {
	return func(*terraform.State) error {
		response, err := e.API.QueryServing(context.Background(), id)
		if err != nil {
			return err
		}
		if err := check(response); err != nil {
			return fmt.Errorf("serving %s: %w", id, err)
		}
		return nil
	}
}

// sent returns the bodies of the requests to a path for a serving, oldest first,
// without the header.
func sent(e *acctest.Env, path, servingID string) ([]map[string]any, error) {
	var bodies []map[string]any
	for _, request := range e.Sandbox.Requests() {
		if request.Op != path {
			continue
		}
		if !mentions(request.Body, servingID) {
			continue
		}
		var body map[string]any
		if err := json.Unmarshal([]byte(request.Body), &body); err != nil {
			return nil, fmt.Errorf("request to %s: %w", path, err)
		}
		delete(body, "header")
		delete(body, "serving_id")
		bodies = append(bodies, body)
	}
	return bodies, nil
}

// mentions reports whether a request's body is about a serving.
func mentions(body, servingID string) bool {
	var request struct {
		ServingID string `json:"serving_id"`
	}
	return json.Unmarshal([]byte(body), &request) == nil && request.ServingID == servingID
}

// expectSent checks the bodies of all requests to a path for a serving since
// Sandbox.ResetRequests, each given as JSON without serving_id. It passes on a
// real Kuscia, which does not record requests.
func expectSent(e *acctest.Env, path, servingID string, want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if e.Sandbox == nil {
			return nil
		}
		got, err := sent(e, path, servingID)
		if err != nil {
			return err
		}
		if len(got) != len(want) {
			return fmt.Errorf("serving %s: %d requests to %s, want %d: %v", servingID, len(got), path, len(want), got)
		}
		for i := range want {
			var body map[string]any
			if err := json.Unmarshal([]byte(want[i]), &body); err != nil {
				return fmt.Errorf("wanted request %s: %w", want[i], err)
			}
			if !reflect.DeepEqual(got[i], body) {
				text, _ := json.Marshal(got[i])
				return fmt.Errorf("serving %s: request %d to %s is\n%s\nwant\n%s", servingID, i, path, text, want[i])
			}
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
