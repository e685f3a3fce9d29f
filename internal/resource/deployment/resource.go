package deployment

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
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

// The time limits unless timeouts says otherwise.
const (
	defaultRolloutTimeout = 20 * time.Minute
	defaultDeleteTimeout  = 10 * time.Minute
)

// NewResource returns the resource kuscia_deployment.
func NewResource() resource.Resource { return &kusciaDeployment{} }

type kusciaDeployment struct{ clients *clients.Clients }

// resourceSchema is built once: the framework asks for it on every request.
var resourceSchema = sync.OnceValue(func() schema.Schema { return deployment.ResourceSchema() })

// Metadata names the resource.
func (r *kusciaDeployment) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_deployment"
}

// Schema describes the resource.
func (r *kusciaDeployment) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = resourceSchema()
}

// IdentitySchema describes what identifies a deployment.
func (r *kusciaDeployment) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identitySchema
}

// Configure takes the provider's clients.
func (r *kusciaDeployment) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// ValidateConfig reports what is wrong whatever the state.
func (r *kusciaDeployment) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	resp.Diagnostics.Append(validate(req.Config.Raw)...)
}

// ModifyPlan plans the whole resource; the framework's own proposal is not
// used.
func (r *kusciaDeployment) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	r.clients.CheckKubernetes(&resp.Diagnostics, path.Root(attrName))
	private := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	config, observed := private.configured(req.Config.Raw, req.State.Raw)
	resp.Diagnostics.Append(judge(config, req.State.Raw)...)
	if resp.Diagnostics.HasError() {
		return
	}
	change := plan(config, req.State.Raw, private.Imported)
	resp.Plan.Raw = change.planned
	noteReleases(ctx, r.clients, change, req.State.Raw, &resp.Diagnostics)
	for _, replaced := range change.replaces {
		resp.RequiresReplace = append(resp.RequiresReplace, replaced.Path)
		if replaced.Why != "" {
			resp.Diagnostics.AddAttributeWarning(replaced.Path, "The KusciaDeployment is replaced", replaced.Why)
		}
	}
	if len(change.replaces) > 0 {
		crud.WarnOfSecretLoss("KusciaDeployment", observed, &resp.Diagnostics)
	}
	for _, kept := range change.keeps {
		resp.Diagnostics.AddAttributeWarning(kept.at, "The Deployment keeps what it has", fmt.Sprintf("%s: %s", kept.at, kept.text))
	}
	if req.State.Raw.IsNull() || len(change.sent) > 0 || len(change.replaces) > 0 {
		r.lookAround(ctx, change, req.State.Raw, private, &resp.Diagnostics)
	} else {
		warnUntouched(ctx, r.clients, change.planned, &resp.Diagnostics)
	}
	if client := r.askable(); len(change.replaces) > 0 && client != nil {
		warnOfReleases(ctx, client, textAt(req.State.Raw, attrName), "KusciaDeployment %q is replaced during a release", &resp.Diagnostics)
	}
}

// lookAround warns of what the parties need and the cluster does not have, and of
// what does not get to the Deployments that exist.
func (r *kusciaDeployment) lookAround(ctx context.Context, change change, prior definition.Value, private privateData, diags *diag.Diagnostics) {
	client := r.askable()
	if client == nil {
		return
	}
	updates := !prior.IsNull() && len(change.replaces) == 0
	var live *kube.KusciaDeployment
	if updates {
		// Without an answer the apply asks again.
		live, _ = asked(ctx, r.clients, client, textAt(prior, attrName))
	}
	around := inPlan(ctx, r.clients, client, live)
	preflight(change.planned, around, func(at path.Path, summary, detail string) {
		diags.AddAttributeWarning(at, summary, detail+"\n\nIf this apply is to make it, refer to the resource that does, so that Terraform makes it first. Otherwise the apply will fail before anything is sent.")
	}, diags)
	if updates {
		warnUndeployed(change.planned, prior, private.Deployed, around, diags)
	}
}

// askable is the client of a cluster that a plan may ask; nil if there is none.
func (r *kusciaDeployment) askable() *kube.Client {
	if !r.clients.HasKubernetes() {
		return nil
	}
	client, err := r.clients.Kubernetes.Open()
	if err != nil {
		return nil // whoever needs it says so
	}
	return client
}

// waits reports whether create and update wait.
func waits(value definition.Value) bool {
	return definition.BoolOf(definition.FieldsOf(value)[attrWait])
}

// initialRolloutComplete is rollout_complete before the wait.
func initialRolloutComplete(planned definition.Value) definition.Value {
	if waits(planned) {
		return aBool(false)
	}
	return noBool()
}

// timeout is how long an operation may take. What is no duration was refused
// before.
func timeout(value definition.Value, operation string, fallback time.Duration) time.Duration {
	text := definition.FieldsOf(definition.FieldsOf(value)[attrTimeouts])[operation]
	if text.Type() == nil || text.IsNull() {
		return fallback
	}
	if d, err := time.ParseDuration(definition.TextOf(text)); err == nil && d > 0 {
		return d
	}
	return fallback
}
