package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// Shortcuts answer what comes with every resource of every plan and changes
// nothing, for tfkit/fastpath, by the rules that the resource itself goes by.
// They are sure, or leave the answer to the resource.
type Shortcuts interface {
	// ResourceType is the resource type.
	ResourceType() string
	// CertainlyValid reports whether a configuration is valid, without a
	// message.
	CertainlyValid(ctx context.Context, config map[string]any) bool
	// PlansNothing reports whether the plan is the prior state, without a
	// message. It tells the other resources of the plan all the same what the
	// object is going to be.
	PlansNothing(c *clients.Clients, config, prior map[string]any, private map[string][]byte) bool
	// ReadsNothing asks for the object and reports whether the state stays as it
	// is. Otherwise the context carries the answer, so that the resource does
	// not ask again.
	ReadsNothing(ctx context.Context, c *clients.Clients, state map[string]any, private map[string][]byte) (next context.Context, identity map[string]string, unchanged bool)
}

// ResourceType is the resource type.
func (o *Object[W]) ResourceType() string { return o.TypeName }

// CertainlyValid is described at Shortcuts.
func (o *Object[W]) CertainlyValid(_ context.Context, config map[string]any) bool {
	value, ok := o.Definition.FromCarried(config)
	return ok && o.Definition.Settable(value) && len(o.Validate(value)) == 0
}

// PlansNothing is described at Shortcuts.
func (o *Object[W]) PlansNothing(c *clients.Clients, config, prior map[string]any, private map[string][]byte) bool {
	if len(private) > 0 {
		return false
	}
	wanted, ok := o.Definition.FromCarried(config)
	state, alsoOK := o.Definition.FromCarried(prior)
	if !ok || !alsoOK || len(o.Judge(wanted, state)) > 0 {
		return false
	}
	plan := o.plan(wanted, state, false)
	if !plan.Unchanged || o.goesWithAnother(c, state) {
		return false
	}
	o.announce(c, plan.Planned)
	return true
}

// prefetched is an answer on its way from a shortcut to the resource.
type prefetched[W any] struct {
	typeName, id string
	answer       *W
	err          error
}

type prefetchedKey struct{}

// ReadsNothing is described at Shortcuts.
func (o *Object[W]) ReadsNothing(ctx context.Context, c *clients.Clients, state map[string]any, private map[string][]byte) (next context.Context, identity map[string]string, unchanged bool) {
	var unused diag.Diagnostics
	prior, ok := o.Definition.FromCarried(state)
	if !ok || len(private) > 0 || !o.Server.Ready(c, &unused) {
		return ctx, nil, false
	}
	id, _ := o.idOf(prior)
	if o.problem(id) != "" {
		return ctx, nil, false
	}
	found, err := o.read(ctx, c, id)
	next = context.WithValue(ctx, prefetchedKey{}, prefetched[W]{o.TypeName, id.String(), found, err})
	if err != nil || o.foreign(id, found) != "" || !o.Definition.ReadsAs(o.tree(id, found), prior) {
		return next, nil, false
	}
	identity = make(map[string]string, len(id))
	for i, a := range o.Identity {
		identity[a.Name] = id[i]
	}
	return next, identity, true
}
