package faulttest_test

import (
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
)

// edgeSequence is a simulated IEF with a configuration that changes step by step.
type edgeSequence struct {
	*edgeTestbed
	generator

	config edgeConfiguration
	did    []string
}

// TestRandomEdgeSequences does random sequences of edits, images that never or not at once
// start, changes and deletions by others, imports, faults and interrupted applies. After each
// of them the next apply makes what is configured, once, and the plan after it is empty.
func TestRandomEdgeSequences(t *testing.T) {
	t.Parallel()
	eachSeed(t, 2, 100, func(t *testing.T, seed uint64) {
		s := &edgeSequence{newEdgeTestbed(t, sandbox.QuickTiming()), generator{mathrand.New(mathrand.NewPCG(seed, 5))}, edgeConfiguration{version: api.V3, images: map[string]string{}}, nil}
		if s.chance(40) {
			s.config.version = api.V2
		}
		steps := []func(t *testing.T){s.edit, s.edit, s.breakImage, s.edited, s.deleted, s.fail, s.fail, s.interrupt, s.interrupt, s.forget}
		for range 8 {
			s.change()
			steps[s.IntN(len(steps))](t)
			if t.Failed() {
				t.Fatalf("%s, in this order:\n%s", s.config.version, strings.Join(s.did, "\n"))
			}
		}
		s.config.images = nil
		s.checkConverges(t, s.config)
		s.checkNoSecrets(t)
	})
}

// change changes, adds or removes one of two deployments.
func (s *edgeSequence) change() {
	name := []string{"one", "two"}[s.IntN(2)]
	s.config.images = maps.Clone(s.config.images)
	if s.chance(25) {
		delete(s.config.images, name)
	} else {
		s.config.images[name] = fmt.Sprint([]string{"app", "app", "app-slow"}[s.IntN(3)], ":", s.IntN(4))
	}
}

func (s *edgeSequence) note(what string) {
	s.did = append(s.did, fmt.Sprintf("%s with %v", what, s.config.images))
}

func (s *edgeSequence) edit(t *testing.T) {
	t.Helper()
	s.note("edit")
	s.checkConverges(t, s.config)
}

// breakImage gives a deployment an image that never starts: the apply fails with the reason.
func (s *edgeSequence) breakImage(t *testing.T) {
	t.Helper()
	mended := maps.Clone(s.config.images)
	s.config.images["one"] = "app-broken:1"
	s.note("broken")
	o := s.terraform.applyChecked(t, s.config.within("6s").resources())
	if o.ok() || !strings.Contains(o.text(), "ImagePullBackOff") {
		t.Errorf("an image that never starts: %s", o.text())
	}
	s.config.images = mended
	s.edit(t)
}

// one returns an applied deployment, "" if there is none.
func (s *edgeSequence) one(t *testing.T) string {
	t.Helper()
	s.edit(t)
	names := slices.Sorted(maps.Keys(s.config.images))
	if len(names) == 0 || t.Failed() {
		return ""
	}
	return names[s.IntN(len(names))]
}

// edited changes a deployment as another client: the plan takes it back.
func (s *edgeSequence) edited(t *testing.T) {
	t.Helper()
	name := s.one(t)
	if name == "" {
		return
	}
	s.note("another description of " + name)
	options, text := s.server.Options(), "by another client"
	client, err := api.New(api.Config{Endpoint: s.server.Endpoint(), ProjectID: options.ProjectID, Token: options.Token})
	must(err)
	id := valueIn(s.terraform.state[edgeAddress(name)])("id")
	id = id[strings.LastIndex(id, "/")+1:]
	if err := client.Update(t.Context(), api.Scope{Version: s.config.version}, id, &api.UpdateRequest{Description: &text}); err != nil {
		t.Fatal(err)
	}
	s.expect(t, actionUpdate+" "+edgeAddress(name))
}

// deleted deletes a deployment as another client: the plan creates it again.
func (s *edgeSequence) deleted(t *testing.T) {
	t.Helper()
	name := s.one(t)
	if name == "" {
		return
	}
	s.note(name + " deleted elsewhere")
	s.server.Drop(name)
	s.expect(t, actionCreate+" "+edgeAddress(name))
}

// expect checks the changes of the plan, and applies them.
func (s *edgeSequence) expect(t *testing.T, changes string) {
	t.Helper()
	if o, _ := s.terraform.plan(s.config.within("1m").resources()...); !o.ok() || o.changes() != changes {
		t.Errorf("the plan is [%s], want [%s]: %s", o.changes(), changes, o.text())
	}
	s.edit(t)
}

// forget removes a deployment from the state, and imports it.
func (s *edgeSequence) forget(t *testing.T) {
	t.Helper()
	name := s.one(t)
	if name == "" {
		return
	}
	s.note("import of " + name)
	address := edgeAddress(name)
	from := s.terraform.state[address]
	delete(s.terraform.state, address)
	s.terraform.importOne(t, address, from)
	s.edit(t)
}

// fail injects a fault into some request of an apply.
func (s *edgeSequence) fail(t *testing.T) {
	t.Helper()
	kinds := slices.Sorted(maps.Keys(edgeFaults))
	kind := kinds[s.IntN(len(kinds))]
	fault := edgeFaults[kind]
	fault.Method, fault.Nth, fault.Times = []string{"GET", "POST", "PUT", "DELETE", ""}[s.IntN(5)], 1+s.IntN(4), 1+s.IntN(3)
	s.note(fmt.Sprintf("%s, %d times from %s %d", kind, fault.Times, fault.Method, fault.Nth))
	s.server.Inject(fault)
	s.terraform.applyDuringFault(t, s.config.within("10s").resources())
	s.server.ClearFaults()
	s.edit(t)
}

// interrupt presses Ctrl-C during an apply.
func (s *edgeSequence) interrupt(t *testing.T) {
	t.Helper()
	after := time.Duration(s.IntN(200)) * time.Millisecond
	s.note("interrupted after " + after.String())
	o, changes := s.terraform.plan(s.config.within("1m").resources()...)
	if !o.ok() {
		t.Fatal(o.text())
	}
	ended := make(chan struct{})
	timer := time.AfterFunc(after, func() { s.terraform.stop(); close(ended) })
	s.terraform.applyPlan(o, changes)
	if !timer.Stop() {
		<-ended
		s.terraform.stopped = false
	}
	for _, p := range o.errors {
		if p.summary == providerFault || !strings.Contains(p.detail+p.summary, "cancel") {
			t.Errorf("an interrupted apply says %s: %s", p.summary, p.detail)
		}
	}
	s.edit(t)
}
