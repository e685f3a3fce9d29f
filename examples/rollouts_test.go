package examples_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// Addresses in the rollout examples.
const (
	rolloutAppImage = "kuscia_app_image.serving"
	rolloutServing  = "kuscia_serving.glm"
)

// rollout is a series of steps through which a rollout example goes.
type rollout struct {
	env *acctest.Env
	dir config.TestStepConfigFunc
	// Addresses and time of creation are compared from step to step.
	endpoints, createTime interface {
		AddStateValue(address string, path tfjsonpath.Path) statecheck.StateCheck
	}
}

// newRollout: compared says whether the serving of a step is the same as
// before or another one.
func newRollout(t *testing.T, e example, compared compare.ValueComparer) *rollout {
	t.Helper()
	return &rollout{
		env:        fixedNames(t),
		dir:        config.StaticDirectory(e.folder(t, e.configuration, nil)),
		endpoints:  statecheck.CompareValue(compared),
		createTime: statecheck.CompareValue(compared),
	}
}

// step applies the example with variables. It expects the actions in the plan,
// and pods of the desired image afterwards.
func (r *rollout) step(variables config.Variables, appImage, serving plancheck.ResourceActionType, image string) resource.TestStep {
	return resource.TestStep{
		ConfigDirectory: r.dir,
		ConfigVariables: variables,
		ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(rolloutAppImage, appImage),
				plancheck.ExpectResourceAction(rolloutServing, serving),
			},
			PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
		},
		ConfigStateChecks: []statecheck.StateCheck{
			r.endpoints.AddStateValue(rolloutServing, tfjsonpath.New("endpoints")),
			r.createTime.AddStateValue(rolloutServing, tfjsonpath.New("create_time")),
		},
		Check: r.runs(image),
	}
}

// runs asks the sandbox which image the pods of each party have.
func (r *rollout) runs(want string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		for _, domain := range []string{"alice", "bob"} {
			image, err := r.env.Sandbox.DeployedImage("glm", domain, "")
			if err != nil {
				return err
			}
			if image != want {
				return fmt.Errorf("%s runs %s, want %s", domain, image, want)
			}
		}
		return nil
	}
}

func (r *rollout) run(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	run(t, r.env.ProtoV6ProviderFactories(), resource.TestCase{CheckDestroy: r.env.CheckServingDestroyed("glm"), Steps: steps})
}

const (
	oldImage = "secretflow/serving-anolis8:0.8.0b0"
	newImage = "secretflow/serving-anolis8:0.9.0b0"
)

var newTag = config.Variables{"tag": config.StringVariable("0.9.0b0")}

// testRolloutInPlace: a new tag in the same app image rolls the pods of the
// same serving.
func testRolloutInPlace(t *testing.T, e example) {
	r := newRollout(t, e, compare.ValuesSame())
	r.run(
		t,
		r.step(nil, plancheck.ResourceActionCreate, plancheck.ResourceActionCreate, oldImage),
		r.step(newTag, plancheck.ResourceActionUpdate, plancheck.ResourceActionUpdate, newImage),
		r.step(nil, plancheck.ResourceActionUpdate, plancheck.ResourceActionUpdate, oldImage),
	)
}

// testRolloutReplace: what no update reaches makes a new serving, with new
// addresses.
func testRolloutReplace(t *testing.T, e example) {
	r := newRollout(t, e, compare.ValuesDiffer())
	command := config.Variables{"command": config.ListVariable(config.StringVariable("./secretflow_serving"))}
	r.run(
		t,
		r.step(nil, plancheck.ResourceActionCreate, plancheck.ResourceActionCreate, oldImage),
		r.step(command, plancheck.ResourceActionUpdate, plancheck.ResourceActionDestroyBeforeCreate, oldImage),
	)
}

// testRolloutVersioned: the serving moves to an app image of another name and
// back, and the one that is no longer used is gone.
func testRolloutVersioned(t *testing.T, e example) {
	r := newRollout(t, e, compare.ValuesSame())
	move := func(variables config.Variables, image, unused string) resource.TestStep {
		step := r.step(variables, plancheck.ResourceActionCreateBeforeDestroy, plancheck.ResourceActionUpdate, image)
		step.Check = resource.ComposeAggregateTestCheckFunc(step.Check, r.env.CheckAppImageDestroyed(unused))
		return step
	}
	r.run(
		t,
		r.step(nil, plancheck.ResourceActionCreate, plancheck.ResourceActionCreate, oldImage),
		move(newTag, newImage, "secretflow-serving-0.8.0b0"),
		move(nil, oldImage, "secretflow-serving-0.9.0b0"),
	)
}

// testRolloutDigest: pods run the reference name@sha256:digest, and another
// digest rolls them.
func testRolloutDigest(t *testing.T, e example) {
	const (
		name   = "secretflow/serving-anolis8@sha256:"
		digest = "9b2a5d7c0e4f1836a7c5e2d90b4f6183725ac0de9f1b3847a6d5c2e0f9b81734"
	)
	other := strings.Repeat("0f", 32)
	r := newRollout(t, e, compare.ValuesSame())
	r.run(
		t,
		r.step(nil, plancheck.ResourceActionCreate, plancheck.ResourceActionCreate, name+digest),
		r.step(config.Variables{"digest": config.StringVariable(other)}, plancheck.ResourceActionUpdate, plancheck.ResourceActionUpdate, name+other),
	)
}
