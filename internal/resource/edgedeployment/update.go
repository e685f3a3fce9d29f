package edgedeployment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Update sends what changed, and only if IEF stores it. When the request fails
// the prior state stays, and the next plan shows what IEF then holds.
func (r *edgeDeployment) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	planned, prior := req.Plan.Raw, req.State.Raw
	private := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	client, ready := r.clients.ReadyIEF(&resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	scope, id := scopeOf(prior, client), textAt(prior, "id")
	ctx, cancel := context.WithTimeout(ctx, timeout(planned, "update", defaultRolloutTimeout))
	defer cancel()
	changed := deployment.Sent(prior, planned)
	desired, err := withSecrets(ctx, client, scope, planned, req.Config.Raw, prior)
	if err != nil {
		clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to read edge deployment %q before updating it", textAt(planned, "name")), err)
		return
	}
	request, diags := updateRequest(desired, changed)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}

	if request != nil && !send(ctx, client, sentUpdate{scope, id, planned, prior, changed, request}, &private, resp) {
		return
	}
	private.Imported = false
	state := set(deployment.Filled(planned, prior), map[string]tftypes.Value{"rollout_complete": initialRolloutComplete(planned)})
	waiting := !definition.FieldsOf(planned)["rollout_complete"].IsNull() && (rollsOut(changed) || !definition.BoolOf(definition.FieldsOf(prior)["rollout_complete"]))
	if !waiting {
		state = set(state, map[string]tftypes.Value{"rollout_complete": definition.FieldsOf(planned)["rollout_complete"]})
	}
	resp.State.Raw = state
	resp.Diagnostics.Append(saveIdentity(ctx, resp.Identity, id, scope.InstanceID)...)
	savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if waiting && !r.finish(ctx, client, scope, id, state, private.Rollout, &resp.Diagnostics, wasUpdated) {
		return
	}
	if request != nil || waiting {
		resp.State.Raw = r.verifiedUpdate(ctx, client, scope, id, planned, state, private.Rollout, resp)
	}
}

// updateRequestData is an update that the server is told about.
type sentUpdate struct {
	scope          ief.Scope
	id             string
	planned, prior tftypes.Value
	changed        []path.Path
	request        *ief.UpdateRequest
}

// send sends an update, once the instances of before it are noted. ok is false after
// an error; when nobody knows whether the update happened, that is saved.
func send(ctx context.Context, client api, u sentUpdate, private *privateData, resp *resource.UpdateResponse) (ok bool) {
	name := textAt(u.planned, "name")
	if rollsOut(u.changed) {
		before, err := instancesBefore(ctx, client, u.scope, u.id, templateChanges(u.changed))
		if err != nil {
			clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to update edge deployment %q", name),
				fmt.Errorf("nothing was sent, since its instances could not be listed, by which the end of the update is told: %w", err))
			return false
		}
		private.Rollout = following(u.prior, private.Rollout, before)
	}
	err := client.Update(ctx, u.scope, u.id, u.request)
	if err == nil {
		return true
	}
	clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to update edge deployment %q", name), err)
	if apierror.OutcomeUnknown(err) {
		// It may still be carried out; the next plan compares, and waits for what it
		// then finds.
		state := u.prior
		if deployment.ChangesSecrets(u.planned, u.prior) {
			// The next plan must not take the old version for what is there.
			state = deployment.InvalidateVersions(u.prior)
		}
		if rollsOut(u.changed) && !definition.FieldsOf(u.prior)["rollout_complete"].IsNull() {
			state = set(state, map[string]tftypes.Value{"rollout_complete": initialRolloutComplete(u.prior)})
		}
		resp.State.Raw = state
		savePrivate(ctx, resp.Private, *private, &resp.Diagnostics)
	}
	return false
}

// withSecrets is a planned definition with the texts that are in no plan. An
// update sends the whole template, so that those under the same version are the
// ones that IEF has.
func withSecrets(ctx context.Context, client api, scope ief.Scope, planned, config, prior tftypes.Value) (tftypes.Value, error) {
	answer := deployment.Null()
	if deployment.KeepsSecrets(planned, prior) {
		found, err := client.Get(ctx, scope, textAt(prior, "id"))
		if err != nil {
			return answer, err //nolint:wrapcheck // the client's errors say what was asked
		}
		answer = answered(scope, found, deployment.Null())
	}
	return deployment.WithSecrets(planned, config, prior, answer), nil
}

// verifiedUpdate is the state at the end, with rollout_complete as planned.
func (r *edgeDeployment) verifiedUpdate(ctx context.Context, client api, scope ief.Scope, id string, planned, state tftypes.Value, rolls rollout, resp *resource.UpdateResponse) tftypes.Value {
	return set(r.verified(ctx, client, scope, id, state, rolls, &resp.Diagnostics),
		map[string]tftypes.Value{"rollout_complete": definition.FieldsOf(planned)["rollout_complete"]})
}

// instancesBefore notes the instances of before an update that changes their
// definition.
func instancesBefore(ctx context.Context, client api, scope ief.Scope, id string, changed []string) (rollout, error) {
	out := rollout{Changed: changed, Since: time.Now()}
	if len(changed) == 0 {
		return out, nil
	}
	pods, err := client.Pods(ctx, scope, id)
	if err != nil {
		return out, err //nolint:wrapcheck // the client's errors say what was asked
	}
	for _, pod := range pods {
		out.Before = append(out.Before, pod.ID)
	}
	return out, nil
}

// Delete removes the deployment and waits until it is gone; one that is gone
// already is fine.
func (r *edgeDeployment) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	client, ready := r.clients.ReadyIEF(&resp.Diagnostics)
	private := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	prior := req.State.Raw
	id, name := textAt(prior, "id"), textAt(prior, "name")
	scope := scopeOf(prior, client)
	ctx, cancel := context.WithTimeout(ctx, timeout(prior, "delete", defaultDeleteTimeout))
	defer cancel()
	summary := fmt.Sprintf("Unable to delete edge deployment %q", name)
	if private.Uncertain {
		d, _, err := r.current(ctx, client, scope, prior, private)
		if err != nil {
			clients.AddError(&resp.Diagnostics, summary, err)
			return
		}
		if d == nil {
			return
		}
		id = d.ID
	}
	force := definition.BoolOf(definition.FieldsOf(prior)["force_destroy"])
	err := client.Delete(ctx, scope, id, force)
	if err == nil || errors.Is(err, apierror.ErrInvalid) {
		// A refusal may be about a deployment that is gone already, or soon.
		if err == nil || leaves(ctx, client, scope, id, name) {
			err = waitGone(ctx, client, scope, id, name)
		}
	}
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		sameProject(prior, client, &resp.Diagnostics)
	case err != nil:
		clients.AddError(&resp.Diagnostics, summary, err)
	}
}

// leaves looks once whether a deployment whose delete was refused is gone or
// being deleted.
func leaves(ctx context.Context, client api, scope ief.Scope, id, name string) bool {
	d, err := find(ctx, client, scope, id, name)
	if err != nil || d == nil {
		return err == nil
	}
	stays := func(p ief.Pod) bool { return !isTerminating(p.State) }
	return d.State == ief.StatePendingDelete || len(d.Instances) > 0 && !slices.ContainsFunc(d.Instances, stays)
}

func stringValue(text string) types.String { return types.StringValue(text) }
