package deployment

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

var (
	_ resource.ResourceWithConfigure      = (*kusciaDeployment)(nil)
	_ resource.ResourceWithIdentity       = (*kusciaDeployment)(nil)
	_ resource.ResourceWithImportState    = (*kusciaDeployment)(nil)
	_ resource.ResourceWithModifyPlan     = (*kusciaDeployment)(nil)
	_ resource.ResourceWithValidateConfig = (*kusciaDeployment)(nil)
)

// NewResource returns the resource kuscia_deployment.
func NewResource() resource.Resource {
	return &kusciaDeployment{crud.NewBaseResourceWithIdentity(&kind)}
}

type kusciaDeployment struct{ crud.BaseResourceWithIdentity }

// kind describes KusciaDeployments.
var kind = crud.Kind{
	Type: "deployment", Definition: deployment, Validate: validate,
	Identity: identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		attrName: identityschema.StringAttribute{RequiredForImport: true, Description: "Name of the KusciaDeployment."},
	}},
}

// privateData is the private state of a deployment.
type privateData struct {
	crud.Flags

	// Deployed has the digests of the app image from which the Deployment of
	// each party was created, by the key of the party; see
	// party.DefinitionDigests.
	Deployed map[string]map[string]string `json:"deployed,omitempty"`
}

const privateKey privatestate.Key[privateData] = "deployment"

// title is the name of the object in messages.
const title = "KusciaDeployment"

// identity returns the resource identity of a deployment.
func identity(name string) map[string]string { return map[string]string{attrName: name} }

// messageObject returns a deployment for use in messages.
func messageObject(name string) clients.Object {
	return clients.Object{Type: kind.ResourceType(), Title: title, Attribute: attrName, Name: name, ImportID: name, Server: "the cluster"}
}

// writeCheck describes a deployment for messages about a read after a write.
func writeCheck(name string) crud.WriteCheck {
	return crud.WriteCheck{
		Definition: deployment, Object: messageObject(name),
		Cause: "Either another client changed the deployment at the same time, or a webhook changes it.",
	}
}

// ModifyPlan plans the whole resource. It does not use the plan that the
// framework proposes.
func (r *kusciaDeployment) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		r.Clients.RecordDestroyed("kuscia_deployment", textOf(definition.FieldsOf(req.State.Raw), attrName))
		return
	}
	r.Clients.CheckKubernetes(&resp.Diagnostics, path.Root(attrName))
	private, _ := privateKey.Load(ctx, req.Private, &resp.Diagnostics)
	config, next := private.WithImportedSecrets(deployment, req.Config.Raw, req.State.Raw)
	resp.Diagnostics.Append(checkDefinition(config, req.State.Raw)...)
	private.CheckReplacement(deployment, title, config, req.State.Raw, &resp.Diagnostics)
	if next != private.Flags {
		private.Flags = next
		privateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	change := plan(config, req.State.Raw, private.Imported)
	resp.Plan.Raw = change.planned
	isNew := req.State.Raw.IsNull()
	if isNew || len(change.replaces) == 0 { // else Terraform requests the plan of a create next
		checkNames(ctx, r.Clients, change.planned, isNew, r.plannedImages(ctx), &resp.Diagnostics)
	}
	if isNew || touches(change.sent, attrInputConfig, attrInputConfig+"_wo_version") {
		warnOfConfigSize(req.Config.Raw, &resp.Diagnostics)
	}
	recordPodChanges(ctx, r.Clients, change, req.State.Raw, &resp.Diagnostics)
	crud.AddReplacements(resp, title, change.replaces)
	for _, kept := range change.keptValues {
		resp.Diagnostics.AddAttributeWarning(kept.at, "The Deployment keeps its current value of this attribute", fmt.Sprintf("%s: %s", kept.at, kept.text))
	}
	if req.State.Raw.IsNull() || len(change.sent) > 0 || len(change.replaces) > 0 {
		r.warnMissingObjects(ctx, change, req.State.Raw, private, &resp.Diagnostics)
	} else {
		warnChangedInPlace(ctx, r.Clients, change.planned, &resp.Diagnostics)
	}
	if client := r.planClient(); len(change.replaces) > 0 && client != nil {
		warnOfReleases(ctx, client, definition.StringAt(req.State.Raw, attrName), "KusciaDeployment %q is replaced during a release", &resp.Diagnostics)
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
		live, _ = fetch(ctx, r.Clients, client, definition.StringAt(prior, attrName))
	}
	objects := planObjects(ctx, r.Clients, client, live)
	objects.creates = !updates
	var found diag.Diagnostics
	preflight(change.planned, objects, func(at path.Path, summary, detail string) {
		diags.AddAttributeWarning(at, summary, detail+"\n\nIf this apply creates it, refer to that resource, so that Terraform creates it first. Otherwise the apply will fail before anything is sent.")
	}, &found)
	diags.Append(check.WithResumeDestroy(found)...)
	if updates {
		warnNotApplied(change.planned, prior, private.Deployed, objects, diags)
	}
}

// plannedImages returns a lookup of app images as planned, or else in the cluster.
func (r *kusciaDeployment) plannedImages(ctx context.Context) party.ImageLookup {
	client := r.planClient()
	if client == nil {
		return func(string) *kuscia.AppImage { return nil }
	}
	return planObjects(ctx, r.Clients, client, nil).plannedOrCurrent
}

// planClient returns the client for reads during a plan, nil if there is none.
func (r *kusciaDeployment) planClient() *kube.Client {
	if !r.Clients.HasKubernetes() {
		return nil
	}
	client, err := r.Clients.Kubernetes.Open()
	if err != nil {
		return nil // the callers that need the client report the error
	}
	return client
}
