package ief_test

import (
	"slices"
	"testing"
	"time"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief/ieftest"
)

func client(t *testing.T, s *sandbox.Server, change func(*api.Config)) *api.Client {
	t.Helper()
	o := s.Options()
	config := api.Config{Endpoint: s.Endpoint(), ProjectID: o.ProjectID, AccessKey: o.AccessKey, SecretKey: o.SecretKey, SecurityToken: o.SecurityToken}
	if change != nil {
		change(&config)
	}
	c, err := api.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// kusciaNode is a deployment with a deploy token.
func kusciaNode(token string) api.Spec {
	return api.Spec{Replicas: 1, Template: api.Template{
		Configs:    api.PodConfigs{RestartPolicy: "Always"},
		Containers: []api.Container{{Name: "kuscia", ImageURL: "kuscia:1", Envs: []api.Env{{Name: "TOKEN", Value: &token}}}},
	}}
}

// TestStartedIfItRuns: instances that are removed before they run do not start, and those
// of an update do.
func TestStartedIfItRuns(t *testing.T) {
	t.Parallel()
	scope, timing := api.Scope{Version: api.V3}, sandbox.Timing{Lag: 100 * time.Millisecond, Start: 400 * time.Millisecond}
	wait := func() { time.Sleep(2 * (timing.Lag + timing.Start)) }
	for name, test := range map[string]struct {
		then func(c *api.Client, s *sandbox.Server, id string) error
		want []string
	}{
		"deleted": {func(c *api.Client, _ *sandbox.Server, id string) error {
			return c.Delete(t.Context(), scope, id, false)
		}, nil},
		"dropped": {func(_ *api.Client, s *sandbox.Server, _ string) error { s.Drop("node"); return nil }, nil},
		"updated": {func(c *api.Client, _ *sandbox.Server, id string) error {
			wait()
			return c.Update(t.Context(), scope, id, &api.UpdateRequest{Deployment: &api.UpdateSpec{Replicas: 1, Template: kusciaNode("second").Template}})
		}, []string{"first", "second"}},
		"more instances": {func(c *api.Client, _ *sandbox.Server, id string) error {
			return c.Update(t.Context(), scope, id, &api.UpdateRequest{Deployment: &api.UpdateSpec{Replicas: 2, Template: kusciaNode("first").Template}})
		}, []string{"first"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started := make(chan string, 10)
			s := ieftest.Start(t, sandbox.Options{Timing: timing, Started: func(environment map[string]string) { started <- environment["TOKEN"] }})
			c := client(t, s, nil)
			made, err := c.Create(t.Context(), scope, &api.CreateRequest{Name: "node", NodeIDs: []string{"node-1"}, Deployment: kusciaNode("first")})
			if err == nil {
				err = test.then(c, s, made.ID)
			}
			if err != nil {
				t.Fatal(err)
			}
			wait()
			var have []string
			for len(started) > 0 {
				have = append(have, <-started)
			}
			if !slices.Equal(have, test.want) {
				t.Errorf("%v started, want %v", have, test.want)
			}
		})
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	if _, err := sandbox.Start(t.Context(), sandbox.Options{Listen: "0.0.0.0:0"}); err == nil {
		t.Error("listens on all addresses")
	}
}
