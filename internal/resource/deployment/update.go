package deployment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Update sends the changes, and waits again for a rollout that was not
// complete. If the request fails, the prior state is kept, and the next plan
// shows the current values.
func (r *kusciaDeployment) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	planned, prior := deployment.Derived(req.Plan.Raw), req.State.Raw
	private, _ := privateKey.Load(ctx, req.Private, &resp.Diagnostics)
	client, ready := r.Clients.ReadyKubernetes(&resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	name := definition.StringAt(prior, attrName)
	ctx, cancel := context.WithTimeout(ctx, deployment.Timeout(planned, definition.OnUpdate))
	defer cancel()
	defer r.Clients.ForgetKubernetes(kube.KusciaDeployments)

	u := &update{client: client, planned: planned, prior: prior, config: req.Config.Raw}
	waiting := !definition.FieldsOf(planned)[definition.AttrRolloutComplete].IsKnown() && definition.WaitsForRollout(planned)
	sends := deployment.Sends(prior, planned)
	if sends || waiting {
		if sends {
			// If the read fails, the update reads it again and reports the
			// error.
			live, _ := get(ctx, client, name)
			objects := applyObjects(ctx, client, live, definition.WaitsForRollout(planned))
			preflight(planned, objects, func(at path.Path, summary, detail string) {
				resp.Diagnostics.AddAttributeError(at, summary, detail+"\n\nNothing was sent.")
			}, &resp.Diagnostics)
			private.Deployed = withDeployed(private.Deployed, prior, objects)
			if !resp.Diagnostics.HasError() {
				awaitRolloutControl(ctx, r.Clients, planned, prior, &resp.Diagnostics)
			}
		}
		if resp.Diagnostics.HasError() {
			return
		}
		if err := u.do(ctx, sends, &resp.Diagnostics); err != nil || resp.Diagnostics.HasError() {
			u.fail(err, resp)
			return
		}
		ctx = httpapi.WithMaskedText(ctx, definition.StringAt(u.desired, attrInputConfig))
	}
	private.Flags = private.AfterUpdate(deployment, req.Config.Raw, planned)
	state := deployment.WithRollout(deployment.Filled(planned, prior), definition.RolloutBeforeWait(planned))
	if !waiting {
		state = deployment.WithRollout(state, definition.FieldsOf(planned)[definition.AttrRolloutComplete])
	}
	resp.State.Raw = state
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identity(name))...)
	privateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
	what := wasUpdated
	what.resumed = !sends
	switch {
	case resp.Diagnostics.HasError():
	case waiting:
		resp.State.Raw = r.finish(ctx, client, u.desired, state, what, &resp.Diagnostics)
	case sends:
		resp.State.Raw = r.verified(ctx, client, u.desired, state, &resp.Diagnostics)
	}
}

// update is one update of a deployment.
type update struct {
	client                 *kube.Client
	planned, prior, config definition.Value
	// desired is the plan with its write-only strings.
	desired definition.Value
}

// do updates the object to the plan. It never overwrites a change that was made
// since the plan: it compares the object with the state first, and writes only
// the resource version that it has compared.
func (u *update) do(ctx context.Context, sends bool, diags *diag.Diagnostics) error {
	name := definition.StringAt(u.prior, attrName)
	return kube.Retry(ctx, func(attempt int) (again bool, err error) { //nolint:wrapcheck // the client's errors describe the request
		live, err := u.client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, name)
		if err != nil {
			return false, err //nolint:wrapcheck // the client's errors describe the request
		}
		if live.GetDeletionTimestamp() != nil {
			return false, errDeleting
		}
		kd, err := decoded(live)
		if err != nil {
			return false, err
		}
		u.desired = deployment.WithSecrets(u.planned, u.config, u.prior, fromResponse(kd, u.prior))
		ctx := httpapi.WithMaskedText(httpapi.WithMaskedText(ctx, definition.StringAt(u.desired, attrInputConfig)), kd.Spec.InputConfig)
		changed := deployment.Differences(u.prior, fromResponse(kd, u.prior))
		if sends && (attempt > 1 || len(changed) > 0) && len(deployment.Differences(u.desired, fromResponse(kd, u.desired))) == 0 {
			return false, u.dropLabels(ctx, live) // an earlier write succeeded, but its response was lost
		}
		if len(changed) > 0 {
			return false, changedMeanwhile(changed)
		}
		if !sends {
			return false, nil
		}
		return u.write(ctx, live, diags)
	})
}

// errDeleting is returned for a deployment that is being deleted: a change would be lost
// with it.
var errDeleting = errors.New("it was deleted and exists until its finalizers are removed; nothing was sent. " +
	"Apply again when it no longer exists; the plan then creates it. If it stays, check that the controller runs that removes its finalizers (metadata.finalizers)")

