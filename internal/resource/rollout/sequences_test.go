package rollout_test

import (
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// sequence is a Rollout of which random commands are carried out.
type sequence struct {
	*releases

	t      *testing.T
	random *mathrand.Rand
	fast   *crudtest.Server
	// config is nil without a Rollout.
	config          tree
	state, approved crudtest.State
	// version is that of the workload, stable the one that runs in all pods without a release.
	version, stable string
	approvals       int
}

// TestRandomSequences does random sequences of releases, approvals, rollbacks, and changes and
// deletes of the Rollout. After each of them the next plan is empty, also with shortcuts, and
// what is refused sends nothing. In the end all pods have the last version.
func TestRandomSequences(t *testing.T) {
	t.Parallel()
	for range short.Count(2, 50) {
		seed := mathrand.Uint64()
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			r := newReleases(t, nil)
			r.k.RequireSimulated(t, "a sequence takes minutes in life")
			s := &sequence{
				releases: r, t: t, random: mathrand.New(mathrand.NewPCG(seed, 0)), fast: crudtest.NewFastServer(t, exported, r.c),
				state: r.None(), approved: r.approvals.None(), version: "v1", stable: "v1",
			}
			s.change()
			commands := []func(){s.release, s.release, s.change, s.change, s.approve, s.approve, s.approve, s.rollBack, s.recreate}
			for range 3 + s.random.IntN(6) {
				commands[s.random.IntN(len(commands))]()
			}
			s.end()
		})
	}
}

// refusals are the errors that a right provider may have during a release.
var refusals = []string{
	"Release is in progress", "Not possible during a release", "Release is about to begin", "Rollout still holds its workload", "a release may be in progress", "it was not disabled",
}

// refused reports whether a change has failed, as it may during a release.
func (s *sequence) refused(what, said string) bool {
	s.t.Helper()
	if !strings.Contains(said, "ERROR") {
		return false
	}
	if s.version == s.stable || !slices.ContainsFunc(refusals, func(refusal string) bool { return strings.Contains(said, refusal) }) {
		s.t.Fatalf("%s, version %s after %s: %s", what, s.version, s.stable, said)
	}
	return true
}

// change changes the Rollout, or creates it.
func (s *sequence) change() {
	with := tree{}
	if s.config != nil {
		with = merged(s.config, nil)
	}
	steps := [][]any{fourSteps, {tree{"replicas": "1"}, tree{"replicas": "100%"}}, {tree{"replicas": "25%", "pause": tree{"duration": int64(1)}}, tree{"replicas": "50%"}}}[s.random.IntN(3)]
	switch choice := s.random.IntN(7); choice {
	case 0, 1, 2:
		is, _ := with[flags[choice]].(bool)
		with[flags[choice]] = !is
	case 3:
		with["canary"], with["blue_green"] = nil, tree{"steps": steps}
	default:
		with["canary"], with["blue_green"] = tree{"steps": steps, "enable_extra_workload_for_canary": choice == 4}, nil
	}
	s.apply(with)
}

var flags = []string{"paused", "disabled", "promote_on_destroy"}

// apply applies a configuration of the Rollout.
func (s *sequence) apply(with tree) {
	s.t.Helper()
	what, config := fmt.Sprintf("change to %v", with), s.steps(with)
	s.t.Log(what)
	writes := s.k.CountRequests()
	if s.refused("plan of "+what, s.said(s.t, config, s.state)) {
		acctest.CheckNoWrites(s.t, "the refused plan", writes)
		return
	}
	after, said := s.Apply(s.t, config, s.state)
	if s.refused(what, said) {
		return
	}
	s.config, s.state = with, after
	s.settled(kruise.Release{})
	s.CheckNoDrift(s.t, config, s.state)
	crudtest.CompareResponses(s.t, s.Server, s.fast, config, s.state)
}

