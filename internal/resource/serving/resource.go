package serving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
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
	wanted := written(planned, config)
	ctx = keepSecret(ctx, wanted)
	validateConfigForms(config, &resp.Diagnostics)
	timeout, diags := config.Timeouts.Create(ctx, defaultRolloutTimeout)
	resp.Diagnostics.Append(diags...)
	checkVersion(ctx, r.clients, wanted, &resp.Diagnostics)
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
	clients.AddAdopted(&resp.Diagnostics, object(request.ServingID), created)
	state := planned
	state.Endpoints, state.CreateTime = refreshComputed(planned, nil)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{planned.ServingID})...)
	private.Uncertain = created.Outcome == lifecycle.Unknown
	savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if planned.WaitForRollout.ValueBool() {
		if _, err := r.clients.Readiness.WaitRunning(ctx, target(planned, nil)); err != nil {
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
		r.readFailed(ctx, id, err, resp)
		return
	}
	state, next := refresh(prior, answer, private, templateReplicas(ctx, r.clients))
	if private.Uncertain && (prior.hidesConfig() || len(differences(prior, answer, private)) > 0) {
		// The create whose answer was lost did not happen, or nobody can tell:
		// this serving is somebody else's, and a tainted one would be deleted.
		resp.State.RemoveResource(ctx)
		return
	}
	if private.Imported && state.Timeouts.IsNull() {
		state.Timeouts = importedTimeouts()
	}
	state, next = spotResources(state, answer, next, lookupTemplate(ctx, r.clients.AppImages.Get), lookupTemplate(ctx, r.clients.API.QueryAppImage))
	next = next.learn(answer, state)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	savePrivate(ctx, resp.Private, next, &resp.Diagnostics)
}

// readFailed tells a serving that is gone from one that cannot be read. Only
// batch status tells: error texts of live servings contain "not found" too.
func (r *servingResource) readFailed(ctx context.Context, id string, cause error, resp *resource.ReadResponse) {
	statuses, err := r.clients.API.BatchQueryServingStatus(ctx, []string{id})
	switch {
	case err == nil && len(statuses) == 0, errors.Is(err, kuscia.ErrNotFound):
		resp.State.RemoveResource(ctx)
	case err == nil && errors.Is(cause, kuscia.ErrTemplateMissing):
		resp.Diagnostics.AddWarning("Serving "+id+" cannot be read",
			// The server's text is a dump of the app image with its environment.
			"The serving exists, and Kuscia cannot show it because an app image it uses no longer has a deploy template for the role of a party. Its state stays as it was. Give the app image such a template again, or change app_image.")
	case err == nil && errors.Is(cause, kuscia.ErrAppImageMissing):
		resp.Diagnostics.AddWarning("Serving "+id+" cannot be read",
			cause.Error()+"\n\nThe serving exists, and Kuscia cannot show it because an app image it uses is gone. Its state stays as it was. Create the app image again, or change app_image.")
	default:
		clients.AddError(&resp.Diagnostics, "Unable to read serving "+id, cause)
	}
}

// Update sends what changed, and only if Kuscia stores it.
func (r *servingResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var planned, prior, config model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &prior)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	private, _ := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.clients.Ready(&resp.Diagnostics) {
		return
	}
	ctx = keepSecret(ctx, prior)
	validateConfigForms(config, &resp.Diagnostics)
	timeout, diags := config.Timeouts.Update(ctx, defaultRolloutTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	wanted, before, ok := r.configTexts(ctx, planned, prior, config, &resp.Diagnostics)
	if !ok {
		return
	}
	ctx = keepSecret(keepSecret(ctx, before), wanted)
	request := updateRequest(wanted, before, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{prior.ServingID})...)
	id := prior.ServingID.ValueString()

	redeploy := redeploys(wanted, before, private)
	if request == nil && !redeploy {
		r.saveUnchanged(ctx, planned, wanted, private.afterUpdate(config), resp)
		return
	}
	checkUpdate(ctx, r.clients, planned, prior, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if redeploy {
		if request = r.redeployRequest(ctx, wanted, before, request, &resp.Diagnostics); request == nil {
			return
		}
	}
	if err := r.clients.API.UpdateServing(ctx, request); err != nil {
		clients.AddError(&resp.Diagnostics, "Unable to update serving "+id, err)
		if request.ServingInputConfig != "" && kuscia.MayHaveHappened(err) && (prior.hidesConfig() || planned.hidesConfig()) {
			// The next read must not take a hidden text for a difference, nor
			// the next plan the old version for what Kuscia has.
			unsure := stale(prior)
			resp.Diagnostics.Append(resp.State.Set(ctx, &unsure)...)
		}
		return
	}
	sent := time.Now()
	private = private.afterUpdate(config)
	state := planned
	state.Endpoints, state.CreateTime = refreshComputed(planned, nil)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
	if planned.WaitForRollout.ValueBool() {
		wanted := target(planned, request)
		wanted.Since = sent
		if _, err := r.clients.Readiness.WaitRunning(ctx, wanted); err != nil {
			addErrorWithNote(&resp.Diagnostics, fmt.Sprintf("Serving %s was updated and does not run", id), err,
				"Kuscia has stored the new specification, and so has the state; the next plan compares with what Kuscia then reports. Nothing is rolled back.")
			return
		}
	}
	r.readBack(ctx, planned, wanted, private, &resp.State, resp.Private, &resp.Diagnostics)
}

// saveUnchanged stores an update of which Kuscia needs to know nothing.
func (r *servingResource) saveUnchanged(ctx context.Context, planned, wanted model, private privateData, resp *resource.UpdateResponse) {
	if planned.Endpoints.IsUnknown() || planned.CreateTime.IsUnknown() {
		r.readBack(ctx, planned, wanted, private, &resp.State, resp.Private, &resp.Diagnostics)
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &planned)...)
	savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
}

