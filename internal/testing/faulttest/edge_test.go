package faulttest_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	simulated "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
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
	var got, want []string
	for _, d := range all {
		got = append(got, d.Name+" runs "+d.Template.Containers[0].ImageURL)
	}
	for name, image := range c.images {
		want = append(want, name+" runs "+image)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return []string{fmt.Sprintf("the deployments are %v, want %v", got, want)}
	}
	return nil
}

// checkConverges applies without faults, then checks the server, an empty plan,
// an unchanged refresh and the state.
func (b *edgeTestbed) checkConverges(t *testing.T, c edgeConfiguration) {
	t.Helper()
	b.terraform.checkConverges(t, c.within("1m").resources(), func() []string { return b.differences(t, c) })
}

// edgeScenarios are the changes by the user during the fault, and the calls
// that they make.
var edgeScenarios = map[string]struct {
	initial, desired map[string]string
	calls            map[string]sandbox.Fault
}{
	"create": {
		desired: map[string]string{"one": "app:1"},
		calls:   map[string]sandbox.Fault{"POST": {Method: "POST"}, "list": {Method: "GET", Path: "/deployments"}, "any read": {Method: "GET"}},
	},
	"update": {
		initial: map[string]string{"one": "app:1"}, desired: map[string]string{"one": "app:2"},
		calls: map[string]sandbox.Fault{"PUT": {Method: "PUT"}, "any read": {Method: "GET"}},
	},
	"delete": {
		initial: map[string]string{"one": "app:1"}, desired: map[string]string{},
		calls: map[string]sandbox.Fault{"DELETE": {Method: "DELETE"}, "any read": {Method: "GET"}},
	},
	"read": {
		initial: map[string]string{"one": "app:1"}, desired: map[string]string{"one": "app:1"},
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
	"Ctrl-C":                  {Kind: simulated.FaultLatency, Delay: 300 * time.Millisecond},
	"cut answer":              {Status: 200, Body: `{"id":"1`, AfterEffect: true},
}

// edgeCase is a case of the matrix of edge deployments.
type edgeCase struct {
	initial, desired edgeConfiguration
	fault            sandbox.Fault
}

// interrupts reports whether Ctrl-C is pressed during the request, which is slow then.
func (c edgeCase) interrupts() bool { return c.fault.Kind == simulated.FaultLatency }

// sampledEdgeCases is the number of cases in the short test.
const sampledEdgeCases = 13

// edgeCases are the cases by name.
func edgeCases() map[string]edgeCase {
	cases := map[string]edgeCase{}
	for _, version := range []api.Version{api.V3, api.V2} {
		for scenario, changes := range edgeScenarios {
			for call, where := range changes.calls {
				for name, fault := range edgeFaults {
					for when, times := range map[string]int{"once": 1, "always": -1} {
						if fault.Kind == simulated.FaultLatency && times < 0 {
							continue
						}
						fault.Method, fault.Path, fault.Times = where.Method, where.Path, times
						cases[strings.Join([]string{string(version), scenario, call, name, when}, "/")] = edgeCase{
							initial: edgeConfiguration{version: version, images: changes.initial},
							desired: edgeConfiguration{version: version, images: changes.desired}, fault: fault,
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
	runParallel(t, maps.All(acctest.Sample(t, sampledEdgeCases, edgeCases())), func(t *testing.T, c edgeCase) { c.run(t) })
}

// run runs the case until its fault was injected.
func (c edgeCase) run(t *testing.T) {
	t.Helper()
	if !untilHit(t, func(try int) int { return c.try(t, faultyTimeouts[try]) }) {
		t.Error("the fault was never injected")
	}
}

// try runs the case once.
func (c edgeCase) try(t *testing.T, within string) (hits int) {
	t.Helper()
	b := newEdgeTestbed(t, sandbox.QuickTiming())
	if len(c.initial.images) > 0 {
		// A delete has the time limit of the previous apply. It is set by a
		// separate apply, so that the wait of the create has enough time.
		for _, limit := range []string{"1m", within} {
			if o := b.terraform.applyChecked(t, c.initial.within(limit).resources()); !o.ok() {
				t.Fatal(o.text())
			}
		}
	}
	return faultCase{
		inject:         func() func() int { return b.terraform.inject(b.server, c.fault, c.interrupts()) },
		apply:          func() *outcome { return b.terraform.applyChecked(t, c.desired.within(within).resources()) },
		differences:    func() []string { return b.differences(t, c.desired) },
		converge:       func() { b.checkConverges(t, c.desired) },
		checkNoSecrets: func(text ...string) { b.checkNoSecrets(t, text...) },
		interrupts:     c.interrupts(),
	}.run(t)
}

// checkNoSecrets searches the planted secrets in texts and in the provider's log.
func (b *edgeTestbed) checkNoSecrets(t *testing.T, texts ...string) {
	t.Helper()
	log := b.terraform.log.String()
	if !strings.Contains(log, "IEF request body") {
		t.Error("the log has no request, so the search for secrets proves nothing")
	}
	checkNoSecrets(t, append(texts, log)...)
}
