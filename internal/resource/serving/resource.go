package serving

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

var (
	_ resource.ResourceWithConfigure   = (*servingResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*servingResource)(nil)
	_ resource.ResourceWithImportState = (*servingResource)(nil)
	_ resource.ResourceWithIdentity    = (*servingResource)(nil)
	_ resource.ResourceWithMoveState   = (*servingResource)(nil)
)

// NewResource returns the resource kuscia_serving.
func NewResource() resource.Resource { return newResource() }

func newResource() *servingResource {
	return &servingResource{BaseResourceWithIdentity: crud.NewBaseResourceWithIdentity(&servingKind)}
}

type servingResource struct {
	crud.BaseResourceWithIdentity
	movestate.KindsSetter
}

// servingKind describes servings.
var servingKind = crud.Kind{
	Type: "serving", Definition: rules.Definition, Validate: rules.Validate,
	Identity: identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		attrServingID: identityschema.StringAttribute{RequiredForImport: true, Description: "ID of the serving in Kuscia."},
	}},
}

const attrServingID = "serving_id"

// identity identifies a serving within a Kuscia.
func identity(servingID string) map[string]string {
	return map[string]string{attrServingID: servingID}
}

// Create creates the serving, saves the state, and then waits for it.
func (r *servingResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	planned, config := rules.Of(req.Plan.Raw), rules.Of(req.Config.Raw)
	if !r.Clients.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	planned = completeImages(ctx, r.Clients, planned, config, nil, rules.Private{}, &resp.Diagnostics)
	desired := rules.Desired(planned, config)
	ctx = keepSecret(ctx, desired)
	resp.Diagnostics.Append(rules.Validate(req.Config.Raw)...) // a value may have been unknown before
	timeout := rules.Definition.Timeout(req.Config.Raw, definition.OnCreate)
	checkVersion(ctx, r.Clients, desired, &resp.Diagnostics)
	checkParties(ctx, r.Clients, plannedChange{planned: planned, inApply: true}, &resp.Diagnostics)
	private := rules.Private{Ports: portsOf(ctx, r.Clients, planned)}
	request := rules.CreateRequest(desired, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	observer := observerFor(ctx, r.Clients, planned, nil, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	claimed := r.Clients.Claim(object(request.ServingID))
	creation := r.creation(ctx, request, desired, timeout)
	creation.AdoptExisting = r.Clients.Adopts(claimed)
	created := creation.Do(ctx)
	if !r.Clients.AddCreateResult(&resp.Diagnostics, claimed, created) {
		return
	}
	state := rules.ResolveComputedWithoutRead(rules.BeforeWait(planned))
	if created.Outcome == lifecycle.Unknown {
		state = state.MarkUncertain()
	}
	resp.State.Raw = state.Value()
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identity(planned.ServingID.ValueString()))...)
	if created.Outcome == lifecycle.Adopted {
		private.Ports = nil // those of its app image when it was created are not known
	}
	private = rules.RecordCreate(private, state, r.Clients.AppImages.Lookup(ctx))
	private.CreateOutcomeUnknown = created.Outcome == lifecycle.Unknown
	rules.PrivateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	done := applyResult{planned: planned, private: private}
	if planned.WaitForRollout.ValueBool() {
		target := rules.CreateTarget(planned)
		target.Observer = observer
		if done = r.await(ctx, target, done, createdNotRunning, resp.Private, &resp.Diagnostics); resp.Diagnostics.HasError() {
			return
		}
	}
	r.readBack(ctx, done, desired, &resp.State, resp.Private, &resp.Diagnostics)
}

