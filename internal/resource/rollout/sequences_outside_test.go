package rollout_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// isUnsure reports whether the last apply of a resource has failed.
func (s *sequence) isUnsure() bool {
	return slices.Contains(slices.Collect(maps.Values(s.unsure)), true)
}

// rollBack applies the version that ran before the release: the release ends, and the pods have
// that version.
func (s *sequence) rollBack() {
	s.t.Helper()
	before, to := s.situation(), s.stable
	if !before.releasing || to == nil || s.config[deploymentType] == nil || s.unsure[rolloutType] {
		return
	}
	if now := s.config[deploymentType]; versionOf(to) == versionOf(s.config) && to[deploymentType]["input_config"] == now["input_config"] {
		return // of this version: another client has begun it
	}
	with := protocol.Object{"input_config": to[deploymentType]["input_config"], "labels": to[deploymentType]["labels"]}
	next := s.config
	if was := to[imageType]; was != nil {
		next = next.with(imageType, was)
	}
	if !s.command("roll back", deployed(next, versionOf(to).image, with)) || s.object(rolloutType) == nil {
		return
	}
	if rollout := s.config[rolloutType]; before.suspended || rollout["disabled"] == true {
		return
	}
	s.eventually("over and back", func() bool { return !s.situation().releasing && s.allRun() })
}

// eventually waits for a situation that the controllers bring about.
func (s *sequence) eventually(what string, is func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Errorf("not %s: %+v, the Rollout is %v, the Deployment %s", what, s.situation(), s.object(rolloutType), s.deployment())
			return
		}
	}
}

// editOutside changes the Deployment as kubectl edit, scale, rollout restart and rollout pause
// do: Kuscia takes back what it sets, and the next apply is as after any other change.
func (s *sequence) editOutside(choice int) {
	s.t.Helper()
	if s.k.Get(acctest.KubeDeployments, domain, s.name) == nil || s.config[deploymentType] == nil || s.isUnsure() {
		return
	}
	merges := types.MergePatchType
	edits := []struct {
		what  string
		kind  types.PatchType
		patch string
	}{
		{"scale", merges, `{"spec":{"replicas":3}}`},
		{"set image", types.JSONPatchType, `[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"example/edited:v9"}]`},
		{"restart", merges, fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":%q}}}}}`, time.Now())},
		{"pause", merges, `{"spec":{"paused":true}}`},
	}
	edit := edits[choice%len(edits)]
	if edit.what == "pause" && s.situation().releasing {
		return // it is paused
	}
	s.h.did = append(s.h.did, "kubectl: "+edit.what)
	s.k.Patch(acctest.KubeDeployments, domain, s.name, edit.kind, edit.patch)
	switch edit.what {
	case "pause":
		s.command("after it", s.config)
		s.k.Patch(acctest.KubeDeployments, domain, s.name, merges, `{"spec":{"paused":false}}`)
	case "restart":
		s.stable = nil // the annotation stays
	default:
		s.k.Eventually(acctest.KubeDeployments, domain, s.name, "taken back", func(d *unstructured.Unstructured) bool {
			n, _, _ := unstructured.NestedInt64(d.Object, "spec", "replicas")
			return strings.HasSuffix(imageIn(d), ":"+versionOf(s.config).tag) && n == int64(party(s.config[deploymentType])["replicas"].(int))
		})
	}
	// rollout_complete is about the last apply, so the pods may still be replaced.
	s.eventually("released or replaced", func() bool { return s.situation().releasing || s.allRun() })
	s.command("after it", s.config)
}

// interrupted ends an apply as the first Ctrl-C does, at some time: the state has what the
// cluster has, and the next apply completes it.
func (s *sequence) interrupted(change edit, choice int) {
	s.t.Helper()
	s.killAfter = time.Duration(1+choice*choice) * 20 * time.Millisecond
	next := change(s.config, choice)
	s.command(fmt.Sprintf("interrupted after %s", s.killAfter), next)
	s.killAfter = 0
	s.command("completed", s.config)
}

// secondRollout plans another Rollout of the workload, in a configuration of its own, or in one
// with a first Rollout: it is refused.
func (s *sequence) secondRollout() {
	s.t.Helper()
	second, want := merge(s.newRollout(), protocol.Object{"name": s.name + "-second"}), "Workload has a Rollout"
	r := s.run()[rolloutType]
	found := s.object(rolloutType)
	s.h.did = append(s.h.did, "second Rollout")
	if found == nil {
		want = "Two Rollouts for one workload"
		if plan, _ := r.Plan(s.t, protocol.Value(r.Kind, s.newRollout()), r.None()); protocol.Failed(plan.Diagnostics) {
			s.t.Errorf("the first Rollout is refused: %s", protocol.Messages(plan.Diagnostics))
		}
	}
	plan, _ := r.Plan(s.t, protocol.Value(r.Kind, second), r.None())
	if said := protocol.Messages(plan.Diagnostics); !protocol.Failed(plan.Diagnostics) || !strings.Contains(said, want) {
		s.t.Errorf("a second Rollout is not refused with %q: %s", want, said)
	}
	made := r.Change(s.t, protocol.Value(r.Kind, second), r.None(), plan)
	if !protocol.Failed(made.Diagnostics) || s.k.Get(acctest.KubeRollouts, domain, s.name+"-second") != nil {
		s.t.Errorf("the apply of a second Rollout says %q", protocol.Messages(made.Diagnostics))
	}
}
