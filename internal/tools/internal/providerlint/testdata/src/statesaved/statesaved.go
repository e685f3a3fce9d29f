package statesaved

import (
	"context"
	"errors"
	"sync"
	"wait"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

type poller struct{}

func (poller) WaitRunning(context.Context, string) error { return nil }
func (poller) WaitDeleted(context.Context, string) error { return nil }

var (
	shared poller
	busy   sync.WaitGroup
)

func call() error { return errors.New("refused") }

type saved struct{}

func (saved) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if err := call(); err != nil {
		return
	}
	busy.Wait()
	if err := resp.State.Set(ctx, req); err != nil {
		return
	}
	_ = shared.WaitRunning(ctx, "a")
}

func (saved) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if call() == nil {
		resp.State.Raw = req.Plan.Raw
	} else {
		panic("nothing to save")
	}
	_ = shared.WaitRunning(ctx, "a")
}

// Delete has nothing to save.
func (saved) Delete(ctx context.Context, _ resource.DeleteRequest, _ *resource.DeleteResponse) {
	_ = shared.WaitDeleted(ctx, "a")
}

// Create of something else is no resource's.
func (poller) Create(ctx context.Context) error { return shared.WaitRunning(ctx, "a") }

type never struct{}

func (never) Create(ctx context.Context, _ resource.CreateRequest, resp *resource.CreateResponse) {
	_ = shared.WaitRunning(ctx, "a") // want "Create waits here and the state may not be saved yet"
	_ = resp.State.Set(ctx, nil)
}

func (never) Update(ctx context.Context, req resource.UpdateRequest, _ *resource.UpdateResponse) {
	_ = req.State.Set(ctx, nil)
	_ = shared.WaitRunning(ctx, "a") // want "Update waits here"
}

type onePath struct{}

func (onePath) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if call() == nil {
		resp.State = req.Plan
	}
	_ = shared.WaitRunning(ctx, "a") // want "Create waits here"
}

func (onePath) Update(ctx context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	for range 3 {
		_ = shared.WaitRunning(ctx, "a") // want "Update waits here"
		_ = resp.State.SetAttribute(ctx, "id", "a")
	}
	_ = shared.WaitDeleted(ctx, "b") // want "Update waits here"
}

type later struct{}

func (later) Create(ctx context.Context, _ resource.CreateRequest, resp *resource.CreateResponse) {
	defer resp.State.Set(ctx, nil)
	_ = shared.WaitRunning(ctx, "a") // want "Create waits here"
}

func (later) Update(ctx context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	save := func() { _ = resp.State.Set(ctx, nil) }
	run := func() error { return shared.WaitRunning(ctx, "a") } // want "Update waits here"
	save()
	_ = run()
}

type helpers struct{}

func (helpers) Create(ctx context.Context, _ resource.CreateRequest, resp *resource.CreateResponse) {
	store(ctx, resp)
	rollOut(ctx)
}

func (helpers) Update(ctx context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	storeState(ctx, &resp.State)
	rollOut(ctx)
}

type badHelpers struct{}

func (badHelpers) Create(ctx context.Context, _ resource.CreateRequest, resp *resource.CreateResponse) {
	storeSometimes(ctx, resp)
	rollOut(ctx) // want "Create waits here"
}

func (badHelpers) Update(ctx context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	rollOut(ctx) // want "Update waits here"
	store2(ctx, resp)
}

type inHelper struct{}

func (inHelper) Create(ctx context.Context, _ resource.CreateRequest, resp *resource.CreateResponse) {
	storeAndWait(ctx, resp)
}

func (inHelper) Update(ctx context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	waitAndStore(ctx, resp) // want "Update waits here"
}

func store(ctx context.Context, resp *resource.CreateResponse) {
	if call() != nil {
		_ = resp.State.Set(ctx, "uncertain")
		return
	}
	_ = resp.State.Set(ctx, nil)
}

func store2(ctx context.Context, resp *resource.UpdateResponse) { _ = resp.State.Set(ctx, nil) }

func storeState(ctx context.Context, state *tfsdk.State) { _ = state.Set(ctx, nil) }

func storeSometimes(ctx context.Context, resp *resource.CreateResponse) {
	if call() != nil {
		return
	}
	_ = resp.State.Set(ctx, nil)
}

func rollOut(ctx context.Context) { again(ctx, 3) }

func again(ctx context.Context, times int) {
	if times > 0 {
		again(ctx, times-1)
	}
	_ = shared.WaitRunning(ctx, "a")
}

func storeAndWait(ctx context.Context, resp *resource.CreateResponse) {
	_ = resp.State.Set(ctx, nil)
	_ = shared.WaitRunning(ctx, "a")
}

func waitAndStore(ctx context.Context, resp *resource.UpdateResponse) {
	_ = shared.WaitRunning(ctx, "a")
	_ = resp.State.Set(ctx, nil)
}

// generic is a resource of any object: its methods are looked into all the same.
type generic[W any] struct{}

func (g generic[W]) Create(ctx context.Context, _ resource.CreateRequest, resp *resource.CreateResponse) {
	g.store(ctx, resp)
	g.rollOut(ctx)
}

func (g generic[W]) Update(ctx context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	g.rollOut(ctx) // want "Update waits here"
	_ = resp.State.Set(ctx, nil)
}

func (generic[W]) store(ctx context.Context, resp *resource.CreateResponse) {
	_ = resp.State.Set(ctx, nil)
}

func (generic[W]) rollOut(ctx context.Context) { _ = shared.WaitRunning(ctx, "a") }

type polls struct{}

func (polls) Create(ctx context.Context, _ resource.CreateRequest, resp *resource.CreateResponse) {
	_ = resp.State.Set(ctx, nil)
	_ = untilDone(ctx)
}

func (polls) Update(ctx context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	_ = untilDone(ctx) // want "Update waits here and the state may not be saved yet"
	_ = resp.State.Set(ctx, nil)
}

func untilDone(ctx context.Context) error {
	return wait.Poll(ctx, func(context.Context) (bool, error) { return true, nil })
}

// hooked waits by the probe of a hook.
type hooked[W any] struct {
	watch func(context.Context) (probe func(context.Context) (bool, error))
}

func (h hooked[W]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	h.finish(ctx, &resp.State)
}

func (h hooked[W]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	h.finish(ctx, &resp.State) // want "Update waits here and the state may not be saved yet"
	resp.State.Raw = req.Plan.Raw
}

// finish saves what the wait has found.
func (h hooked[W]) finish(ctx context.Context, state *tfsdk.State) {
	if h.await(ctx) == nil {
		_ = state.Set(ctx, nil)
	}
}

func (h hooked[W]) await(ctx context.Context) error {
	return wait.Poll(ctx, h.watch(ctx))
}
