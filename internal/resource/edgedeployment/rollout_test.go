package edgedeployment

import (
	"reflect"
	"slices"
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
		desired       tree
		rollout       rollout
		ready         int32
		pods          []ief.Pod
		later         time.Duration
		done, guessed bool
	}{
		"created":                     {desired: minimal(), ready: 1, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1")}, done: true},
		"no instance":                 {desired: minimal()},
		"pending":                     {desired: minimal(), pods: []ief.Pod{pod("a", ief.StatePending, "kuscia:1")}},
		"failed":                      {desired: minimal(), pods: []ief.Pod{pod("a", ief.StateCreateFail, "kuscia:1")}},
		"runs and is not ready":       {desired: minimal(), pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1")}},
		"one of two":                  {desired: two, ready: 1, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1")}},
		"two":                         {desired: two, ready: 2, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1"), pod("b", ief.StateRunning, "kuscia:1")}, done: true},
		"one too many":                {desired: minimal(), ready: 2, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1"), pod("b", ief.StateRunning, "kuscia:1")}},
		"one is leaving":              {desired: minimal(), ready: 1, pods: []ief.Pod{pod("a", ief.StateRunning, "kuscia:1"), pod("b", ief.StateTerminating, "kuscia:1")}, done: true},
		"old one runs":                {desired: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}},
		"old one runs for hours":      {desired: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}, later: time.Hour},
		"old and new":                 {desired: image2, rollout: ofImage, ready: 2, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1"), pod("new", ief.StateRunning, "kuscia:2")}},
		"new":                         {desired: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:2")}, done: true},
		"new with the old definition": {desired: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:1")}},
		"changed in place":            {desired: image2, rollout: ofImage, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:2")}, done: true},
		"hidden change, at once":      {desired: user, rollout: ofUser, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}},
		"hidden change, new instance": {desired: user, rollout: ofUser, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:1")}, done: true},
		"hidden change, after a time": {desired: user, rollout: ofUser, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}, later: settleTime, done: true, guessed: true},
		"hidden value, at once":       {desired: token, rollout: ofToken, ready: 1, pods: []ief.Pod{pod("old", ief.StateRunning, "kuscia:1")}},
		"hidden value, new instance":  {desired: token, rollout: ofToken, ready: 1, pods: []ief.Pod{pod("new", ief.StateRunning, "kuscia:1")}, done: true},
		"a job that ended":            {desired: minimal(attribute("restart_policy", "Never")), pods: []ief.Pod{pod("a", ief.StateSucceeded, "kuscia:1")}, done: true},
		"a service that ended":        {desired: minimal(), ready: 1, pods: []ief.Pod{pod("a", ief.StateSucceeded, "kuscia:1")}},
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
			got := test.rollout.progressOf(desired, &ief.Deployment{APIVersion: version, ReadyReplicas: test.ready}, test.pods, now.Add(test.later))
			if got.done != test.done || got.guessed != test.guessed {
				t.Errorf("%+v, want done %t, guessed %t", got, test.done, test.guessed)
			}
			if !desired.Equal(before) {
				t.Error("the plan was changed")
			}
		})
	}
}

// TestRollout_second: an update after one that was not seen to run leaves what
// that one still has to be seen to do.
func TestRollout_second(t *testing.T) {
	t.Parallel()
	now := time.Now()
	image, env := "containers[0].image_url", "containers[0].envs[0].value"
	ofImage := rollout{Changed: []string{image}, Before: []string{"old"}, Since: now.Add(-time.Hour)}
	for name, test := range map[string]struct {
		first, second, want rollout
	}{
		"only the number of instances": {
			ofImage, rollout{Since: now},
			rollout{Changed: []string{image}, Before: []string{"old"}, Since: now},
		},
		"one of two changes taken back": {
			rollout{Changed: []string{image, env}, Before: []string{"old"}}, rollout{Changed: []string{env}, Before: []string{"old", "broken"}, Since: now},
			rollout{Changed: []string{image, env}, Before: []string{"old", "broken"}, Since: now},
		},
		"another attribute": {
			ofImage, rollout{Changed: []string{env}, Before: []string{"old"}, Since: now},
			rollout{Changed: []string{image, env}, Before: []string{"old"}, Since: now},
		},
		"after a create": {
			rollout{Since: now.Add(-time.Hour)}, rollout{Changed: []string{env}, Before: []string{"old"}, Since: now},
			rollout{Changed: []string{env}, Before: []string{"old"}, Since: now},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := rollout{Changed: slices.Clone(test.first.Changed), Before: slices.Clone(test.first.Before), Since: test.first.Since}
			if got := test.first.and(test.second); !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, want %+v", got, test.want)
			}
			if !reflect.DeepEqual(test.first, first) {
				t.Errorf("the first became %+v", test.first)
			}
		})
	}
}
