package serving

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

var _ action.ActionWithConfigure = (*redeployAction)(nil)

// NewRedeployAction returns the action kuscia_serving_redeploy.
func NewRedeployAction() action.Action { return &redeployAction{} }

type redeployAction struct{ run *run.Run }

type redeployModel struct {
	ServingID types.String   `tfsdk:"serving_id"`
	Timeouts  timeouts.Value `tfsdk:"timeouts"`
}

func (a *redeployAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_serving_redeploy"
}

func (a *redeployAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Restarts the pods of every party of a serving, by its update strategy, and waits until all of them run again. Nothing in the configuration or in the state changes. " +
			"Actions need Terraform 1.14 or later; OpenTofu has none.\n\n" +
			"A changed app image is better rolled out by an apply (`follow_app_image` and `redeploy_triggers` of `kuscia_serving`): this action applies it too, but the state does not have it, so that the next plan still shows it or warns of it. " +
			"All of them send `serving_input_config` again with different white space, so both need a serving whose `serving_input_config` is JSON (`\"{}\"` is enough).",
		Attributes: map[string]schema.Attribute{
			"serving_id": schema.StringAttribute{
				MarkdownDescription: "ID of the serving in Kuscia.",
				Required:            true,
				Validators:          []validator.String{tfvalue.Matches(party.RFC1123Label, party.RFC1123LabelRule)},
			},
			"timeouts": tfvalue.InvokeTimeouts(ctx, "How long the restart of all parties may take, for example `30m`. Default 20 minutes."),
		},
	}
}

func (a *redeployAction) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.run = run.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Invoke restarts the pods of every party and waits for the rollout, with a
// progress message whenever the observed state changes.
func (a *redeployAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var config redeployModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() || !a.run.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	timeout, diags := config.Timeouts.Invoke(ctx, rules.DefaultRolloutTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	id := config.ServingID.ValueString()

	a.awaitRollouts(ctx, id, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	var observer servingstatus.DeploymentObserver
	current, err := redeploy(ctx, a.run.Kuscia, id, func(current *kuscia.Serving) (err error) {
		if err = a.check(ctx, current); err == nil {
			observer, err = checkedObserver(ctx, a.run, id, true, current.Status, current.Parties, rules.DefaultProgressDeadline)
		}
		return err
	})
	if err != nil {
		addRedeployError(&resp.Diagnostics, id, err)
		return
	}
	ctx = kuscia.WithMaskedText(ctx, current.ServingInputConfig)
	target := rules.RedeployTarget(id, current, rules.TemplateReplicas(a.run.AppImages.Lookup(ctx)))
	target.Since, target.Observer = time.Now(), observer
	report := func(text string) {
		resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf("serving %s: %s", id, text)})
	}
	report(fmt.Sprintf("restarting the pods of %d parties", len(current.Parties)))
	result, err := waitWithProgress(ctx, pollerOf(a.run), target, report)
	if err != nil {
		addErrorWithNote(&resp.Diagnostics, message.NotRunningSummary("Serving was redeployed", err), err,
			"Kuscia continues to restart the pods, and nothing is rolled back. The configuration and the state are as before.")
		return
	}
	if result.Paused != "" {
		resp.Diagnostics.AddWarning("Serving is paused by a Rollout", result.Paused+" The restart continues with the release."+result.Pods.AfterWarning())
		return
	}
	warnStartNotObserved(&resp.Diagnostics, id, result.StartNotObserved)
	if len(result.StartNotObserved) == 0 {
		report("every party runs restarted pods")
	}
}

// awaitRollouts waits until the Rollouts of the serving's Deployments control them:
// a redeploy is a new version of each, as an update is.
func (a *redeployAction) awaitRollouts(ctx context.Context, id string, diags *diag.Diagnostics) {
	if !a.run.HasKubernetes() {
		return
	}
	current, err := a.run.Kuscia.QueryServing(ctx, id)
	if err != nil || checkRedeployable(current) != nil {
		return // the redeploy reports it
	}
	var changed []rolloutstatus.ChangedDeployment
	for _, p := range current.Parties {
		changed = append(changed, rolloutstatus.ChangedDeployment{Namespace: p.DomainID, Name: party.DeploymentName(id, p.Role), At: path.Root("serving_id")})
	}
	rolloutstatus.AwaitControl(ctx, a.run, diags, changed)
}

// check rejects a redeploy that Kuscia would accept and then never carry out.
func (a *redeployAction) check(ctx context.Context, current *kuscia.Serving) error {
	if err := checkRedeployable(current); err != nil {
		return err
	}
	if current.Status == nil {
		return nil
	}
	endpoints := rules.EncodeEndpoints(current.Status.PartyStatuses)
	for _, wire := range current.Parties {
		image, err := a.run.AppImages.Get(ctx, wire.AppImage)
		if err != nil {
			continue
		}
		planned := rules.NewParty("", definition.Tree{"domain_id": wire.DomainID, "role": wire.Role})
		for _, found := range rules.CheckAllocated(planned, image, nil, endpoints) {
			return &refusedError{found}
		}
	}
	return nil
}

func addRedeployError(diags *diag.Diagnostics, id string, err error) {
	at := path.Root("serving_id")
	var refused *refusedError
	switch {
	case errors.As(err, &refused):
		diags.AddAttributeError(at, refused.Issue.Summary, fmt.Sprintf("Serving %q: %s", id, refused.Issue.Detail))
	case errors.Is(err, kuscia.ErrNotFound):
		diags.AddAttributeError(at, "Serving does not exist",
			fmt.Sprintf("Kuscia has no serving %q. Check serving_id, and that the provider block refers to the right Kuscia.", id))
	default:
		message.AddError(diags, "Unable to redeploy serving", err)
	}
}

// progressInterval is the time between progress messages while nothing changes.
const progressInterval = 10 * time.Second

// waitWithProgress waits until the serving runs and reports what it observes. A
// slow reader must not hold up the waiter, so only the latest text is kept.
func waitWithProgress(ctx context.Context, poller *servingstatus.Poller, target servingstatus.Target, report func(text string)) (servingstatus.Result, error) {
	seen := make(chan string, 1)
	target.Progress = func(text string) {
		for {
			select {
			case seen <- text:
				return
			default:
			}
			select {
			case <-seen:
			default:
			}
		}
	}
	var result servingstatus.Result
	done := make(chan error, 1)
	go func() {
		var err error
		result, err = poller.WaitRunning(ctx, target)
		done <- err
	}()
	began, latest := time.Now(), "waiting for Kuscia"
	ticker := time.NewTicker(progressInterval)
	defer ticker.Stop()
	for {
		select {
		case latest = <-seen:
			report(latest)
		case <-ticker.C:
			report(fmt.Sprintf("%s (%s)", latest, time.Since(began).Round(time.Second)))
		case err := <-done:
			return result, err
		}
	}
}

// addErrorWithNote adds an error with a last paragraph about what was saved in
// the state.
func addErrorWithNote(diags *diag.Diagnostics, summary string, err error, note string) {
	var described diag.Diagnostics
	message.AddError(&described, summary, err)
	for _, d := range described {
		diags.AddError(d.Summary(), d.Detail()+"\n\n"+note)
	}
}
