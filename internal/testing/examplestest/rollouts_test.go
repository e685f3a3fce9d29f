package examplestest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// rollout is a series of applies through which a rollout example goes.
type rollout struct {
	env *acctest.Env
	w   *acctest.Workspace
	// state has the addresses and the time of creation after the last apply.
	state string
}

// newRollout applies the example for the first time.
func newRollout(t *testing.T, e example, image string) *rollout {
	t.Helper()
	env := fixedNames(t)
	r := &rollout{env: env, w: workspace(t, env, e)}
	r.w.Init()
	r.apply(t, "", image, "# kuscia_app_image.serving will be created", "# kuscia_serving.glm will be created")
	return r
}

// apply applies the example with a variable. It expects texts in the plan, and
// pods of the wanted image afterwards; a second plan is empty. It reports
// whether the serving is still the one of before.
func (r *rollout) apply(t *testing.T, variable, image string, planned ...string) (same bool) {
	t.Helper()
	r.w.Write("terraform.tfvars", variable+"\n")
	expectIn(t, r.w.Run(0, "apply", "-auto-approve"), planned...)
	for _, domain := range []string{"alice", "bob"} {
		if got, err := r.env.Sandbox.DeployedImage("glm", domain, ""); err != nil || got != image {
			t.Errorf("%s runs %s, want %s (%v)", domain, got, image, err)
		}
	}
	r.w.Plan(acctest.PlanEmpty)
	m := &managed{w: r.w, address: "kuscia_serving.glm"}
	attributes := m.attributes(t)
	before := r.state
	r.state = fmt.Sprint(attributes["endpoints"], attributes["create_time"])
	return r.state == before
}

// destroy ends the series.
func (r *rollout) destroy(t *testing.T) {
	t.Helper()
	r.w.Run(0, "destroy", "-auto-approve")
	if left := append(r.env.Sandbox.ServingIDs(), r.env.Sandbox.AppImageNames()...); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

const (
	oldImage = "secretflow/serving-anolis8:0.8.0b0"
	newImage = "secretflow/serving-anolis8:0.9.0b0"
	newTag   = `tag = "0.9.0b0"`
)

// The plans of most rollouts.
const (
	updatesAppImage = "# kuscia_app_image.serving will be updated in-place"
	updatesServing  = "# kuscia_serving.glm will be updated in-place"
)

// testRolloutInPlace: a new tag in the same app image rolls the pods of the
// same serving.
func testRolloutInPlace(t *testing.T, e example) {
	r := newRollout(t, e, oldImage)
	for _, step := range []struct{ variable, image string }{{newTag, newImage}, {"", oldImage}} {
		if !r.apply(t, step.variable, step.image, updatesAppImage, updatesServing) {
			t.Errorf("%q makes another serving", step.variable)
		}
	}
	r.destroy(t)
}

// testRolloutReplace: what no update reaches makes a new serving, with new
// addresses.
func testRolloutReplace(t *testing.T, e example) {
	r := newRollout(t, e, oldImage)
	if r.apply(t, `command = ["./secretflow_serving"]`, oldImage, updatesAppImage, "-/+ resource \"kuscia_serving\" \"glm\"") {
		t.Error("the serving is the same")
	}
	r.destroy(t)
}

// testRolloutVersioned: the serving moves to an app image of another name and
// back, and the one that is no longer used is gone.
func testRolloutVersioned(t *testing.T, e example) {
	r := newRollout(t, e, oldImage)
	for _, step := range []struct{ variable, image, unused string }{
		{newTag, newImage, "secretflow-serving-0.8.0b0"}, {"", oldImage, "secretflow-serving-0.9.0b0"},
	} {
		if !r.apply(t, step.variable, step.image, "+/- resource \"kuscia_app_image\" \"serving\"", updatesServing) {
			t.Errorf("%q makes another serving", step.variable)
		}
		if _, err := r.env.Sandbox.AppImage(step.unused); err == nil {
			t.Errorf("%s is left", step.unused)
		}
	}
	r.destroy(t)
}

// testRolloutDigest: pods run the reference name@sha256:digest, and another
// digest rolls them.
func testRolloutDigest(t *testing.T, e example) {
	const (
		name   = "secretflow/serving-anolis8@sha256:"
		digest = "9b2a5d7c0e4f1836a7c5e2d90b4f6183725ac0de9f1b3847a6d5c2e0f9b81734"
	)
	other := strings.Repeat("0f", 32)
	r := newRollout(t, e, name+digest)
	if !r.apply(t, fmt.Sprintf("digest = %q", other), name+other, updatesAppImage, updatesServing) {
		t.Error("another digest makes another serving")
	}
	r.destroy(t)
}