// Read refreshes the state with one query.
func (r *servingResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	prior := rules.Of(req.State.Raw)
	private, _ := rules.PrivateKey.Load(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Clients.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	// A state written before the identity was introduced gets one here.
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identity(prior.ServingID.ValueString()))...)
	ctx = keepSecret(ctx, prior)
	id := prior.ServingID.ValueString()
	response, versions, err := r.query(ctx, id)
	if err != nil {
		r.readFailed(ctx, prior, err, resp)
		return
	}
	if private.CreateOutcomeUnknown && !isCreated(prior, response, private) {
		clients.AddNotCreated(&resp.Diagnostics, object(id), "was removed from the state")
		resp.State.RemoveResource(ctx)
		return
	}
	from := sourcesOf(ctx, r.Clients, id)
	state, next := rules.Refresh(prior, response, private, from)
	warnStartNotObserved(&resp.Diagnostics, id, rules.AssumedComplete(prior, state, private, response.Status, from.Now, from.Deployments))
	warnRolloutUnknown(&resp.Diagnostics, id, from.Deployments)
	resp.State.Raw = state.Value()
	rules.PrivateKey.Save(ctx, resp.Private, versions.recordIfStable(ctx, r.Clients, state, next, response), &resp.Diagnostics)
}

// isCreated reports whether a serving is that of a create whose response was
// lost. If it is not, or if that cannot be determined, it belongs to another
// client, and Terraform would delete it as tainted.
func isCreated(prior rules.Serving, response *kuscia.Serving, private rules.Private) bool {
	return !prior.ConfigIsWriteOnly() && len(rules.Differences(prior, response, private)) == 0
}

// addErrorWithNote adds an error with a last paragraph about what was saved in
// the state.
func addErrorWithNote(diags *diag.Diagnostics, summary string, err error, note string) {
	var described diag.Diagnostics
	clients.AddError(&described, summary, err)
	for _, d := range described {
		diags.AddError(d.Summary(), d.Detail()+"\n\n"+note)
	}
}

// Delete deletes the serving and waits until Kuscia no longer lists it.
func (r *servingResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	prior := rules.Of(req.State.Raw)
	if !r.Clients.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	ctx = keepSecret(ctx, prior)
	ctx, cancel := context.WithTimeout(ctx, rules.Definition.Timeout(req.State.Raw, definition.OnDelete))
	defer cancel()
	id := prior.ServingID.ValueString()
	if r.Clients.KeepsAdopted(&resp.Diagnostics, object(id)) {
		return
	}
	if private, _ := rules.PrivateKey.Load(ctx, req.Private, &resp.Diagnostics); private.CreateOutcomeUnknown || prior.HasNoID() {
		// A refresh would have decided whose the serving is.
		switch response, _, err := r.query(ctx, id); {
		case err == nil && !isCreated(prior, response, private):
			clients.AddNotCreated(&resp.Diagnostics, object(id), "was not deleted")
			return
		case err != nil && !errors.Is(err, kuscia.ErrNotFound):
			clients.AddError(&resp.Diagnostics, "Unable to read serving before deleting it", err)
			return
		}
	}
	var releases diag.Diagnostics
	warnOfReleases(ctx, r.Clients, prior, "Serving was deleted during a release", &releases)
	err := r.Clients.Kuscia.DeleteServing(ctx, id)
	if errors.Is(err, kuscia.ErrNotFound) {
		err = checkNodeKnowsServing(ctx, r.Clients, prior)
	}
	if err != nil {
		clients.AddError(&resp.Diagnostics, "Unable to delete serving", err)
		return
	}
	r.Clients.Release(object(id))
	resp.Diagnostics.Append(releases...)
	if err := r.Clients.ServingPoller.WaitDeleted(ctx, id); err != nil {
		summary := "Serving is still listed after its deletion"
		if errors.Is(err, wait.ErrCancelled) {
			summary = clients.NotDeletedSummary("serving", err)
		}
		clients.AddError(&resp.Diagnostics, summary, err)
	}
}

// keepSecret masks the configuration of a serving in errors and logs, in case
// the server's text contains it.
func keepSecret(ctx context.Context, m rules.Serving) context.Context {
	return kuscia.WithMaskedText(ctx, m.ServingInputConfig.ValueString())
}
