package ief_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief/ieftest"
)

var (
	v2 = ief.Scope{Version: ief.V2}
	v3 = ief.Scope{Version: ief.V3}
)

func start(t *testing.T, options sandbox.Options) (*sandbox.Server, *ief.Client) {
	t.Helper()
	s := ieftest.Start(t, options)
	o := s.Options()
	return s, connect(t, ief.Config{Endpoint: s.Endpoint(), ProjectID: o.ProjectID, AccessKey: o.AccessKey, SecretKey: o.SecretKey, SecurityToken: o.SecurityToken, MaxRetries: 3})
}

func connect(t *testing.T, config ief.Config) *ief.Client {
	t.Helper()
	c, err := ief.New(config)
	if err != nil {
		t.Fatal(err)
	}
	backoff := httpapi.DefaultBackoff
	backoff.Base, backoff.Max = time.Millisecond, 5*time.Millisecond
	c.SetBackoff(backoff)
	return c
}

func request(name string) *ief.CreateRequest {
	secret := "env-secret-value"
	return &ief.CreateRequest{
		Name: name, NodeIDs: []string{"node-1"},
		Deployment: ief.Spec{Replicas: 1, Template: ief.Template{
			Configs: ief.PodConfigs{RestartPolicy: "Always"},
			Containers: []ief.Container{{
				Name: "app", ImageURL: "app:1", Envs: []ief.Env{{Name: "TOKEN", Value: &secret}},
				Resources: &ief.Resources{Limits: map[string]string{"cpu": "0.25", "memory": "512"}},
			}},
		}},
	}
}

