package edgedeployment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Update sends the changes, if any are stored by IEF. If the request fails, the
// prior state is kept, and the next plan shows the current values of IEF.
func (r *edgeDeployment) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	planned, prior := req.Plan.Raw, req.State.Raw
	private, _ := privateKey.Load(ctx, req.Private, &resp.Diagnostics)
	client, ready := r.Clients.ReadyIEF(&resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	scope, id := scopeOf(prior, client), definition.StringAt(prior, "id")
	ctx, cancel := context.WithTimeout(ctx, deployment.Timeout(planned, definition.OnUpdate))
	defer cancel()
	changed := deployment.Sent(prior, planned)
	desired, err := withSecrets(ctx, client, scope, planned, req.Config.Raw, prior)
	if err != nil {
		clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to read edge deployment %q before updating it", definition.StringAt(planned, "name")), err)
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
	private.Flags = private.AfterUpdate(deployment, req.Config.Raw, planned)
	state := deployment.With(deployment.Filled(planned, prior), map[string]tftypes.Value{definition.AttrRolloutComplete: definition.RolloutBeforeWait(planned)})
	waiting := !definition.FieldsOf(planned)[definition.AttrRolloutComplete].IsNull() && (rollsOut(changed) || !definition.BoolOf(definition.FieldsOf(prior)[definition.AttrRolloutComplete]))
	if !waiting {
		state = deployment.WithRollout(state, definition.FieldsOf(planned)[definition.AttrRolloutComplete])
	}
	resp.State.Raw = state
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identityOf(id, scope.InstanceID))...)
	privateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if waiting && !r.finish(ctx, client, scope, id, state, private.Rollout, &resp.Diagnostics, wasUpdated) {
		return
	}
	if request != nil || waiting {
		resp.State.Raw = r.verifiedUpdate(ctx, client, scope, id, planned, desired, state, private.Rollout, resp)
	}
}

// sentUpdate is an update that is sent to the server.
type sentUpdate struct {
	scope          ief.Scope
	id             string
	planned, prior tftypes.Value
	changed        []path.Path
	request        *ief.UpdateRequest
}

// send sends an update after it has recorded the current instances. ok is false
// after an error. If the outcome of the update is unknown, that is saved.
func send(ctx context.Context, client api, u sentUpdate, private *privateData, resp *resource.UpdateResponse) (ok bool) {
	name := definition.StringAt(u.planned, "name")
	if rollsOut(u.changed) {
		before, err := instancesBefore(ctx, client, u.scope, u.id, templateChanges(u.changed))
		if err != nil {
			clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to update edge deployment %q", name),
				fmt.Errorf("nothing was sent: its instances, which show whether an update is complete, could not be listed: %w", err))
			return false
		}
		private.Rollout = afterSecondUpdate(u.prior, private.Rollout, before)
	}
	err := client.Update(ctx, u.scope, u.id, u.request)
	if err == nil {
		return true
	}
	clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to update edge deployment %q", name), err)
	if apierror.OutcomeUnknown(err) {
		// The update may still take effect. The next plan compares, and waits
		// for the rollout.
		state := u.prior
		if deployment.ChangesSecrets(u.planned, u.prior) {
			// The next plan must not assume that IEF still has the prior
			// version of the write-only string.
			state = deployment.InvalidateVersions(u.prior)
		}
		if rollsOut(u.changed) && !definition.FieldsOf(u.prior)[definition.AttrRolloutComplete].IsNull() {
			state = deployment.WithRollout(state, definition.RolloutBeforeWait(u.prior))
		}
		resp.State.Raw = state
		privateKey.Save(ctx, resp.Private, *private, &resp.Diagnostics)
	}
	return false
}

// withSecrets returns a planned definition with the write-only strings. An
// update sends the whole template, so that strings with an unchanged version
// are those that IEF has.
func withSecrets(ctx context.Context, client api, scope ief.Scope, planned, config, prior tftypes.Value) (tftypes.Value, error) {
	response := deployment.Null()
	if deployment.KeepsSecrets(planned, prior) {
		found, err := client.Get(ctx, scope, definition.StringAt(prior, "id"))
		if err != nil {
			return response, err //nolint:wrapcheck // the client's errors describe the request
		}
		response = fromResponse(scope, found, deployment.Null())
	}
	return deployment.WithSecrets(planned, config, prior, response), nil
}

