package edgedeployment

import (
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
)

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
	for name, test := range map[string]struct {
		wanted        tree
		rollout       rollout
		ready         int32
		pods          []ief.Pod
		later         time.Duration
		done, guessed bool
	}{
		"created":                     {wanted: minimal(), ready: 1, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1")}, done: true},
		"no instance":                 {wanted: minimal()},
		"pending":                     {wanted: minimal(), pods: []ief.Pod{pod("a", ief.StatePending, "kuscia:1")}},
		"failed":                      {wanted: minimal(), pods: []ief.Pod{pod("a", ief.StateCreateFail, "kuscia:1")}},
		"runs and is not ready":       {wanted: minimal(), pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1")}},
		"one of two":                  {wanted: two, ready: 1, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1")}},
		"two":                         {wanted: two, ready: 2, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1"), pod("b", ief.StateRunning, "kuscia:1")}, done: true},
		"one too many":                {wanted: minimal(), ready: 2, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1"), pod("b", ief.StateRunning, "kuscia:1")}},
		"one is leaving":              {wanted: minimal(), ready: 1, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1"), pod("b", ief.StateTerminating, "kuscia:1")}, done: true},
		"old one runs":                {wanted: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}},
		"old one runs for hours":      {wanted: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}, later: time.Hour},
		"old and new":                 {wanted: image2, rollout: ofImage, ready: 2, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1"), pod("new", ief.StateRunning, "kuscia:2")}},
		"new":                         {wanted: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:2")}, done: true},
		"new with the old definition": {wanted: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:1")}},
		"changed in place":            {wanted: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:2")}, done: true},
		"hidden change, at once":      {wanted: user, rollout: ofUser, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}},
		"hidden change, new instance": {wanted: user, rollout: ofUser, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:1")}, done: true},
		"hidden change, after a time": {wanted: user, rollout: ofUser, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}, later: settleTime, done: true, guessed: true},
		"hidden value, at once":       {wanted: token, rollout: ofToken, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}},
		"hidden value, new instance":  {wanted: token, rollout: ofToken, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:1")}, done: true},
		"a job that ended":            {wanted: minimal(attribute("restart_policy", "Never")), pods: []ief.Pod{pod("a", ief.StateSucceeded, "kuscia:1")}, done: true},
		"a service that ended":        {wanted: minimal(), ready: 1, pods: []ief.Pod{pod("a", ief.StateSucceeded, "kuscia:1")}},
		"v2 counts instances":         {wanted: minimal(inV2), pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1")}, done: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			version := "v3"
			if test.wanted["api_version"] == "v2" {
				version = "v2"
			}
			wanted := stored(t, test.wanted, nil)
			before := wanted.Copy()
			got := test.rollout.judge(wanted, &ief.Deployment{APIVersion: version, ReadyReplicas: test.ready}, test.pods, now.Add(test.later))
			if got.done != test.done || got.guessed != test.guessed {
				t.Errorf("%+v, want done %t, guessed %t", got, test.done, test.guessed)
			}
			if !wanted.Equal(before) {
				t.Error("the plan was changed")
			}
		})
	}
}
