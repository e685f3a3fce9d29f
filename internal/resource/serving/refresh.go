package serving

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Read queries a serving unless nothing has changed that the response depends on.
func (steps) Read(ctx context.Context, c *run.Run, w crud.Watched[object]) (found *object, unchanged bool, err error) {
	versions := listedVersions(ctx, c, w.ID[0])
	if versions.unchanged(rules.Of(w.Planned), privateOf(w.Memory, w.Imported)) {
		return nil, true, nil
	}
	found, err = read(ctx, c, w.Planned, w.ID, versions)
	return found, false, err
}

// Refresh returns the state and the memory that follow from a response, and records the versions
// behind it.
func (steps) Refresh(ctx context.Context, c *run.Run, w crud.Watched[object], found *object, diags *diag.Diagnostics) (definition.Value, crud.Memory) {
	if !w.Desired.IsNull() { // a pod revision that is not known before the response is that from before the update
		w.Planned = rules.Definition.Filled(w.Planned, w.Desired)
	}
	prior, private := rules.Of(w.Planned), privateOf(w.Memory, w.Imported)
	from := sourcesWith(ctx, c, found.deployments)
	state, next := rules.Refresh(prior, found.response, private, from)
	assumed := rules.AssumedComplete(prior, state, private, found.response.Status, from.Now, from.Deployments)
	warnStartNotObserved(diags, w.ID[0], rules.Expected(assumed, prior, private))
	warnRolloutUnknown(diags, w.ID[0], from.Deployments)
	next = found.versions.recordIfStable(ctx, c, state, next, found)
	if state.Equal(prior) {
		return w.Planned, crud.Remember(next)
	}
	return state.Value(), crud.Remember(next)
}