// TestClient calls every operation of both versions.
func TestClient(t *testing.T) {
	t.Parallel()
	for _, scope := range []ief.Scope{v2, v3, {Version: ief.V3, InstanceID: "i-1"}} {
		t.Run(fmt.Sprint(scope), func(t *testing.T) {
			t.Parallel()
			s, c := start(t, sandbox.Options{InstanceIDs: []string{"i-1"}, SecurityToken: "temporary"})
			ctx := t.Context()
			made, err := c.Create(ctx, scope, request("a"))
			if err != nil || made.ID == "" || made.Name != "a" {
				t.Fatalf("%+v %v", made, err)
			}
			got, err := c.Get(ctx, scope, made.ID)
			if err != nil || got.Template == nil || got.Template.Containers[0].ImageURL != "app:1" || got.NodeIDs[0] != "node-1" {
				t.Fatalf("%+v %v", got, err)
			}
			text := "other"
			change := request("a").Deployment.Template
			change.Containers[0].ImageURL = "app:2"
			if err := c.Update(ctx, scope, made.ID, &ief.UpdateRequest{Description: &text, Deployment: &ief.UpdateSpec{Replicas: 1, Template: change}}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(s.Options().Timing.Lag + s.Options().Timing.Start + 50*time.Millisecond)
			pods, err := c.Pods(ctx, scope, made.ID)
			if err != nil || len(pods) != 1 || pods[0].Containers[0].ImageURL != "app:2" {
				t.Fatalf("%+v %v", pods, err)
			}
			if got, err = c.Get(ctx, scope, made.ID); err != nil || got.Description != "other" {
				t.Fatalf("%+v %v", got, err)
			}
			s.Inject(sandbox.Fault{Method: http.MethodGet, Status: 200, Body: `{"id":"other","deployment":{"id":"other"}}`})
			if _, err := c.Get(ctx, scope, made.ID); !errors.Is(err, apierror.ErrUnexpectedResponse) {
				t.Errorf("the response for another deployment: %v", err)
			}
			if err := c.Delete(ctx, scope, made.ID, true); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Get(ctx, scope, made.ID); !errors.Is(err, apierror.ErrNotFound) {
				t.Error(err)
			}
			for _, r := range s.Requests() {
				if r.Header.Get("Authorization") == "" || r.Header.Get(ief.HeaderInstance) != scope.InstanceID {
					t.Errorf("%s %s: %v", r.Method, r.Path, r.Header)
				}
			}
		})
	}
}

// TestList: a list reads all pages in a stable order, and no more than the
// limit.
func TestList(t *testing.T) {
	t.Parallel()
	for _, scope := range []ief.Scope{v2, v3} {
		s, c := start(t, sandbox.Options{})
		for i := range 230 {
			if _, err := c.Create(t.Context(), scope, request(fmt.Sprintf("d-%03d", i))); err != nil {
				t.Fatal(err)
			}
		}
		before := len(s.Requests())
		all, err := c.List(t.Context(), scope, ief.Filter{}, 0)
		if err != nil || len(all) != 230 || len(s.Requests())-before != 3 {
			t.Fatalf("%s: %d deployments, %d requests, %v", scope.Version, len(all), len(s.Requests())-before, err)
		}
		seen := map[string]bool{}
		for _, d := range all {
			seen[d.Name] = true
		}
		if len(seen) != 230 {
			t.Errorf("%s: %d names", scope.Version, len(seen))
		}
		if some, err := c.List(t.Context(), scope, ief.Filter{Name: "d-1"}, 5); err != nil || len(some) != 5 {
			t.Errorf("%s: %d, %v", scope.Version, len(some), err)
		}
	}
}

// TestFaults: a create is repeated only if it certainly had no effect; errors have their kind, and
// the code and text that are documented.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault    sandbox.Fault
		kind     error // nil for a success
		want     string
		unknown  bool
		deployed int
	}{
		"throttled":        {sandbox.Fault{Method: "POST", Status: 429, Times: 2}, nil, "", false, 1},
		"response lost":    {sandbox.Fault{Method: "POST", AfterEffect: true}, apierror.ErrUnavailable, "", true, 1},
		"gateway gives up": {sandbox.Fault{Method: "POST", AfterEffect: true, Status: 504}, apierror.ErrUnavailable, "", true, 1},
		"refused":          {sandbox.Fault{Method: "POST", Status: 400, Body: `{"error_code":"IEF.100012","error_msg":"no"}`}, apierror.ErrInvalid, "IEF.100012", false, 0},
		"list, lost":       {sandbox.Fault{Method: "GET", AfterEffect: true, Times: 2}, nil, "", false, 0},
		"list, always":     {sandbox.Fault{Method: "GET", Status: 503, Times: -1}, apierror.ErrUnavailable, "", false, 0},
		"denied":           {sandbox.Fault{Method: "GET", Status: 400, Body: `{"error_code":"IEF.011005","error_msg":"Authentication failed."}`}, apierror.ErrUnauthorized, "IEF.011005", false, 0},
		"forbidden":        {sandbox.Fault{Method: "GET", Status: 403, Body: `{"error_code":"APIGW.0301","error_msg":"Incorrect IAM authentication information"}`}, apierror.ErrUnauthorized, "APIGW.0301", false, 0},
		"gateway too":      {sandbox.Fault{Method: "GET", Status: 404, Body: `{"error_code":"APIG.0101","error_msg":"The API does not exist"}`}, apierror.ErrUnsupported, "APIG.0101", false, 0},
		"no project":       {sandbox.Fault{Method: "GET", Status: 400, Body: `{"error_code":"IEF.100001","error_msg":"PROJECT_ID not found"}`}, apierror.ErrInvalid, "PROJECT_ID not found", false, 0},
		"no API":           {sandbox.Fault{Method: "GET", Status: 400, Body: `{"error_code":"IEF.011002","error_msg":"The API is not registered."}`}, apierror.ErrUnsupported, "IEF.011002", false, 0},
		"gateway":          {sandbox.Fault{Method: "GET", Status: 404, Body: `{"error_code":"APIGW.0101","error_msg":"The API does not exist"}`}, apierror.ErrUnsupported, "APIGW.0101", false, 0},
		"taken":            {sandbox.Fault{Method: "GET", Status: 409, Body: `{"error_code":"IEF.1","error_msg":"exists"}`}, apierror.ErrExists, "", false, 0},
		"page":             {sandbox.Fault{Method: "GET", Status: 404, Body: `<html>nothing here</html>`}, apierror.ErrUnexpectedResponse, "", false, 0},
		"redirect":         {sandbox.Fault{Method: "GET", Kind: faults.Redirect, Location: "https://elsewhere.example/"}, apierror.ErrUnexpectedResponse, "redirect to https://elsewhere.example, which is not followed", false, 0},
		"other types":      {sandbox.Fault{Method: "GET", Status: 200, Times: -1, Body: `{"deployments":"none"}`}, apierror.ErrUnexpectedResponse, "", false, 0},
		"another server":   {sandbox.Fault{Method: "POST", AfterEffect: true, Status: 200, Body: "<html>"}, apierror.ErrUnexpectedResponse, "", true, 1},
		"key twice":        {sandbox.Fault{Method: "GET", Status: 200, Times: -1, Body: `{"deployments":[],"deployments":[]}`}, apierror.ErrUnexpectedResponse, "", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := start(t, sandbox.Options{})
			s.Inject(test.fault)
			var err error
			if test.fault.Method == http.MethodPost {
				_, err = c.Create(t.Context(), v3, request("a"))
			} else {
				_, err = c.List(t.Context(), v3, ief.Filter{}, 0)
			}
			if !errors.Is(err, test.kind) || apierror.OutcomeUnknown(err) != test.unknown || s.Count("a") != test.deployed {
				t.Fatalf("%v; outcome unknown %t; %d deployments", err, apierror.OutcomeUnknown(err), s.Count("a"))
			}
			if err != nil && (!strings.Contains(err.Error(), test.want) || apierror.Hint(err) == "" && !errors.Is(test.kind, apierror.ErrExists) && !errors.Is(test.kind, apierror.ErrUnavailable)) {
				t.Errorf("%v, hint %q", err, apierror.Hint(err))
			}
		})
	}
}

