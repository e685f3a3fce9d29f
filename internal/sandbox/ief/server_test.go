package ief_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
)

func start(t *testing.T, options sandbox.Options) *sandbox.Server {
	t.Helper()
	s, err := sandbox.Start(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

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
			s := start(t, sandbox.Options{Timing: timing, Started: func(environment map[string]string) { started <- environment["TOKEN"] }})
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

func deployment(image string) *api.CreateRequest {
	return &api.CreateRequest{Name: "a", NodeIDs: []string{"node-1"}, Deployment: api.Spec{Replicas: 1, Template: api.Template{
		Configs: api.PodConfigs{RestartPolicy: "Always"}, Containers: []api.Container{{Name: "app", ImageURL: image}},
	}}}
}

// TestStates covers instances over time, with permanent and temporary failures.
func TestStates(t *testing.T) {
	t.Parallel()
	timing := sandbox.Timing{Start: 100 * time.Millisecond, ClearFaults: 200 * time.Millisecond, Lag: 100 * time.Millisecond, Remove: 50 * time.Millisecond}
	for _, version := range []api.Version{api.V2, api.V3} {
		for image, want := range map[string][]string{
			"fine":   {"PENDING", "RUNNING"},
			"slow":   {"PENDING", "CREATE_FAIL", "RUNNING"},
			"broken": {"PENDING", "CREATE_FAIL"},
		} {
			t.Run(string(version)+" "+image, func(t *testing.T) {
				t.Parallel()
				s := start(t, sandbox.Options{Timing: timing})
				c, scope := client(t, s, nil), api.Scope{Version: version}
				made, err := c.Create(t.Context(), scope, deployment(image))
				if err != nil {
					t.Fatal(err)
				}
				var seen []string
				for end := time.Now().Add(700 * time.Millisecond); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
					pods, err := c.Pods(t.Context(), scope, made.ID)
					if err != nil || len(pods) != 1 {
						t.Fatal(pods, err)
					}
					state := strings.TrimSuffix(pods[0].State, "_CREATE")
					if len(seen) == 0 || seen[len(seen)-1] != state {
						seen = append(seen, state)
					}
				}
				if strings.Join(seen, " ") != strings.Join(want, " ") {
					t.Errorf("%v, want %v", seen, want)
				}
			})
		}
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	if _, err := sandbox.Start(t.Context(), sandbox.Options{Listen: "0.0.0.0:0"}); err == nil {
		t.Error("listens on all addresses")
	}
}
