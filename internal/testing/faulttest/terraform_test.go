package faulttest_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// attrs is an object in a configuration; missing attributes are null.
type attrs = protocol.Object

// must panics on errors that only a mistake in the test itself can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// resource is one resource of a configuration.
type resource struct {
	address  string
	typeName string
	// provider is the alias of its provider block, "" for the default one.
	provider string
	// after are the addresses of the resources that the configuration refers
	// to.
	after []string
	// config returns the configuration; value looks up the attribute of another
	// resource and is unknown until that is applied.
	config func(value func(address, attribute string) any) attrs
}

// object is a resource instance in the state.
type object struct {
	protocol.State

	typeName, provider string
	after              []string
	tainted            bool
}

// terraform simulates the CLI in-process: it keeps a state and makes the calls of the protocol in the
// order of the CLI, each walk with a new provider for each provider block.
type terraform struct {
	// providerBlock configures the provider, and aliases those of further provider blocks.
	providerBlock attrs
	aliases       map[string]attrs
	state         map[string]*object
	// log receives the logs of the provider, at level trace.
	log *output
	// done is called after each change that the provider reports as done; gone
	// is true for a deletion.
	done func(address string, object *object, gone bool)
	// applying is called before a resource is created or updated; may be nil.
	applying func(r *resource)
	// next chooses which of n steps, of which none depends on another one, is the next. Without it
	// they run at the same time.
	next func(n int) int

	mu sync.Mutex
	// running are the providers of the current walk.
	running map[string]*protocol.Server
	stopped bool
}

func newTerraform(providerBlock attrs) *terraform {
	return &terraform{providerBlock: providerBlock, state: map[string]*object{}, log: &output{}}
}

// problem is a diagnostic that the user sees.
type problem struct {
	address, summary, detail string
}

// outcome is the result of a plan or an apply.
type outcome struct {
	errors, warnings []problem
	// actions are the planned actions by address.
	actions map[string]string
	// drifted are the addresses whose state changed in the refresh.
	drifted []string
}

func (o *outcome) ok() bool { return len(o.errors) == 0 }

// changes lists the planned changes in one line.
func (o *outcome) changes() string {
	var list []string
	for _, address := range slices.Sorted(maps.Keys(o.actions)) {
		if o.actions[address] != actionNone {
			list = append(list, o.actions[address]+" "+address)
		}
	}
	return strings.Join(list, ", ")
}

func (o *outcome) text() string {
	var b strings.Builder
	for _, p := range o.errors {
		fmt.Fprintf(&b, "Error: %s: %s: %s\n", p.address, p.summary, p.detail)
	}
	for _, p := range o.warnings {
		fmt.Fprintf(&b, "Warning: %s: %s: %s\n", p.address, p.summary, p.detail)
	}
	return b.String()
}

// The actions of a plan. A replacement deletes the old object first.
const (
	actionNone    = "no-op"
	actionCreate  = "create"
	actionUpdate  = "update"
	actionReplace = "replace"
	actionDelete  = "delete"
)

// change is the planned change of one resource.
type change struct {
	action   string
	resource *resource // nil for a delete
	plan     *tfprotov6.PlanResourceChangeResponse
	planned  tftypes.Value // its value
}

// walk is one walk of the graph, with its own providers by the aliases of their blocks.
type walk struct {
	*terraform
	servers map[string]*protocol.Server
	outcome *outcome

	mu sync.Mutex
	// known has the values of resources that others refer to.
	known map[string]tftypes.Value
}

// schema is the schema of the provider, as the CLI gets it on start.
var schema = sync.OnceValue(func() *tfprotov6.GetProviderSchemaResponse {
	response, err := newServer().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	must(err)
	return response
})

func newServer() tfprotov6.ProviderServer {
	noEnvironment := provider.WithEnvironment(func(string) string { return "" })
	return provider.NewServer(provider.Build{Version: "test"}, false, noEnvironment)()
}