// redeployRequest adds to a request what rolls every party: the configuration
// with other white space than the text that Kuscia has.
func (r *servingResource) redeployRequest(ctx context.Context, wanted, before model, request *kuscia.UpdateServingRequest, diags *diag.Diagnostics) *kuscia.UpdateServingRequest {
	if !redeployable(wanted.ServingInputConfig) {
		// It was unknown when the configuration was validated, or is hidden and
		// was changed by somebody else.
		addNotRedeployable(diags)
		return nil
	}
	id := wanted.ServingID.ValueString()
	current := before.ServingInputConfig.ValueString()
	if !before.hidesConfig() { // else it was just asked for
		answer, err := r.clients.API.QueryServing(ctx, id)
		if request != nil && hiddenByImage(err) {
			// An app image with a new name is replaced before the servings change
			// over to it, and Kuscia cannot show a serving whose app image is gone.
			if err = r.clients.API.UpdateServing(ctx, request); err == nil {
				request = nil
				answer, err = r.clients.API.QueryServing(ctx, id)
			}
		}
		if err != nil {
			clients.AddAttributeError(diags, path.Root("redeploy_triggers"), "Unable to read serving "+id+" before restarting its pods", err)
			return nil
		}
		current = answer.ServingInputConfig
	}
	if request == nil {
		request = &kuscia.UpdateServingRequest{ServingID: id}
	}
	request.ServingInputConfig = respell(wanted.ServingInputConfig.ValueString(), current)
	return request
}

// hiddenByImage reports whether a serving exists and cannot be shown, because an
// app image of it is gone or has no template for a role any more.
func hiddenByImage(err error) bool {
	return errors.Is(err, kuscia.ErrAppImageMissing) || errors.Is(err, kuscia.ErrTemplateMissing)
}

// readBack asks for the serving as it is now and stores it. The values of the
// plan stay as they are spelled; one that did not take effect is an error.
// wanted is the plan with the text that was sent.
func (r *servingResource) readBack(ctx context.Context, planned, wanted model, private privateData, state *tfsdk.State, to privateSetter, diags *diag.Diagnostics) {
	id := planned.ServingID.ValueString()
	answer, err := r.clients.API.QueryServing(ctx, id)
	if err != nil {
		diags.AddWarning("Serving "+id+" could not be read back",
			err.Error()+"\n\nThe change itself succeeded. What only Kuscia knows, such as endpoints, is filled in by the next refresh.")
		settled := planned
		settled.Endpoints, settled.CreateTime = refreshComputed(planned, nil)
		diags.Append(state.Set(ctx, &settled)...)
		savePrivate(ctx, to, private, diags)
		return
	}
	observed, next := refresh(planned, answer, private, templateReplicas(ctx, r.clients))
	if len(next.Seen) == 0 {
		// The first time only notes. What has changed since is left to the
		// next read: app images may be remembered from before the rollout.
		observed, next = spotResources(observed, answer, next, lookupTemplate(ctx, r.clients.AppImages.Get), lookupTemplate(ctx, r.clients.API.QueryAppImage))
	}
	if different := differences(wanted, answer, private); len(different) > 0 {
		if planned.hidesConfig() && slices.Contains(different, attrConfig) {
			observed = stale(observed)
		}
		diags.AddError("Serving "+id+" is not as planned", fmt.Sprintf(
			"Kuscia reports something else than what was sent, in %s. Another writer may have changed the serving, or Kuscia ignored a part of the request. The state has what Kuscia reports; plan again to see the difference.", joined(different)))
		diags.Append(state.Set(ctx, &observed)...)
		savePrivate(ctx, to, next.learn(answer, observed), diags)
		return
	}
	final := planned
	if planned.Endpoints.IsUnknown() {
		final.Endpoints = observed.Endpoints
	}
	if planned.CreateTime.IsUnknown() {
		final.CreateTime = observed.CreateTime
	}
	diags.Append(state.Set(ctx, &final)...)
	savePrivate(ctx, to, next.learn(answer, final), diags)
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
	if err := r.clients.API.DeleteServing(ctx, id); err != nil && !errors.Is(err, kuscia.ErrNotFound) {
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

// target is what a rollout has to reach. update is the request that led to it,
// nil for a new serving.
func target(planned model, update *kuscia.UpdateServingRequest) wait.Target {
	parties, _ := decodeParties(planned.Parties)
	wanted := wait.Target{ServingID: planned.ServingID.ValueString(), Updated: update != nil}
	for _, p := range parties {
		wanted.Parties = append(wanted.Parties, wait.PartyTarget{
			DomainID: p.domainID.ValueString(), Role: p.role.ValueString(), Replicas: p.replicas.ValueInt32(),
			Unchanged: update != nil && update.ServingInputConfig == "" && findWire(update.Parties, p.key()) == nil,
		})
	}
	return wanted
}

// templateReplicas answers how many pods a party runs whose replicas were
// never set: those of the app image's template.
func templateReplicas(ctx context.Context, c *clients.Clients) func(kuscia.ServingParty) int32 {
	template := lookupTemplate(ctx, c.AppImages.Get)
	return func(p kuscia.ServingParty) int32 {
		if current := template(p); current != nil {
			return current.Replicas
		}
		return 1
	}
}

// lookupTemplate looks deploy templates up in a source of app images: those
// that were asked for in this run, or Kuscia itself.
func lookupTemplate(ctx context.Context, get func(ctx context.Context, name string) (*kuscia.AppImage, error)) templateLookup {
	return func(p kuscia.ServingParty) *kuscia.DeployTemplate {
		image, err := get(ctx, p.AppImage)
		if err != nil {
			return nil
		}
		return templateFor(image, p.Role)
	}
}