// TestSecrets: credentials and values of variables are masked in errors,
// whatever a server repeats.
func TestSecrets(t *testing.T) {
	t.Parallel()
	s, c := start(t, sandbox.Options{SecretKey: "very-secret-key", SecurityToken: "security-token"})
	s.Inject(sandbox.Fault{Times: -1, Status: 400, Body: `{"error_code":"IEF.100013","error_msg":"TOKEN=env-secret-value very-secret-key security-token \u001b[2J"}`})
	_, err := c.Create(t.Context(), v3, request("a"))
	if err == nil {
		t.Fatal("no error")
	}
	for _, secret := range []string{"env-secret-value", "very-secret-key", "security-token", "\x1b"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error %q contains %q", err, secret)
		}
	}
}

// TestSecretsOfInstances: the texts of an instance show no value of a variable, of
// whichever container.
func TestSecretsOfInstances(t *testing.T) {
	t.Parallel()
	s, c := start(t, sandbox.Options{})
	container := func(name, value string) string {
		return fmt.Sprintf(`{"name":%q,"envs":[{"name":"T","value":%q}],"state":"s","reason":"first-secret\u001b second-secret","message":"second-secret first-secret"}`, name, value)
	}
	s.Inject(sandbox.Fault{Status: 200, Body: `{"count":1,"pods":[{"id":"p","name":"p","state":"RUNNING","message":"first-secret second-secret",` +
		`"init_containers":[` + container("init", "first-secret") + `],"containers":[` + container("main", "second-secret") + `]}]}`})
	pods, err := c.Pods(t.Context(), v3, "id")
	if err != nil || len(pods) != 1 || len(pods[0].InitContainers) != 1 || len(pods[0].Containers) != 1 {
		t.Fatalf("%+v, %v", pods, err)
	}
	p := pods[0]
	for _, text := range []string{p.Message, p.InitContainers[0].Reason, p.InitContainers[0].Message, p.Containers[0].Reason, p.Containers[0].Message} {
		if text == "" || strings.Contains(text, "-secret") || strings.Contains(text, "\x1b") {
			t.Errorf("it shows %q", text)
		}
	}
	if value := p.InitContainers[0].Envs[0].Value; *value != "first-secret" {
		t.Errorf("the value has become %q", *value)
	}
}

// TestUpgradeFailed: v2 reports a failed update with HTTP status 200.
func TestUpgradeFailed(t *testing.T) {
	t.Parallel()
	s, c := start(t, sandbox.Options{})
	made, err := c.Create(t.Context(), v2, request("a"))
	if err != nil {
		t.Fatal(err)
	}
	s.Inject(sandbox.Fault{Method: http.MethodPut, Status: 200, Body: `{"upgrade_ret":"failed","reason":"node offline","deployment":{}}`})
	text := "x"
	if err := c.Update(t.Context(), v2, made.ID, &ief.UpdateRequest{Description: &text}); !errors.Is(err, apierror.ErrInvalid) || !strings.Contains(err.Error(), "node offline") {
		t.Error(err)
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	fine := ief.Config{Endpoint: "https://ief.example", ProjectID: "p", AccessKey: "a", SecretKey: "s"}
	for name, test := range map[string]struct {
		change func(*ief.Config)
		want   string
	}{
		"fine":          {func(*ief.Config) {}, ""},
		"token":         {func(c *ief.Config) { c.AccessKey, c.SecretKey, c.Token = "", "", "t" }, ""},
		"both":          {func(c *ief.Config) { c.SecretKey, c.Token = "", "t" }, "set only one of them"},
		"neither":       {func(c *ief.Config) { c.SecretKey = "" }, "are needed"},
		"no project":    {func(c *ief.Config) { c.ProjectID = "" }, "project"},
		"other project": {func(c *ief.Config) { c.ProjectID = "../x" }, "project"},
		"line break":    {func(c *ief.Config) { c.SecretKey = "s\n" }, "white space"},
		"other scheme":  {func(c *ief.Config) { c.Endpoint = "ftp://ief.example" }, "is not https"},
		"plain":         {func(c *ief.Config) { c.Endpoint = "http://ief.example" }, "https://"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := fine
			test.change(&c)
			err := c.Validate()
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
	if got := ief.EndpointOf("cn-north-4"); got != "https://ief.cn-north-4.myhuaweicloud.com" {
		t.Error(got)
	}
}