// begin starts and configures a provider for each provider block.
func (t *terraform) begin(o *outcome) *walk {
	w := &walk{terraform: t, outcome: o, known: map[string]tftypes.Value{}, servers: map[string]*protocol.Server{}}
	blocks := map[string]attrs{"": t.providerBlock}
	maps.Copy(blocks, t.aliases)
	for alias := range blocks {
		w.servers[alias] = &protocol.Server{ProviderServer: newServer(), Schemas: schema(), Context: tflogtest.RootLogger(context.Background(), t.log)}
	}
	t.mu.Lock()
	t.running = w.servers
	t.mu.Unlock()
	for alias, block := range blocks {
		w.configure(w.servers[alias], block)
	}
	return w
}

func (w *walk) configure(server *protocol.Server, block attrs) {
	config := protocol.Encode(protocol.Value(schema().Provider.ValueType(), block))
	validated, err := server.ValidateProviderConfig(server.Context, &tfprotov6.ValidateProviderConfigRequest{Config: config})
	must(err)
	w.report("provider", validated.Diagnostics)
	configured, err := server.ConfigureProvider(server.Context, &tfprotov6.ConfigureProviderRequest{TerraformVersion: "1.11.4", Config: config})
	must(err)
	w.report("provider", configured.Diagnostics)
}

// stop simulates Ctrl-C: the running calls are canceled and no other call starts.
func (t *terraform) stop() {
	t.mu.Lock()
	servers := t.running
	t.stopped = true
	t.mu.Unlock()
	for _, server := range servers {
		_, err := server.StopProvider(context.Background(), &tfprotov6.StopProviderRequest{})
		must(err)
	}
}

// stopWhen calls stop as soon as something has happened, until end is called.
func (t *terraform) stopWhen(happened func() bool) (end func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for !happened() {
			select {
			case <-quit:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
		t.stop()
	}()
	return func() {
		close(quit)
		<-ended
	}
}

func (t *terraform) isStopped() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stopped
}

// apply plans and applies a configuration.
func (t *terraform) apply(resources ...resource) *outcome {
	o, changes := t.plan(resources...)
	if !o.ok() {
		return o
	}
	t.applyPlan(o, changes)
	return o
}

// applyPlan applies the changes of a plan.
func (t *terraform) applyPlan(o *outcome, changes map[string]*change) {
	w := t.begin(o)
	for address, object := range t.state {
		w.known[address] = object.Value
	}
	w.apply(changes)
}

// plan refreshes the state, which is kept if the whole plan succeeds, and plans the changes.
func (t *terraform) plan(resources ...resource) (*outcome, map[string]*change) {
	return t.planTargets(func(string) bool { return true }, resources...)
}

