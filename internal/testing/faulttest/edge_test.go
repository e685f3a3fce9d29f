package faulttest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// edgeConfiguration is a user's configuration of IEF: deployments by name, each
// with its image.
type edgeConfiguration struct {
	version api.Version
	images  map[string]string
	timeout string
}

func edgeAddress(name string) string { return "kuscia_edge_deployment." + name }

func (c edgeConfiguration) resources() []resource {
	var list []resource
	for name, image := range c.images {
		list = append(list, resource{address: edgeAddress(name), typeName: "kuscia_edge_deployment", config: func(func(string, string) any) attrs {
			return attrs{
				"name": name, "node_ids": []any{"node-1"}, "api_version": string(c.version),
				"containers": []any{attrs{"name": "app", "image_url": image, "envs": []any{attrs{"name": "KEY", "value": plantedKey}}}},
				"timeouts":   attrs{"create": c.timeout, "update": c.timeout, "delete": c.timeout},
			}
		}})
	}
	return list
}

func (c edgeConfiguration) within(timeout string) edgeConfiguration {
	c.timeout = timeout
	return c
}

// edgeTestbed is a simulated IEF with a simulated Terraform.
type edgeTestbed struct {
	server    *sandbox.Server
	terraform *terraform
}

func newEdgeTestbed(t *testing.T, timing sandbox.Timing) *edgeTestbed {
	t.Helper()
	server, err := sandbox.Start(context.Background(), sandbox.Options{
		SecretKey: plantedSecretKey, SecurityToken: plantedSecurityToken, Timing: timing,
	})
	must(err)
	t.Cleanup(func() { _ = server.Close() })
	o := server.Options()
	return &edgeTestbed{server: server, terraform: newTerraform(attrs{
		"max_retries": 2,
		"ief": attrs{
			"endpoint": server.Endpoint(), "project_id": o.ProjectID,
			"access_key": o.AccessKey, "secret_key": plantedSecretKey, "security_token": plantedSecurityToken,
		},
	})}
}

// differences lists where the server differs from a configuration.
func (b *edgeTestbed) differences(t *testing.T, c edgeConfiguration) []string {
	t.Helper()
	o := b.server.Options()
	client, err := api.New(api.Config{Endpoint: b.server.Endpoint(), ProjectID: o.ProjectID, Token: o.Token})
	must(err)
	all, err := client.List(t.Context(), api.Scope{Version: c.version}, api.Filter{}, 0)
	if err != nil {
		return []string{err.Error()}
	}
	got := map[string]string{}
	for _, d := range all {
		got[d.ID] = d.Name + " runs " + d.Template.Containers[0].ImageURL
	}
	var want []string
	for name, image := range c.images {
		want = append(want, name+" runs "+image)
	}
	var has []string
	for _, text := range got {
		has = append(has, text)
	}
	slices.Sort(has)
	slices.Sort(want)
	if !slices.Equal(has, want) {
		return []string{fmt.Sprintf("the deployments are %v, want %v", has, want)}
	}
	return nil
}

// apply applies a configuration and compares what is reported as done with the
// server.
func (b *edgeTestbed) apply(t *testing.T, c edgeConfiguration) *outcome {
	t.Helper()
	o := b.terraform.apply(c.resources()...)
	for _, p := range o.errors {
		if p.summary == providerFault || len(p.detail) < 20 {
			t.Errorf("%s: %s: %s", p.address, p.summary, p.detail)
		}
	}
	return o
}

// converges applies without faults, then checks the server, an empty plan and
// an unchanged refresh.
func (b *edgeTestbed) converges(t *testing.T, c edgeConfiguration) {
	t.Helper()
	c = c.within("1m")
	if o := b.apply(t, c); !o.ok() {
		t.Errorf("the next apply failed (%s):\n%s", o.changes(), o.text())
		return
	}
	for _, difference := range b.differences(t, c) {
		t.Errorf("after the next apply: %s", difference)
	}
	o, _ := b.terraform.plan(c.resources()...)
	if !o.ok() || o.changes() != "" || len(o.drifted) > 0 {
		t.Errorf("the plan after it is not empty: changes [%s], drift in %v\n%s", o.changes(), o.drifted, o.text())
	}
	if got := len(b.terraform.state); got != len(c.images) {
		t.Errorf("the state has %d resources, want %d", got, len(c.images))
	}
	for address, object := range b.terraform.state {
		if object.tainted {
			t.Errorf("%s is still tainted", address)
		}
	}
}

