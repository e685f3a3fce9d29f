package serving

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
)

const (
	defaultRolloutTimeout = 20 * time.Minute
	defaultDeleteTimeout  = 10 * time.Minute
)

var (
	_ resource.ResourceWithConfigure      = (*servingResource)(nil)
	_ resource.ResourceWithValidateConfig = (*servingResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*servingResource)(nil)
	_ resource.ResourceWithImportState    = (*servingResource)(nil)
	_ resource.ResourceWithIdentity       = (*servingResource)(nil)
	_ resource.ResourceWithMoveState      = (*servingResource)(nil)
)

// NewResource returns the resource kuscia_serving.
func NewResource() resource.Resource { return &servingResource{} }

type servingResource struct{ clients *clients.Clients }

func (r *servingResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_serving"
}

func (r *servingResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = resourceSchema(ctx)
}

func (r *servingResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

func (r *servingResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(located(validate(config))...)
	}
}

// Create creates the serving, saves it, and only then waits for it.
func (r *servingResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var planned, config model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() || !r.clients.Ready(&resp.Diagnostics) {
		return
	}
	r.clients.Servings.Created(planned.ServingID.ValueString())
	wanted := written(planned, config)
	ctx = keepSecret(ctx, wanted)
	validateConfigForms(config, &resp.Diagnostics)
	timeout, diags := config.Timeouts.Create(ctx, defaultRolloutTimeout)
	resp.Diagnostics.Append(diags...)
	checkVersion(ctx, r.clients, wanted, &resp.Diagnostics)
	checkDomains(ctx, r.clients, planned, &resp.Diagnostics)
	var private privateData
	if !resp.Diagnostics.HasError() {
		private.Ports = checkCreate(ctx, r.clients, planned, &resp.Diagnostics)
	}
	request := createRequest(wanted, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	created := r.creation(ctx, request, wanted, timeout).Do(ctx)
	clients.AddCreateError(&resp.Diagnostics, object(request.ServingID), created)
	if !created.Outcome.InState() {
		return
	}
	r.clients.AddAdopted(&resp.Diagnostics, object(request.ServingID), created)
	state := settleUnread(beforeWait(planned))
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{planned.ServingID})...)
	private = private.deployedBy(state, r.clients.AppImages.Known(ctx))
	private.Uncertain = created.Outcome == lifecycle.Unknown
	savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if planned.WaitForRollout.ValueBool() {
		if _, err := r.clients.Readiness.WaitRunning(ctx, createTarget(planned)); err != nil {
			addErrorWithNote(&resp.Diagnostics, fmt.Sprintf("Serving %s was created and does not run", request.ServingID), err,
				"The serving is kept in the state and marked as tainted: the next apply replaces it. If it recovers meanwhile, run terraform untaint to keep it.")
			return
		}
	}
	r.readBack(ctx, planned, wanted, private, &resp.State, resp.Private, &resp.Diagnostics)
}

// Read refreshes the state with one query.
func (r *servingResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var prior model
	resp.Diagnostics.Append(req.State.Get(ctx, &prior)...)
	private, _ := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.clients.Ready(&resp.Diagnostics) {
		return
	}
	// A state written before there were identities gets one here.
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{prior.ServingID})...)
	ctx = keepSecret(ctx, prior)
	id := prior.ServingID.ValueString()
	answer, err := r.query(ctx, id)
	if err != nil {
		r.readFailed(ctx, prior, err, resp)
		return
	}
	if private.Uncertain && (prior.hidesConfig() || len(differences(prior, answer, private)) > 0) {
		// The create whose answer was lost did not happen, or nobody can tell:
		// this serving is somebody else's, and a tainted one would be deleted.
		resp.State.RemoveResource(ctx)
		return
	}
	from := sourcesOf(ctx, r.clients)
	state, next := readState(prior, answer, private, from)
	warnNotSeen(&resp.Diagnostics, id, takenForDone(prior, state, private, answer.Status, from.now))
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	savePrivate(ctx, resp.Private, next, &resp.Diagnostics)
}

// addErrorWithNote adds an error with a last paragraph on what became of the
// state.
func addErrorWithNote(diags *diag.Diagnostics, summary string, err error, note string) {
	var described diag.Diagnostics
	clients.AddError(&described, summary, err)
	for _, d := range described {
		diags.AddError(d.Summary(), d.Detail()+"\n\n"+note)
	}
}

// Delete deletes the serving and waits until Kuscia no longer lists it.
func (r *servingResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var prior model
	resp.Diagnostics.Append(req.State.Get(ctx, &prior)...)
	if resp.Diagnostics.HasError() || !r.clients.Ready(&resp.Diagnostics) {
		return
	}
	ctx = keepSecret(ctx, prior)
	timeout, diags := prior.Timeouts.Delete(ctx, defaultDeleteTimeout)
	resp.Diagnostics.Append(diags...)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	id := prior.ServingID.ValueString()
	if r.clients.KeepsAdopted(&resp.Diagnostics, object(id)) {
		return
	}
	err := r.clients.API.DeleteServing(ctx, id)
	if errors.Is(err, kuscia.ErrNotFound) {
		err = knowsServing(ctx, r.clients, prior)
	}
	if err != nil {
		clients.AddError(&resp.Diagnostics, "Unable to delete serving "+id, err)
		return
	}
	if err := r.clients.Readiness.WaitGone(ctx, id); err != nil {
		clients.AddError(&resp.Diagnostics, "Serving "+id+" is still listed after its deletion", err)
	}
}

// keepSecret keeps the configuration of a serving out of errors and logs, should
// the server name it.
func keepSecret(ctx context.Context, m model) context.Context {
	return kuscia.KeepSecret(ctx, m.ServingInputConfig.ValueString())
}
