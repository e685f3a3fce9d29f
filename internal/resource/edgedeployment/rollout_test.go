package edgedeployment

import (
	"reflect"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
)

// TestClockSetBack: after the clock was set back by hours, an update settles after
// settleTime and not when the clock has reached its time.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	sent := time.Now()
	last := rollout{Changed: []string{"containers[0].run_as_user"}, Before: []string{"old"}, Since: sent}
	desired := stored(t, minimal(container("run_as_user", int64(5))), nil)
	pods := []ief.Pod{{ID: "old", State: ief.StateRunning, Configs: &ief.PodConfigs{RestartPolicy: "Always"}, Containers: []ief.PodContainer{{Container: ief.Container{Name: "app", ImageURL: "kuscia:1"}}}}}
	for _, step := range []struct {
		at              time.Duration
		corrected, done bool
	}{{0, false, false}, {-3 * time.Hour, true, false}, {-3*time.Hour + settleTime, false, true}} {
		now := sent.Add(step.at)
		if corrected := last.notAfter(now); corrected != step.corrected {
			t.Errorf("at %s: corrected %t", step.at, corrected)
		}
		if got, _ := last.judge(desired, &ief.Deployment{APIVersion: "v3", ReadyReplicas: 1}, pods, now); got.Runs() != step.done {
			t.Errorf("at %s: %+v", step.at, got)
		}
	}
}