// edgeScenarios are the changes by the user during the fault, and the calls
// that they make.
var edgeScenarios = map[string]struct {
	has, wants map[string]string
	calls      map[string]sandbox.Fault
}{
	"create": {
		wants: map[string]string{"one": "app:1"},
		calls: map[string]sandbox.Fault{"POST": {Method: "POST"}, "list": {Method: "GET", Path: "/deployments"}, "any read": {Method: "GET"}},
	},
	"update": {
		has: map[string]string{"one": "app:1"}, wants: map[string]string{"one": "app:2"},
		calls: map[string]sandbox.Fault{"PUT": {Method: "PUT"}, "any read": {Method: "GET"}},
	},
	"delete": {
		has: map[string]string{"one": "app:1"}, wants: map[string]string{},
		calls: map[string]sandbox.Fault{"DELETE": {Method: "DELETE"}, "any read": {Method: "GET"}},
	},
	"read": {
		has: map[string]string{"one": "app:1"}, wants: map[string]string{"one": "app:1"},
		calls: map[string]sandbox.Fault{"any read": {Method: "GET"}},
	},
}

// edgeFaults are the faults in these calls.
var edgeFaults = map[string]sandbox.Fault{
	"reset before the effect": {},
	"reset after the effect":  {AfterEffect: true},
	"400":                     {Status: 400, Body: `{"error_code":"IEF.100012","error_msg":"not today"}`},
	"401":                     {Status: 401, Body: `{"error_code":"APIGW.0301","error_msg":"Incorrect IAM authentication information"}`},
	"403":                     {Status: 403, Body: `{"error_code":"APIGW.0302","error_msg":"The IAM user is not allowed to access the API"}`},
	"404 of a gateway":        {Status: 404, Body: `{"error_code":"APIGW.0101","error_msg":"The API does not exist"}`},
	"429":                     {Status: 429, Body: `{"error_code":"APIGW.0308","error_msg":"The throttling threshold has been reached"}`},
	"500":                     {Status: 500},
	"502 after the effect":    {Status: 502, AfterEffect: true},
	"503":                     {Status: 503},
	"504 after the effect":    {Status: 504, AfterEffect: true},
	"HTML":                    {Status: 200, Body: "<html>hello</html>"},
	"cut answer":              {Status: 200, Body: `{"id":"1`, AfterEffect: true},
}

// edgeCase is a case of the matrix of edge deployments.
type edgeCase struct {
	has, wants edgeConfiguration
	fault      sandbox.Fault
}

// sampledEdgeCases is the number of cases in the short test.
const sampledEdgeCases = 40

// edgeCases are the cases by name.
func edgeCases() map[string]edgeCase {
	cases := map[string]edgeCase{}
	for _, version := range []api.Version{api.V3, api.V2} {
		for scenario, is := range edgeScenarios {
			for call, where := range is.calls {
				for name, fault := range edgeFaults {
					for when, times := range map[string]int{"once": 1, "always": -1} {
						fault.Method, fault.Path, fault.Times = where.Method, where.Path, times
						cases[strings.Join([]string{string(version), scenario, call, name, when}, "/")] = edgeCase{
							has:   edgeConfiguration{version: version, images: is.has},
							wants: edgeConfiguration{version: version, images: is.wants}, fault: fault,
						}
					}
				}
			}
		}
	}
	return cases
}

// TestEdgeMatrix injects each fault into each call of an edge deployment, once
// and for the whole apply, and checks the next apply.
func TestEdgeMatrix(t *testing.T) {
	t.Parallel()
	cases := acctest.Sample(t, sampledEdgeCases, edgeCases())
	todo := make(chan string)
	var workers sync.WaitGroup
	for range parallelCells {
		workers.Go(func() {
			for name := range todo {
				t.Run(name, func(t *testing.T) { edgeCell(t, cases[name].has, cases[name].wants, cases[name].fault) })
			}
		})
	}
	for name := range cases {
		todo <- name
	}
	close(todo)
	workers.Wait()
}

func edgeCell(t *testing.T, has, wants edgeConfiguration, fault sandbox.Fault) {
	t.Helper()
	b := newEdgeTestbed(t, sandbox.QuickTiming())
	if len(has.images) > 0 {
		// A delete has the time limit of the previous apply. It is set by a
		// separate apply, so that the wait of the create has enough time.
		for _, limit := range []string{"1m", "3s"} {
			if o := b.apply(t, has.within(limit)); !o.ok() {
				t.Fatal(o.text())
			}
		}
	}
	b.server.Inject(fault)
	o := b.apply(t, wants.within("3s"))
	b.server.Heal()
	if b.server.FaultHits() == 0 {
		t.Error("the fault was never injected")
	}
	if o.ok() {
		for _, difference := range b.differences(t, wants) {
			t.Errorf("the apply with the fault succeeded but differs from the server: %s", difference)
		}
	}
	said := o.text()
	b.converges(t, wants)
	b.noSecrets(t, said)
	if t.Failed() {
		t.Logf("the apply with the fault planned [%s] and printed:\n%s", o.changes(), said)
	}
}

// noSecrets searches the planted secrets in texts and in the provider's log.
func (b *edgeTestbed) noSecrets(t *testing.T, texts ...string) {
	t.Helper()
	log := b.terraform.log.String()
	if !strings.Contains(log, "IEF request body") {
		t.Error("the log has no request, so the search for secrets proves nothing")
	}
	noSecrets(t, append(texts, log)...)
}
