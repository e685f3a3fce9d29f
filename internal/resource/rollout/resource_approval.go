package rollout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var (
	_ resource.ResourceWithConfigure      = (*approvalResource)(nil)
	_ resource.ResourceWithImportState    = (*approvalResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*approvalResource)(nil)
	_ resource.ResourceWithValidateConfig = (*approvalResource)(nil)
)

// NewApprovalResource returns the resource kuscia_rollout_approval.
func NewApprovalResource() resource.Resource {
	return &approvalResource{crud.NewBaseResource(&approvalKind)}
}

type approvalResource struct{ crud.BaseResource }

// approvalKind describes approvals.
var approvalKind = crud.Kind{Type: "rollout_approval", Definition: approvalDefinition, Validate: validateApproval}

// importedKey is the private state key of an imported resource: the triggers in
// its state are not known.
const importedKey = "imported"

// ModifyPlan plans the whole resource and replaces the framework's proposal.
func (r *approvalResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	r.Run.CheckKubernetes(&resp.Diagnostics, path.Root(attrNamespace))
	imported, more := req.Private.GetKey(ctx, importedKey)
	resp.Diagnostics.Append(more...)
	p := approvalDefinition.Plan(req.Config.Raw, req.State.Raw, definition.PlanOptions{Imported: len(imported) > 0})
	crud.AddReplacements(resp, "approval", "", p.Replaces)
	fields := maps.Clone(definition.FieldsOf(p.Planned))
	sends := approves(req.State.Raw, p.Differences)
	if sends {
		fields[attrRevision] = definition.UnknownString()
		if len(p.Replaces) == 0 { // else Terraform requests the plan of a create next
			resp.Diagnostics.Append(checkPlannedApproval(ctx, r.Run, approvalOf(p.Planned))...)
		}
	}
	if sends || !definition.BoolOf(definition.At(req.State.Raw, attrComplete)) { // the apply waits for it
		fields[attrComplete] = tftypes.NewValue(tftypes.Bool, tftypes.UnknownValue)
	}
	resp.Plan.Raw = tftypes.NewValue(approvalDefinition.Type(), fields)
}

// approves reports whether an apply approves a step. A change of the timeouts
// alone does not, nor does a repeated wait.
func approves(prior tftypes.Value, differences []path.Path) bool {
	return prior.IsNull() || slices.ContainsFunc(differences, func(at path.Path) bool {
		return len(at.Steps()) > 0 && !strings.HasPrefix(at.String(), definition.AttrTimeouts)
	})
}

// approved returns the state after the cluster has stored an approval.
func approved(planned tftypes.Value, revision string, complete bool) tftypes.Value {
	fields := maps.Clone(definition.FieldsOf(planned))
	fields[attrRevision] = definition.StringValue(revision)
	fields[attrComplete] = tftypes.NewValue(tftypes.Bool, complete)
	return approvalDefinition.Filled(approvalDefinition.Derived(tftypes.NewValue(approvalDefinition.Type(), fields)), approvalDefinition.Null())
}

// Create approves the step, saves the state, and then waits.
func (r *approvalResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, cancel := context.WithTimeout(ctx, approvalDefinition.Timeout(req.Plan.Raw, definition.OnCreate))
	defer cancel()
	a := approvalOf(req.Plan.Raw)
	defer r.Run.ForgetRollouts(a.namespace)
	if !r.send(ctx, a, &resp.Diagnostics) {
		return
	}
	resp.State.Raw = approved(req.Plan.Raw, a.before.Revision, false)
	if err := a.waitNextPause(ctx); err != nil {
		a.reportWait(&resp.Diagnostics, err, "The approval is kept in the state and marked as tainted: run terraform untaint, so that the next apply waits again and does not approve again.")
		return
	}
	resp.State.Raw = approved(req.Plan.Raw, a.before.Revision, true)
}

// send sends the approval.
func (r *approvalResource) send(ctx context.Context, a *approval, diags *diag.Diagnostics) bool {
	client, ready := r.Run.ReadyKubernetes(diags)
	if !ready {
		return false
	}
	if checkApproved(ctx, r.Run, crud.InApply, a.id(), diags); diags.HasError() {
		return false
	}
	a.client = client
	if err := a.send(ctx); err != nil {
		a.report(diags, path.Root(attrStep), err)
		return false
	}
	return true
}

// Read keeps the state: an approval cannot be withdrawn.
func (r *approvalResource) Read(_ context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	resp.State.Raw = req.State.Raw
}

// Update approves another step, or repeats the wait.
func (r *approvalResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	ctx, cancel := context.WithTimeout(ctx, approvalDefinition.Timeout(req.Plan.Raw, definition.OnUpdate))
	defer cancel()
	a, before := approvalOf(req.Plan.Raw), definition.FieldsOf(req.State.Raw)
	defer r.Run.ForgetRollouts(a.namespace)
	sends := approves(req.State.Raw, approvalDefinition.Plan(req.Plan.Raw, req.State.Raw, definition.PlanOptions{}).Differences)
	switch {
	case sends:
		if !r.send(ctx, a, &resp.Diagnostics) {
			return
		}
	case !definition.BoolOf(before[attrComplete]):
		client, ready := r.Run.ReadyKubernetes(&resp.Diagnostics)
		if !ready {
			return
		}
		a.client, a.resumed = client, true
	}
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, importedKey, nil)...)
	resp.State.Raw = approved(req.Plan.Raw, a.before.Revision, false)
	if a.client != nil {
		var over *releaseOverError
		switch err := a.waitNextPause(ctx); {
		case errors.As(err, &over):
			a.warnOver(&resp.Diagnostics, over)
		case err != nil:
			a.reportWait(&resp.Diagnostics, err, "It is kept in the state with complete = false: the next apply waits again.")
			return
		}
	}
	resp.State.Raw = approved(req.Plan.Raw, a.before.Revision, true)
}

// Delete removes the approval from the state without a request to the cluster.
func (r *approvalResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {
}

var approvalIDFormat = regexp.MustCompile(`^([^/]+)/([^/]+)/([1-9][0-9]?)(?:/([1-9][0-9]?))?$`)

// ImportState sets the import ID. Nothing is read: the step is assumed to be
// approved.
func (r *approvalResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	parts := approvalIDFormat.FindStringSubmatch(req.ID)
	if parts == nil || namespaceProblem(parts[1]) != "" || nameProblem(parts[2]) != "" {
		resp.Diagnostics.AddError("Invalid import ID", fmt.Sprintf("%q is not of the form namespace/name/step or, for an approval with to_step, namespace/name/step/to_step, with steps from 1. For example: terraform import kuscia_rollout_approval.NAME alice/glm/1", req.ID))
		return
	}
	imported := definition.Tree{attrID: req.ID, attrNamespace: parts[1], attrName: parts[2], attrComplete: true, attrRevision: ""}
	for name, text := range map[string]string{attrStep: parts[3], attrToStep: parts[4]} {
		if step, err := strconv.ParseInt(text, 10, 32); err == nil {
			imported[name] = step
		}
	}
	// A plan keeps triggers that are not null, whatever the configuration has: they approve nothing.
	noTriggers := tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{})
	resp.State.Raw = approvalDefinition.Refreshed(approvalDefinition.Encode(imported), approvalDefinition.OnlyID(map[string]definition.Value{attrTriggers: noTriggers}))
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, importedKey, []byte("true"))...)
}
