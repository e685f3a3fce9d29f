package deployment_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// loose is an error text whose lines may be broken anywhere.
func loose(text string) *regexp.Regexp {
	return regexp.MustCompile(strings.Join(strings.Fields(regexp.QuoteMeta(text)), `[\s│]+`))
}

// TestAccDeployment_missing: an app image and a domain that do not exist are
// errors before anything is sent.
func TestAccDeployment_missing(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestMissingObjects", "TestClusterReferences"))
	t.Parallel()
	c := newCluster(t)
	requests := c.CountRequests()
	noWrites := func() {
		if err := requests.ExpectNoWrites()(nil); err != nil {
			t.Error(err)
		}
	}
	c.run(
		resource.TestStep{Config: c.hcl(conf{image: c.name + "-none"}), ExpectError: loose(`does not exist`)},
		resource.TestStep{
			PreConfig:   noWrites,
			Config:      c.block(`initiator = "nobody-`+c.name+`"`, map[string]any{"nobody-" + c.name: partyOf(c.name, "")}),
			ExpectError: loose(`The cluster has no domain`),
		},
		resource.TestStep{PreConfig: noWrites, Config: c.hcl(conf{}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    c.hcl(conf{image: c.name + "-none"}), ExpectError: loose(`silently ignores an update to it`),
		},
		resource.TestStep{PreConfig: noWrites, Config: c.hcl(conf{}), ConfigPlanChecks: plans(plancheck.ResourceActionNoop)},
	)
}

// TestAccDeployment_failed: a deployment that Kuscia gives up fails immediately
// with Kuscia's reason, and the next apply repairs it.
func TestAccDeployment_failed(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestRetryAfterFailedPhase"))
	t.Parallel()
	c := newCluster(t)
	service := c.Create(acctest.KubeServices, foreignService(c.name))
	start := time.Now()
	c.run(
		resource.TestStep{
			Config: c.hcl(conf{}), ExpectError: loose(`Kuscia reports the phase Failed, reason CreateServiceFailed`),
		},
		resource.TestStep{
			PreConfig: func() {
				if took := time.Since(start); took > time.Minute {
					t.Errorf("the failure was told after %s", took)
				}
				c.Delete(acctest.KubeServices, "alice", service.GetName())
			},
			Config: c.hcl(conf{}), ConfigPlanChecks: plans(plancheck.ResourceActionReplace),
		},
	)
}

// TestAccDeployment_brokenImage: an update whose pods never run is not
// complete, and a rollback needs one apply.
func TestAccDeployment_brokenImage(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPodsFail"))
	t.Parallel()
	c := newCluster(t)
	c.RequireSimulated(t, "an image that never starts takes ten minutes in life")
	c.AppImage(c.name+"-broken", "example/broken", "vb", 1)
	broken := conf{image: c.name + "-broken", top: `timeouts = { update = "10s" }`}
	c.run(
		resource.TestStep{Config: c.hcl(conf{}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{Config: c.hcl(broken), ExpectError: loose(`ImagePullBackOff: Back-off pulling image "example/broken:vb"`)},
		resource.TestStep{
			RefreshState: true, ExpectNonEmptyPlan: true,
			Check: resource.TestCheckResourceAttr(address, "rollout_complete", "false"),
		},
		resource.TestStep{Config: c.hcl(broken), ExpectError: loose(`still does not run`)},
		resource.TestStep{
			Config: c.hcl(conf{}), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue(address, tfjsonpath.New("rollout_complete"), knownvalue.Bool(true))},
		},
	)
}

// TestAccDeployment_controllerDown: an update that Kuscia does not reconcile
// does not change the phase, and is not complete.
func TestAccDeployment_controllerDown(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	c := ownCluster(t)
	next := conf{image: c.name + "-v2", top: `timeouts = { update = "3s" }`}
	c.run(
		resource.TestStep{Config: c.hcl(conf{}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{
			PreConfig: func() { c.StopController(acctest.KusciaController) },
			Config:    c.hcl(next), ExpectError: loose(`still has the image example/app:v1 in container "main", expected example/app:v2`),
		},
		resource.TestStep{
			PreConfig: func() { c.StartController(acctest.KusciaController) },
			Config:    c.hcl(conf{image: c.name + "-v2"}), ConfigPlanChecks: emptyAfter,
			Check: func(*terraform.State) error { return c.runs("v2", 1) },
		},
	)
}

// TestAccDeployment_lag: an update and a destroy wait for controllers that lag.
func TestAccDeployment_lag(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	t.Parallel()
	c := ownCluster(t)
	c.SetLag(acctest.KusciaController, 2*time.Second)
	c.run(
		resource.TestStep{Config: c.hcl(conf{}), ConfigPlanChecks: emptyAfter, Check: func(*terraform.State) error { return c.runs("v1", 1) }},
		resource.TestStep{Config: c.hcl(conf{image: c.name + "-v2"}), ConfigPlanChecks: emptyAfter, Check: func(*terraform.State) error { return c.runs("v2", 1) }},
	)
}

// TestAccDeployment_lostResponses: lost responses to a create, an update and a
// delete.
func TestAccDeployment_lostResponses(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestKubeMatrix"))
	t.Parallel()
	c := newCluster(t)
	c.RequireSimulated(t, "faults")
	cut := func(verb string) func() {
		return func() {
			c.Fault(acctest.KubeFault{Verb: verb, Resource: "kusciadeployments", Cut: acctest.KubeCutAfter})
		}
	}
	c.run(
		resource.TestStep{PreConfig: cut("create"), Config: c.hcl(conf{}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{PreConfig: cut("patch"), Config: c.hcl(conf{image: c.name + "-v2"}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{PreConfig: cut("delete"), Config: c.hcl(conf{image: c.name + "-v2"}), Destroy: true},
	)
}

// TestAccDeployment_changedWhileApplied: an update that the cluster refuses for now is
// sent again.
func TestAccDeployment_changedWhileApplied(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	c := newCluster(t)
	c.RequireSimulated(t, "faults")
	c.run(
		resource.TestStep{Config: c.hcl(conf{}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{
			PreConfig: func() {
				c.Fault(acctest.KubeFault{Verb: "patch", Resource: "kusciadeployments", Status: http.StatusServiceUnavailable, Message: "later"})
			},
			Config: c.hcl(conf{image: c.name + "-v2"}), ConfigPlanChecks: emptyAfter,
		},
	)
}

// TestAccDeployment_existing: a name that is taken is an error with an import
// block; one that is exactly as configured is adopted where that is allowed.
func TestAccDeployment_existing(t *testing.T) {
	acctest.SkipShort(t, acctest.LifeWithCLI)
	t.Parallel()
	c := newCluster(t)
	c.Create(acctest.KubeKusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
		"metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": c.name},
		"spec": map[string]any{"initiator": "alice", "inputConfig": "", "parties": []any{
			map[string]any{"domainID": "alice", "appImageRef": c.name},
		}},
	}})
	c.run(
		resource.TestStep{Config: c.hcl(conf{}), ExpectError: regexp.MustCompile(`to = kuscia_deployment\.NAME`)},
		resource.TestStep{
			Config: adopting + c.hcl(conf{image: c.name + "-v2"}), ExpectError: loose(`It differs from the configuration in`),
		},
		resource.TestStep{Config: adopting + c.hcl(conf{}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{
			Config: adopting + c.hcl(conf{image: c.name + "-v2"}), ExpectError: loose(`force_conflicts`),
		},
		resource.TestStep{
			Config: adopting + c.hcl(conf{image: c.name + "-v2", top: "force_conflicts = true"}), ConfigPlanChecks: plans(plancheck.ResourceActionUpdate),
			Check: func(*terraform.State) error {
				if got := image(c.Get(acctest.KubeDeployments, "alice", c.name)); got != "example/app:v2" {
					return fmt.Errorf("image %s", got)
				}
				return nil
			},
		},
	)
}

var adopting = acctest.ProviderBlock(map[string]any{"adopt_existing": true})

// TestAccDeployment_leastRights: the documented permissions are sufficient;
// without one of them the error names verb and resource.
func TestAccDeployment_leastRights(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestCheckDeployment", "TestWithoutPermissionToWait"))
	t.Parallel()
	c := newCluster(t)
	c.RequireSimulated(t, "rights")
	rules := []acctest.KubeRule{
		{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"kusciadeployments"}, Verbs: []string{"get", "list", "create", "patch", "delete"}},
		{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"appimages", "domains"}, Verbs: []string{"get"}},
		{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: []string{"get", "list"}},
		{APIGroups: []string{""}, Resources: []string{"services", "configmaps"}, Verbs: []string{"list"}},
	}
	c.Limit(rules[1:]...)
	c.run(
		resource.TestStep{Config: c.hcl(conf{}), ExpectError: loose(`cannot create resource "kusciadeployments"`)},
		resource.TestStep{PreConfig: func() { c.Limit(rules[0], rules[2], rules[3]) }, Config: c.hcl(conf{}), ExpectError: loose(`Missing permission to read app image`)},
		resource.TestStep{PreConfig: func() { c.Limit(rules...) }, Config: c.hcl(conf{}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{Config: c.hcl(conf{image: c.name + "-v2"}), ConfigPlanChecks: emptyAfter},
	)
}

// TestAccDeployment_disappears: a deployment that was deleted manually is
// planned as a create.
func TestAccDeployment_disappears(t *testing.T) {
	acctest.SkipShort(t, acctest.LifeWithCLI)
	t.Parallel()
	c := newCluster(t)
	c.run(
		resource.TestStep{Config: c.hcl(conf{}), ConfigPlanChecks: emptyAfter},
		resource.TestStep{
			PreConfig: func() { c.Delete(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name) },
			Config:    c.hcl(conf{}), ConfigPlanChecks: plans(plancheck.ResourceActionCreate),
		},
	)
}