// planTargets is plan for the addresses that are targeted.
func (t *terraform) planTargets(targeted func(address string) bool, resources ...resource) (*outcome, map[string]*change) {
	t.mu.Lock()
	t.stopped = false
	t.mu.Unlock()
	o := &outcome{actions: map[string]string{}}
	w := t.begin(o)
	if !o.ok() {
		return o, nil
	}
	refreshed := map[string]*object{}
	changes := map[string]*change{}
	nodes := make([]node, 0, len(resources))
	add := func(address string, after []string, plan func(prior *object) (*change, bool)) {
		nodes = append(nodes, node{name: address, after: after, run: func() bool {
			object, ok := w.refresh(address)
			c := &change{action: actionNone}
			if ok {
				c, ok = plan(object)
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			refreshed[address], changes[address] = object, c
			if ok && c.resource != nil {
				w.known[address] = c.planned
			}
			return ok
		}})
	}
	for i := range resources {
		r := &resources[i]
		if !targeted(r.address) {
			continue
		}
		add(r.address, r.after, func(prior *object) (*change, bool) { return w.planOne(r, prior) })
	}
	for _, address := range slices.Sorted(maps.Keys(t.state)) {
		if targeted(address) && !slices.ContainsFunc(resources, func(r resource) bool { return r.address == address }) {
			add(address, nil, func(prior *object) (*change, bool) { return w.planDelete(address, prior) })
		}
	}
	t.runGraph(nodes)
	if !o.ok() {
		return o, nil
	}
	for address, object := range refreshed {
		if before := t.state[address]; before != nil && (object == nil || !object.Value.Equal(before.Value)) {
			o.drifted = append(o.drifted, address)
		}
		if object == nil {
			delete(t.state, address)
		} else {
			t.state[address] = object
		}
		o.actions[address] = changes[address].action
	}
	slices.Sort(o.drifted)
	return o, changes
}

// apply carries out the changes: an object is deleted before the objects that
// it depends on, and before the create that replaces it.
func (w *walk) apply(changes map[string]*change) {
	var nodes []node
	deletes := func(c *change) bool { return c != nil && (c.action == actionDelete || c.action == actionReplace) }
	for _, address := range slices.Sorted(maps.Keys(changes)) {
		c := changes[address]
		if deletes(c) {
			n := node{name: "delete " + address, run: func() bool { return w.applyDelete(address) }}
			for other, object := range w.state {
				if deletes(changes[other]) && slices.Contains(object.after, address) {
					n.after = append(n.after, "delete "+other)
				}
			}
			nodes = append(nodes, n)
		}
		if c.resource != nil {
			n := node{name: address, after: slices.Clone(c.resource.after), run: func() bool { return w.applyOne(address, c) }}
			if c.action == actionReplace {
				n.after = append(n.after, "delete "+address)
			}
			nodes = append(nodes, n)
		}
	}
	w.runGraph(nodes)
}

// node is a node of the graph.
type node struct {
	name  string
	after []string
	run   func() bool
}

// runGraph runs every node after those that it depends on, if none of them failed.
func (t *terraform) runGraph(nodes []node) {
	if t.next != nil {
		runInOrder(nodes, t.next)
		return
	}
	done := make(map[string]chan struct{}, len(nodes))
	ok := make(map[string]*bool, len(nodes))
	for _, n := range nodes {
		done[n.name], ok[n.name] = make(chan struct{}), new(bool)
	}
	var all sync.WaitGroup
	for _, n := range nodes {
		all.Go(func() {
			defer close(done[n.name])
			for _, earlier := range n.after {
				if done[earlier] == nil {
					continue
				}
				<-done[earlier]
				if !*ok[earlier] {
					return
				}
			}
			*ok[n.name] = n.run()
		})
	}
	all.Wait()
}

// runInOrder is runGraph, one node at a time.
func runInOrder(nodes []node, next func(n int) int) {
	waits, ok := slices.Clone(nodes), map[string]bool{}
	for len(waits) > 0 {
		waitsFor := func(n node) bool {
			return slices.ContainsFunc(waits, func(other node) bool { return slices.Contains(n.after, other.name) })
		}
		ready := slices.DeleteFunc(slices.Clone(waits), waitsFor)
		n := ready[next(len(ready))]
		waits = slices.DeleteFunc(waits, func(other node) bool { return other.name == n.name })
		failed := slices.ContainsFunc(n.after, func(earlier string) bool {
			ran := slices.ContainsFunc(nodes, func(other node) bool { return other.name == earlier })
			return ran && !ok[earlier]
		})
		ok[n.name] = !failed && n.run()
	}
}

func (w *walk) report(address string, diagnostics []*tfprotov6.Diagnostic) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	ok := true
	for _, d := range diagnostics {
		p := problem{address, d.Summary, d.Detail}
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			ok = false
			w.outcome.errors = append(w.outcome.errors, p)
		} else {
			w.outcome.warnings = append(w.outcome.warnings, p)
		}
	}
	return ok
}

// reportProviderFault reports what the CLI itself finds wrong with a response.
func (w *walk) reportProviderFault(address, format string, args ...any) {
	w.report(address, []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: providerFault, Detail: fmt.Sprintf(format, args...)}})
}

// providerFault is the summary of errors that are a defect of the provider.
const providerFault = "Provider produced inconsistent result"
