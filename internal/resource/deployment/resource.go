package deployment

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var (
	_ resource.ResourceWithConfigure      = (*kusciaDeployment)(nil)
	_ resource.ResourceWithIdentity       = (*kusciaDeployment)(nil)
	_ resource.ResourceWithImportState    = (*kusciaDeployment)(nil)
	_ resource.ResourceWithModifyPlan     = (*kusciaDeployment)(nil)
	_ resource.ResourceWithValidateConfig = (*kusciaDeployment)(nil)
)

// NewResource returns the resource kuscia_deployment.
func NewResource() resource.Resource { return &kusciaDeployment{} }

type kusciaDeployment struct{ clients *clients.Clients }

// resourceSchema is built once, since the framework requests it for every RPC.
var resourceSchema = sync.OnceValue(func() schema.Schema { return deployment.ResourceSchema() })

// Metadata sets the type name.
func (r *kusciaDeployment) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_deployment"
}

// Schema returns the schema.
func (r *kusciaDeployment) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = resourceSchema()
}

// IdentitySchema returns the schema of the identity.
func (r *kusciaDeployment) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identitySchema
}

// Configure stores the clients of the provider.
func (r *kusciaDeployment) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// ValidateConfig reports issues that do not depend on the state.
func (r *kusciaDeployment) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	resp.Diagnostics.Append(validate(req.Config.Raw)...)
}

// ModifyPlan plans the whole resource. It does not use the plan that the
// framework proposes.
func (r *kusciaDeployment) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	r.clients.CheckKubernetes(&resp.Diagnostics, path.Root(attrName))
	private := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	config, observed := private.configured(req.Config.Raw, req.State.Raw)
	resp.Diagnostics.Append(checkDefinition(config, req.State.Raw)...)
	if private.Observed && !resp.Diagnostics.HasError() {
		r.keepObserved(ctx, req, private, observed, resp)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	change := plan(config, req.State.Raw, private.Imported)
	resp.Plan.Raw = change.planned
	isNew := req.State.Raw.IsNull()
	if isNew || len(change.replaces) == 0 { // else Terraform requests the plan of a create next
		checkNames(ctx, r.clients, change.planned, isNew, r.plannedImages(ctx), &resp.Diagnostics)
	}
	if isNew || touches(change.sent, attrInputConfig, attrInputConfig+"_wo_version") {
		warnOfConfigSize(req.Config.Raw, &resp.Diagnostics)
	}
	noteReleases(ctx, r.clients, change, req.State.Raw, &resp.Diagnostics)
	crud.AddReplacements(resp, "KusciaDeployment", change.replaces)
	for _, kept := range change.keeps {
		resp.Diagnostics.AddAttributeWarning(kept.at, "The Deployment keeps its current value of this attribute", fmt.Sprintf("%s: %s", kept.at, kept.text))
	}
	if req.State.Raw.IsNull() || len(change.sent) > 0 || len(change.replaces) > 0 {
		r.warnMissingObjects(ctx, change, req.State.Raw, private, &resp.Diagnostics)
	} else {
		warnUntouched(ctx, r.clients, change.planned, &resp.Diagnostics)
	}
	if client := r.planClient(); len(change.replaces) > 0 && client != nil {
		warnOfReleases(ctx, client, textAt(req.State.Raw, attrName), "KusciaDeployment %q is replaced during a release", &resp.Diagnostics)
	}
}

// keepObserved plans the private state for a state that was imported. A new object, which
// here is a replacement, would not get the strings that only the state has; observed are
// their paths.
func (r *kusciaDeployment) keepObserved(ctx context.Context, req resource.ModifyPlanRequest, private privateData, observed []path.Path, resp *resource.ModifyPlanResponse) {
	switch {
	case req.State.Raw.IsNull():
		definition.RefuseSecretLoss("KusciaDeployment", deployment.UnsetSecrets(req.Config.Raw), &resp.Diagnostics)
	case len(observed) == 0:
		private.Observed = false
		savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
	}
}

// warnMissingObjects warns of objects that the parties need and the cluster does not
// have, and of changes that are not applied to existing Deployments.
func (r *kusciaDeployment) warnMissingObjects(ctx context.Context, change change, prior definition.Value, private privateData, diags *diag.Diagnostics) {
	client := r.planClient()
	if client == nil {
		return
	}
	updates := !prior.IsNull() && len(change.replaces) == 0
	var live *kube.KusciaDeployment
	if updates {
		// If the read fails, the apply reads it again.
		live, _ = fetch(ctx, r.clients, client, textAt(prior, attrName))
	}
	objects := inPlan(ctx, r.clients, client, live)
	objects.creates = !updates
	preflight(change.planned, objects, func(at path.Path, summary, detail string) {
		diags.AddAttributeWarning(at, summary, detail+"\n\nIf this apply creates it, refer to that resource, so that Terraform creates it first. Otherwise the apply will fail before anything is sent.")
	}, diags)
	if updates {
		warnUndeployed(change.planned, prior, private.Deployed, objects, diags)
	}
}

// plannedImages returns a lookup of app images as planned, or else in the cluster.
func (r *kusciaDeployment) plannedImages(ctx context.Context) party.ImageLookup {
	client := r.planClient()
	if client == nil {
		return func(string) *kuscia.AppImage { return nil }
	}
	return inPlan(ctx, r.clients, client, nil).planned
}

// planClient returns the client for reads during a plan, nil if there is none.
func (r *kusciaDeployment) planClient() *kube.Client {
	if !r.clients.HasKubernetes() {
		return nil
	}
	client, err := r.clients.Kubernetes.Open()
	if err != nil {
		return nil // the callers that need the client report the error
	}
	return client
}

// waits reports whether create and update wait for the rollout.
func waits(value definition.Value) bool {
	return definition.BoolOf(definition.FieldsOf(value)[attrWait])
}

// initialRolloutComplete returns rollout_complete before the wait.
func initialRolloutComplete(planned definition.Value) definition.Value {
	if waits(planned) {
		return aBool(false)
	}
	return noBool()
}