// write writes to the version that was compared. again reports that the object
// has another version by now, which has to be compared again.
func (u *update) write(ctx context.Context, live *unstructured.Unstructured, diags *diag.Diagnostics) (again bool, err error) {
	turned, err := u.client.ManageByApply(ctx, kube.KusciaDeployments, live)
	if err != nil {
		return false, err //nolint:wrapcheck // the client's errors describe the request
	}
	if turned.GetResourceVersion() != live.GetResourceVersion() {
		return true, kube.ErrNewVersion
	}
	written, err := u.apply(ctx, live, diags)
	switch {
	case diags.HasError():
		return false, nil
	case err != nil:
		return kube.Superseded(err), err
	default:
		return false, u.dropLabels(ctx, written)
	}
}

// apply applies desired to the resource version that was compared.
func (u *update) apply(ctx context.Context, live *unstructured.Unstructured, diags *diag.Diagnostics) (*unstructured.Unstructured, error) {
	object, more := request(u.desired, live)
	diags.Append(more...)
	if diags.HasError() {
		return nil, nil //nolint:nilnil // the diagnostics say why
	}
	object.SetResourceVersion(live.GetResourceVersion())
	return u.client.Apply(ctx, kube.KusciaDeployments, object, definition.BoolOf(definition.FieldsOf(u.planned)[attrForceConflicts])) //nolint:wrapcheck // the client's errors describe the request
}

// changedError is returned if the deployment was changed since the plan.
type changedError struct{ attributes []string }

// Error lists the changed attributes.
func (e *changedError) Error() string {
	return fmt.Sprintf("another client has changed the object since the plan, in %s; nothing was sent. Plan again to see the current values", strings.Join(e.attributes, ", "))
}

func changedMeanwhile(changed []path.Path) error {
	e := &changedError{}
	for _, at := range changed[:min(len(changed), 10)] {
		e.attributes = append(e.attributes, at.String())
	}
	return e
}

// dropLabels removes the labels that the plan removes and that have another
// manager too. An apply does not remove those.
func (u *update) dropLabels(ctx context.Context, live *unstructured.Unstructured) error {
	return kube.Retry(ctx, func(int) (again bool, err error) { //nolint:wrapcheck // the client's errors describe the request
		patch := u.labelPatch(live)
		if patch == nil {
			return false, nil
		}
		_, err = u.client.Patch(ctx, kube.KusciaDeployments, kube.CrossDomain, live.GetName(), "", patch)
		if !errors.Is(err, kube.ErrPatchTest) {
			return false, err //nolint:wrapcheck // the client's errors describe the request
		}
		found, getErr := u.client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, live.GetName())
		if getErr != nil {
			return false, getErr //nolint:wrapcheck // the client's errors describe the request
		}
		live = found
		return true, err //nolint:wrapcheck // the client's errors describe the request
	})
}

// labelPatch returns a patch that removes labels from one resource version, nil
// if there is none to remove.
func (u *update) labelPatch(live *unstructured.Unstructured) []kube.PatchOperation {
	after, labels := labelNames(u.planned), live.GetLabels()
	patch := []kube.PatchOperation{{Op: "test", Path: "/metadata/resourceVersion", Value: live.GetResourceVersion()}}
	for _, name := range labelNames(u.prior) {
		if _, still := labels[name]; still && !slices.Contains(after, name) {
			patch = append(patch, kube.PatchOperation{Op: "remove", Path: "/metadata/labels/" + kube.EscapeJSONPointer(name)})
		}
	}
	if len(patch) == 1 {
		return nil
	}
	return patch
}

func labelNames(value definition.Value) []string {
	return slices.Sorted(maps.Keys(definition.FieldsOf(definition.FieldsOf(value)[attrLabels])))
}

// fail reports why the update failed. If the update may have taken effect, the
// next plan compares the object with the state.
func (u *update) fail(err error, resp *resource.UpdateResponse) {
	if err == nil {
		return
	}
	name := definition.StringAt(u.prior, attrName)
	summary := fmt.Sprintf("Unable to update KusciaDeployment %q", name)
	if conflicts := kube.FieldConflicts(err); len(conflicts) > 0 {
		var lines []string
		for _, c := range conflicts {
			lines = append(lines, fmt.Sprintf("%s is managed by %q", c.Field, c.Manager))
		}
		err = fmt.Errorf("%s: %w", strings.Join(lines, "; "), err)
	}
	clients.AddError(&resp.Diagnostics, summary, err)
	if apierror.OutcomeUnknown(err) {
		state := u.prior
		if deployment.ChangesSecrets(u.planned, u.prior) {
			// The next plan must not assume that the cluster still has the
			// prior version of the write-only string.
			state = deployment.InvalidateVersions(state)
		}
		if !definition.FieldsOf(state)[definition.AttrRolloutComplete].IsNull() {
			state = deployment.WithRollout(state, definition.RolloutBeforeWait(state))
		}
		resp.State.Raw = state
	}
}