func TestRollout(t *testing.T) {
	t.Parallel()
	now := time.Now()
	pod := func(id, state, image string) ief.Pod {
		return ief.Pod{ID: id, Name: id, State: state, Configs: &ief.PodConfigs{RestartPolicy: "Always"}, Containers: []ief.PodContainer{{Container: ief.Container{Name: "app", ImageURL: image}}}}
	}
	image2 := minimal(container("image_url", "kuscia:2"))
	two := minimal(attribute("replicas", int64(2)))
	user := minimal(container("run_as_user", int64(5)))
	ofImage := rollout{Changed: []string{"containers[0].image_url"}, Before: []string{"old"}, Since: now}
	ofUser := rollout{Changed: []string{"containers[0].run_as_user"}, Before: []string{"old"}, Since: now}
	token := minimal(container("envs", []any{tree{"name": "TOKEN", "value_wo": "t", "value_wo_version": int64(2)}}))
	ofToken := rollout{Changed: []string{"containers[0].envs[0].value_wo_version"}, Before: []string{"old"}, Since: now}
	init2 := minimal(attribute("init_containers", []any{tree{"name": "init", "image_url": "init:2"}}))
	ofInit := rollout{Changed: []string{"init_containers[0].image_url"}, Before: []string{"old"}, Since: now}
	withInit := pod("old", ief.StateRunning, "kuscia:1")
	withInit.InitContainers = []ief.PodContainer{{Container: ief.Container{Name: "init", ImageURL: "init:2"}}}
	for name, test := range map[string]struct {
		desired       tree
		rollout       rollout
		ready         int32
		pods          []ief.Pod
		later         time.Duration
		done, guessed bool
	}{
		"created":                     {desired: minimal(), ready: 1, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1")}, done: true},
		"no instance":                 {desired: minimal()},
		"failed":                      {desired: minimal(), pods: []ief.Pod{pod("a", ief.StateCreateFail, "kuscia:1")}},
		"runs and is not ready":       {desired: minimal(), pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1")}},
		"two":                         {desired: two, ready: 2, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1"), pod("b", ief.StateRunning, "kuscia:1")}, done: true},
		"one too many":                {desired: minimal(), ready: 2, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1"), pod("b", ief.StateRunning, "kuscia:1")}},
		"one is leaving":              {desired: minimal(), ready: 1, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1"), pod("b", ief.StateTerminating, "kuscia:1")}, done: true},
		"old one runs":                {desired: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}},
		"new":                         {desired: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:2")}, done: true},
		"new with the old definition": {desired: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:1")}},
		"changed in place":            {desired: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:2")}, done: true},
		"hidden change, at once":      {desired: user, rollout: ofUser, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}},
		"hidden change, after a time": {desired: user, rollout: ofUser, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}, later: settleTime, done: true, guessed: true},
		"hidden value, new instance":  {desired: token, rollout: ofToken, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:1")}, done: true},
		"a job that ended":            {desired: minimal(attribute("restart_policy", "Never")), pods: []ief.Pod{pod("a", ief.StateSucceeded, "kuscia:1")}, done: true},
		"a service that ended":        {desired: minimal(), ready: 1, pods: []ief.Pod{pod("a", ief.StateSucceeded, "kuscia:1")}},
		"init container, changed":     {desired: init2, rollout: ofInit, ready: 1, pods: []ief.Pod{withInit}, done: true},
		"v2 counts instances":         {desired: minimal(inV2), pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1")}, done: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			version := "v3"
			if test.desired["api_version"] == "v2" {
				version = "v2"
			}
			desired := stored(t, test.desired, nil)
			before := desired.Copy()
			got, _ := test.rollout.judge(desired, &ief.Deployment{APIVersion: version, ReadyReplicas: test.ready}, test.pods, now.Add(test.later))
			if got.Runs() != test.done || (got.Is == judge.RunsUnseen) != test.guessed {
				t.Errorf("%+v, want done %t, guessed %t", got, test.done, test.guessed)
			}
			if !desired.Equal(before) {
				t.Error("the plan was changed")
			}
		})
	}
}

// TestDescribe: the error of a failed instance has what its container says.
func TestDescribe(t *testing.T) {
	t.Parallel()
	failing := ief.Pod{Name: "a", State: ief.StateCreateFail, Containers: []ief.PodContainer{{Reason: "ErrImagePull", Message: "no such image"}}}
	if got := describe(failing, true); got != "a is CREATE_FAIL: ErrImagePull: no such image" {
		t.Errorf("what a container says is described as %q", got)
	}
}

// TestRollout_second: an update after one that was not observed to run is
// complete when the instances have the changes of both.
func TestRollout_second(t *testing.T) {
	t.Parallel()
	now := time.Now()
	const image, env, token, user = "containers[0].image_url", "containers[0].envs[0].value", "containers[0].envs[0].value_wo_version", "containers[0].run_as_user"
	update := func(changed ...string) rollout { return rollout{Changed: changed, Before: []string{"old"}, Since: now} }
	desired := minimal(container("image_url", "kuscia:2"), container("envs", []any{tree{"name": "A", "value": "a"}}))
	pod := func(id, image, value string) ief.Pod {
		return ief.Pod{ID: id, Name: id, State: ief.StateRunning, Configs: &ief.PodConfigs{RestartPolicy: "Always"}, Containers: []ief.PodContainer{{
			Container: ief.Container{Name: "app", ImageURL: image, Envs: []ief.Env{{Name: "A", Value: &value}}},
		}}}
	}
	for name, test := range map[string]struct {
		updates       []rollout
		pod           ief.Pod
		later         time.Duration
		done, guessed bool
	}{
		"only the number of instances, image of before":   {updates: []rollout{update(image), {Since: now}}, pod: pod("old", "kuscia:1", "a")},
		"one of two taken back, image of before":          {updates: []rollout{update(image, env), update(env)}, pod: pod("old", "kuscia:1", "a")},
		"one of two taken back, changed":                  {updates: []rollout{update(image, env), update(env)}, pod: pod("old", "kuscia:2", "a"), done: true},
		"then a secret, instance of the first":            {updates: []rollout{update(image), update(token)}, pod: pod("old", "kuscia:2", "a")},
		"then a secret, new instance":                     {updates: []rollout{update(image), update(token)}, pod: pod("new", "kuscia:2", "a"), done: true},
		"then a secret, after a time":                     {updates: []rollout{update(image), update(token)}, pod: pod("old", "kuscia:2", "a"), later: settleTime, done: true, guessed: true},
		"then a secret, image of before, after a time":    {updates: []rollout{update(image), update(token)}, pod: pod("old", "kuscia:1", "a"), later: settleTime},
		"secret, then the image taken back, new instance": {updates: []rollout{update(image, token), update(image)}, pod: pod("new", "kuscia:2", "a"), done: true},
		"after a create":                                  {updates: []rollout{{Since: now}, update(env)}, pod: pod("old", "kuscia:2", "a"), done: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := test.updates[0]
			for _, next := range test.updates[1:] {
				all = all.merge(next)
			}
			got, _ := all.judge(stored(t, desired, nil), &ief.Deployment{APIVersion: "v3", ReadyReplicas: 1}, []ief.Pod{test.pod}, now.Add(test.later))
			if got.Runs() != test.done || (got.Is == judge.RunsUnseen) != test.guessed {
				t.Errorf("%+v of %+v, want done %t, guessed %t", got, all, test.done, test.guessed)
			}
		})
	}
}

// TestFollowing: with a wait, the changes of an earlier update count until its
// rollout was observed.
func TestFollowing(t *testing.T) {
	t.Parallel()
	now := time.Now()
	first := rollout{Changed: []string{"containers[0].image_url"}, Earlier: []string{"affinity"}, Before: []string{"old"}, Since: now.Add(-time.Hour)}
	changed := rollout{Changed: []string{"affinity"}, Before: []string{"old", "new"}, Since: now}
	scaled := rollout{Since: now}
	both, still := changed, first
	both.Earlier, still.Since = []string{"affinity", "containers[0].image_url"}, now
	complete := map[string]tftypes.Value{"complete": bool2(true), "unfinished": bool2(false), "not waited for": tftypes.NewValue(tftypes.Bool, nil)}
	for name, want := range map[string][2]rollout{
		"complete": {changed, scaled}, "unfinished": {both, still}, "not waited for": {changed, still},
	} {
		prior := stored(t, minimal(), map[string]tftypes.Value{"rollout_complete": complete[name]})
		for i, second := range []rollout{changed, scaled} {
			if got := afterSecondUpdate(prior, first, second); !reflect.DeepEqual(got, want[i]) {
				t.Errorf("%s: %+v, want %+v", name, got, want[i])
			}
		}
	}
	if again := first.merge(first).merge(first); len(again.Earlier) != 2 || !reflect.DeepEqual(first.Earlier, []string{"affinity"}) {
		t.Errorf("the first became %+v, and %+v after the same two times", first, again)
	}
}
