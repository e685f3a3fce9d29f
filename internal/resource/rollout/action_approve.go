package rollout

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

var (
	_ action.ActionWithConfigure  = (*approveAction)(nil)
	_ action.ActionWithModifyPlan = (*approveAction)(nil)
)

// NewApproveAction returns the action kuscia_rollout_approve.
func NewApproveAction() action.Action { return &approveAction{} }

type approveAction struct{ run *run.Run }

type approveModel struct {
	Namespace types.String   `tfsdk:"namespace"`
	Name      types.String   `tfsdk:"name"`
	Step      types.Int32    `tfsdk:"step"`
	ToStep    types.Int32    `tfsdk:"to_step"`
	Timeouts  timeouts.Value `tfsdk:"timeouts"`
}

func (a *approveAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_rollout_approve"
}

func (a *approveAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Approves the step at which a release of a Rollout is paused, and waits until it is paused at the next one, or at its end. Nothing in the configuration or in the state changes. " +
			"Actions need Terraform 1.14 or later; for other CLIs there is the resource `kuscia_rollout_approval`.\n\n" +
			"Only a paused release is approved: OpenKruise Rollouts would also accept an approval of a step in progress, and skip it. The approval applies to the version, the step and the state that were read; if any of them has changed, nothing is written.",
		Attributes: map[string]schema.Attribute{
			attrNamespace: schema.StringAttribute{
				Required: true, Validators: []validator.String{crud.ProblemValidator(attrNamespace, namespaceProblem)},
				MarkdownDescription: "Namespace of the Rollout: with Kuscia the domain.",
			},
			attrName: schema.StringAttribute{
				Required: true, Validators: []validator.String{crud.ProblemValidator(attrName, nameProblem)},
				MarkdownDescription: "Name of the Rollout.",
			},
			attrStep: schema.Int32Attribute{
				Optional: true, CustomType: tfvalue.Int32Type{Min: 1, Max: maxSteps}, Validators: stepValidators(),
				MarkdownDescription: "The step to approve, from 1. The action fails if the release is paused at another step. Defaults to the step at which it is paused.",
			},
			attrToStep: schema.Int32Attribute{
				Optional: true, CustomType: tfvalue.Int32Type{Min: 1, Max: maxSteps}, Validators: stepValidators(),
				MarkdownDescription: "The step to continue with instead of the next one. An earlier step is executed again; pods that already have the new version keep it.",
			},
			"timeouts": tfvalue.InvokeTimeouts(ctx, "How long it may take until the release is paused again, for example `30m`. Default 20 minutes."),
		},
	}
}

func stepValidators() []validator.Int32 {
	return []validator.Int32{tfvalue.Between(1, maxSteps)}
}

func (a *approveAction) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.run = run.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// ModifyPlan checks in the plan that the Rollout exists.
func (a *approveAction) ModifyPlan(ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse) {
	var config approveModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	a.run.CheckKubernetes(&resp.Diagnostics, path.Root(attrNamespace))
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(checkPlannedApproval(ctx, a.run, config.approval())...)
	}
}

// approval is the approval of a configuration; what is unknown is empty.
func (m approveModel) approval() *approval {
	return &approval{
		namespace: m.Namespace.ValueString(), name: m.Name.ValueString(),
		request: kruise.Approval{Step: m.Step.ValueInt32(), ToStep: m.ToStep.ValueInt32()},
	}
}

// Invoke approves the step and waits, with a progress message on every change.
func (a *approveAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var config approveModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	client, ready := a.run.ReadyKubernetes(&resp.Diagnostics)
	if !ready {
		return
	}
	timeout, diags := config.Timeouts.Invoke(ctx, approveTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	approving := config.approval()
	approving.client = client
	approving.onProgress = func(text string) { resp.SendProgress(action.InvokeProgressEvent{Message: text}) }
	defer a.run.ForgetRollouts(approving.namespace)
	if checkApproved(ctx, a.run, crud.InApply, approving.id(), &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	if err := approving.send(ctx); err != nil {
		approving.report(&resp.Diagnostics, path.Root(attrStep), err)
		return
	}
	approving.reportProgress(ctx, "approved: "+approving.before.String())
	if err := approving.waitNextPause(ctx); err != nil {
		approving.reportWait(&resp.Diagnostics, err, "Nothing is rolled back.")
	}
}