// settled waits until the workload has its version and the controllers wait for an approval,
// other than in the pause before, or another change. It takes note of the end of a release.
func (s *sequence) settled(before kruise.Release) {
	s.t.Helper()
	waits := func() bool {
		switch release := s.releases.release(s.t); release.State {
		case kruise.AwaitingApproval:
			return release.Revision != before.Revision || before.State != kruise.AwaitingApproval
		case kruise.Suspended, kruise.Blocked:
			return true
		default:
			return false
		}
	}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		d := s.k.Get(acctest.KubeDeployments, domain, s.name)
		if d.GetAnnotations()[kruise.InProgressingAnnotation] == "" {
			if runs(d, s.version) && (s.config == nil || !s.releases.release(s.t).InProgress()) {
				s.stable = s.version
				return
			}
		} else if s.config == nil || s.version != s.stable && hasImage(d, s.version) && waits() {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the Rollout %v does not settle: %v", s.k.Get(acctest.KubeRollouts, domain, s.name), d)
		}
	}
}

// release gives the workload another version, as another client.
func (s *sequence) release() { s.toVersion([]string{"v1", "v2", "v3"}[s.random.IntN(3)]) }

// rollBack gives it the one before the release.
func (s *sequence) rollBack() { s.toVersion(s.stable) }

func (s *sequence) toVersion(version string) {
	if version == s.version || s.version != s.stable && s.config["paused"] == true { // a suspended release may not react
		return
	}
	s.t.Logf("version %s instead of %s, before the release %s", version, s.version, s.stable)
	var before kruise.Release
	if s.config != nil {
		before = s.releases.release(s.t)
	}
	s.version = version
	s.image(version)
	s.settled(before)
}

// approve approves a step: mostly the one at which the release is paused.
func (s *sequence) approve() {
	at, step := 0, 1+s.random.IntN(3)
	if s.config != nil {
		if release := s.releases.release(s.t); release.State == kruise.AwaitingApproval {
			at = int(release.Step)
		}
	}
	if at > 0 && s.random.IntN(4) > 0 {
		step = at
	}
	s.approvals++
	s.t.Logf("approval of step %d at step %d", step, at)
	writes := s.k.CountRequests()
	after, said := s.releases.approvals.Apply(s.t, s.approval(s.t, step, tree{"triggers": map[string]string{"n": strconv.Itoa(s.approvals)}}), s.approved)
	if step == at {
		if s.approved = after; !onlyGoesOn(said) {
			s.t.Fatal(said)
		}
		s.settled(kruise.Release{})
		if release := s.releases.release(s.t); release.State == kruise.AwaitingApproval && int(release.Step) == at {
			s.t.Fatalf("after the approval of step %d the Rollout is %s", at, release)
		}
		return
	}
	if err := writes.ExpectNoWrites()(nil); err != nil || !strings.Contains(said, "Nothing was written.") {
		s.t.Fatalf("it says %q, %v", said, err)
	}
}

// recreate deletes the Rollout, as another client if there is no release, and creates it again.
func (s *sequence) recreate() {
	if s.config == nil {
		return
	}
	elsewhere := s.version == s.stable && s.random.IntN(2) == 0
	s.t.Logf("delete, by another client: %t", elsewhere)
	var gone crudtest.State
	var said string
	if elsewhere {
		s.k.Delete(acctest.KubeRollouts, domain, s.name)
		s.k.Eventually(acctest.KubeRollouts, domain, s.name, "gone", func(o *unstructured.Unstructured) bool { return o == nil })
		_, gone = s.Read(s.t, s.state)
	} else if gone, said = s.destroy(); s.refused("delete", said) {
		s.state = gone
		return
	}
	if !gone.Value.IsNull() {
		s.t.Fatalf("the state is %s: %s", gone.Value, said)
	}
	config := s.config
	s.config, s.state = nil, gone
	s.settled(kruise.Release{})
	s.apply(config)
}

// destroy deletes the Rollout. A release that had not begun leaves the Deployment paused, which
// is an error, once.
func (s *sequence) destroy() (gone crudtest.State, said string) {
	gone, said = s.Delete(s.t, s.state)
	if strings.Contains(said, "kubectl rollout resume") {
		s.k.Patch(acctest.KubeDeployments, domain, s.name, types.MergePatchType, `{"spec":{"paused":false}}`)
		gone, said = s.Delete(s.t, gone)
	}
	return gone, said
}

// end deletes the Rollout.
func (s *sequence) end() {
	s.t.Log("end")
	s.apply(merged(s.config, tree{"promote_on_destroy": true}))
	if gone, said := s.destroy(); !gone.Value.IsNull() || said != "" {
		s.t.Fatal(said)
	}
	s.pods(s.version)
	s.k.Sweep(s.name)
}