// verifiedUpdate returns the final state, with rollout_complete as planned.
func (r *edgeDeployment) verifiedUpdate(ctx context.Context, client api, scope ief.Scope, id string, planned, desired, state tftypes.Value, pending rollout, resp *resource.UpdateResponse) tftypes.Value {
	return deployment.KeepRollout(r.verified(ctx, client, scope, id, desired, state, pending, &resp.Diagnostics), planned)
}

// instancesBefore records the instances before an update of their definition.
func instancesBefore(ctx context.Context, client api, scope ief.Scope, id string, changed []string) (rollout, error) {
	out := rollout{Changed: changed, Since: time.Now()}
	if len(changed) == 0 {
		return out, nil
	}
	pods, err := client.Pods(ctx, scope, id)
	if err != nil {
		return out, err //nolint:wrapcheck // the client's errors describe the request
	}
	for _, pod := range pods {
		out.Before = append(out.Before, pod.ID)
	}
	return out, nil
}

// Delete deletes the deployment and waits until it no longer exists. It is no
// error if the deployment does not exist.
func (r *edgeDeployment) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	client, ready := r.Clients.ReadyIEF(&resp.Diagnostics)
	private, _ := privateKey.Load(ctx, req.Private, &resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	prior := req.State.Raw
	id, name := definition.StringAt(prior, "id"), definition.StringAt(prior, "name")
	scope := scopeOf(prior, client)
	ctx, cancel := context.WithTimeout(ctx, deployment.Timeout(prior, definition.OnDelete))
	defer cancel()
	summary := fmt.Sprintf("Unable to delete edge deployment %q", name)
	if private.IsUncertain(prior) {
		if id = r.createdID(ctx, client, scope, prior, summary, &resp.Diagnostics); id == "" {
			return
		}
	}
	if r.Clients.KeepsAdopted(&resp.Diagnostics, messageObject(name, id, scope.InstanceID)) {
		return
	}
	force := definition.BoolOf(definition.FieldsOf(prior)["force_destroy"])
	err := client.Delete(ctx, scope, id, force)
	if err == nil || errors.Is(err, apierror.ErrInvalid) {
		// A delete may be rejected because the deployment is already deleted or
		// being deleted.
		if err == nil || isBeingDeleted(ctx, client, scope, id, name) {
			err = waitDeleted(ctx, client, scope, id, name)
		}
	}
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		sameProject(prior, client, &resp.Diagnostics)
	case err != nil:
		clients.AddError(&resp.Diagnostics, summary, err)
	}
}

// createdID returns the id of the deployment of a create whose response was lost, for its
// delete. It is "" if there is nothing to delete; the diagnostics say why.
func (r *edgeDeployment) createdID(ctx context.Context, client *ief.Client, scope ief.Scope, prior tftypes.Value, summary string, diags *diag.Diagnostics) string {
	if !sameProject(prior, client, diags) {
		return ""
	}
	created, other, err := afterLostCreate(ctx, client, scope, prior)
	switch {
	case err != nil:
		clients.AddError(diags, summary, err)
	case created != nil:
		return created.ID
	case other != nil:
		if object := messageObject(definition.StringAt(prior, "name"), other.ID, scope.InstanceID); !r.Clients.KeepsAdopted(diags, object) {
			clients.AddNotCreated(diags, object, "was not deleted")
		}
	}
	return ""
}

// isBeingDeleted reports whether a deployment whose delete was rejected is deleted or
// being deleted. It reads once.
func isBeingDeleted(ctx context.Context, client api, scope ief.Scope, id, name string) bool {
	d, err := find(ctx, client, scope, id, name)
	if err != nil || d == nil {
		return err == nil
	}
	notTerminating := func(p ief.Pod) bool { return !isTerminating(p.State) }
	return d.State == ief.StatePendingDelete || len(d.Instances) > 0 && !slices.ContainsFunc(d.Instances, notTerminating)
}
