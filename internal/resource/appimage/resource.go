package appimage

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
)

var (
	_ resource.ResourceWithConfigure      = (*appImageResource)(nil)
	_ resource.ResourceWithIdentity       = (*appImageResource)(nil)
	_ resource.ResourceWithImportState    = (*appImageResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*appImageResource)(nil)
	_ resource.ResourceWithMoveState      = (*appImageResource)(nil)
	_ resource.ResourceWithValidateConfig = (*appImageResource)(nil)
)

// NewResource returns the resource kuscia_app_image.
func NewResource() resource.Resource { return &appImageResource{} }

type appImageResource struct {
	clients *clients.Clients
}

// Metadata names the resource.
func (r *appImageResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_app_image"
}

// Schema describes the resource.
func (r *appImageResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = resourceSchema()
}

// IdentitySchema describes what identifies an app image.
func (r *appImageResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identitySchema
}

// Configure takes the provider's clients.
func (r *appImageResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// ValidateConfig reports what is wrong whatever the state.
func (r *appImageResource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	resp.Diagnostics.Append(validate(req.Config.Raw)...)
}

// ModifyPlan plans the whole resource; the framework's own proposal is not
// used.
func (r *appImageResource) ModifyPlan(_ context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	resp.Diagnostics.Append(judge(req.Config.Raw, req.State.Raw)...)
	if resp.Diagnostics.HasError() {
		return
	}
	change := plan(req.Config.Raw, req.State.Raw)
	resp.Plan.Raw = change.planned
	if change.replace {
		resp.RequiresReplace = append(resp.RequiresReplace, path.Root("name"))
	}
	r.announce(change.planned)
}

// announce lets the servings of the same plan see what the app image will be,
// or that this is not known yet.
func (r *appImageResource) announce(planned tftypes.Value) {
	if r.clients == nil || r.clients.AppImages == nil {
		return
	}
	image, diags := createRequest(planned)
	if !diags.HasError() {
		r.clients.AppImages.Plan(image)
		return
	}
	var attributes map[string]tftypes.Value
	var name string
	if planned.As(&attributes) == nil && attributes["name"].IsKnown() && attributes["name"].As(&name) == nil {
		r.clients.AppImages.PlanUnknown(name)
	}
}

// Create makes the app image and saves it as planned.
func (r *appImageResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	image, diags := createRequest(req.Plan.Raw)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.clients.Ready(&resp.Diagnostics) {
		return
	}
	defer r.clients.AppImages.Forget(image.Name)

	created := r.creation(image, req.Plan.Raw).Do(ctx)
	if errors.Is(created.Err, kuscia.ErrUnsupported) {
		r.fail(ctx, &resp.Diagnostics, fmt.Sprintf("Unable to create app image %q", image.Name), created.Err)
		return
	}
	clients.AddCreateError(&resp.Diagnostics, createdObject(image.Name), created)
	if !created.Outcome.InState() {
		return
	}
	clients.AddAdopted(&resp.Diagnostics, createdObject(image.Name), created)
	resp.Diagnostics.Append(saveIdentity(ctx, resp.Identity, image.Name)...)
	resp.State.Raw = req.Plan.Raw
	if created.Outcome == lifecycle.Unknown {
		resp.Diagnostics.Append(markUncertain(ctx, resp.Private)...)
		return
	}
	r.verify(ctx, image.Name, req.Plan.Raw, &resp.State, &resp.Diagnostics)
}

// createdObject is an app image in messages about its creation.
func createdObject(name string) clients.Object {
	return clients.Object{Type: "kuscia_app_image", Title: "app image", Attribute: "name", ID: name}
}

// creation is the create of an app image.
func (r *appImageResource) creation(image *kuscia.AppImage, planned tftypes.Value) lifecycle.Create[*kuscia.AppImage] {
	return lifecycle.Create[*kuscia.AppImage]{
		Errors:        clients.KusciaErrors,
		AdoptExisting: r.clients.AdoptExisting,
		Send:          func(ctx context.Context) error { return r.clients.API.CreateAppImage(ctx, image) },
		Look: func(ctx context.Context) (*kuscia.AppImage, error) {
			return r.clients.API.QueryAppImage(ctx, image.Name)
		},
		Differences: func(found *kuscia.AppImage) (different []string) {
			for _, at := range definition.differences(definitionOf(planned), fromWire(found), path.Empty()) {
				different = append(different, at.String())
			}
			return different
		},
	}
}

// verify asks what Kuscia now holds. Saved is the plan, whose spelling the user
// chose; if Kuscia holds something else, that is saved and is an error.
func (r *appImageResource) verify(ctx context.Context, name string, planned tftypes.Value, state *tfsdk.State, diags *diag.Diagnostics) {
	found, err := r.clients.API.QueryAppImage(ctx, name)
	if err != nil {
		diags.AddWarning(fmt.Sprintf("App image %q could not be read back", name),
			fmt.Sprintf("Kuscia accepted it, and it was saved as planned, but asking for it afterwards failed: %s\n\nThe next plan will compare it with Kuscia again.", err))
		return
	}
	answer := fromWire(found)
	different := definition.differences(definitionOf(planned), answer, path.Empty())
	if len(different) == 0 {
		return
	}
	state.Raw = refreshed(answer, planned)
	for _, at := range different {
		diags.AddAttributeError(at, fmt.Sprintf("App image %q differs from the plan", name),
			fmt.Sprintf("Kuscia accepted the request, but then answered another value for %s. Either someone else changed the app image at the same time, or this version of Kuscia does not store the attribute. "+
				"What Kuscia answered was saved; plan again to see the difference.", at))
	}
}

// Read takes over what Kuscia holds, in the spelling of the state where both
// mean the same.
func (r *appImageResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	if !r.clients.Ready(&resp.Diagnostics) {
		return
	}
	name := stringOf(fieldsOf(req.State.Raw)["name"])
	// The framework wants the identity also of a resource that is gone.
	resp.Diagnostics.Append(saveIdentity(ctx, resp.Identity, name)...)
	found, err := r.clients.API.QueryAppImage(ctx, name)
	switch {
	case errors.Is(err, kuscia.ErrNotFound):
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		r.fail(ctx, &resp.Diagnostics, fmt.Sprintf("Unable to read app image %q", name), err)
		return
	}
	answer := fromWire(found)
	if isUncertain(ctx, req.Private, &resp.Diagnostics) {
		if len(definition.differences(definitionOf(req.State.Raw), answer, path.Empty())) > 0 {
			// The create whose answer was lost did not happen: this app image is
			// somebody else's, and a tainted one would be deleted.
			resp.State.RemoveResource(ctx)
			return
		}
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, uncertainKey, nil)...)
	}
	resp.State.Raw = refreshed(answer, req.State.Raw)
}

// Update sends the whole definition. When it fails the prior state stays, and
// the next plan shows what Kuscia then holds.
func (r *appImageResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	update, diags := updateRequest(req.Plan.Raw)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.clients.Ready(&resp.Diagnostics) {
		return
	}
	defer r.clients.AppImages.Forget(update.Name)

	if err := r.clients.API.UpdateAppImage(ctx, update); err != nil {
		r.fail(ctx, &resp.Diagnostics, fmt.Sprintf("Unable to update app image %q", update.Name), err)
		return
	}
	resp.Diagnostics.Append(saveIdentity(ctx, resp.Identity, update.Name)...)
	resp.State.Raw = req.Plan.Raw
	r.verify(ctx, update.Name, req.Plan.Raw, &resp.State, &resp.Diagnostics)
}

// Delete removes the app image; one that is gone already is fine.
func (r *appImageResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	if !r.clients.Ready(&resp.Diagnostics) {
		return
	}
	name := stringOf(fieldsOf(req.State.Raw)["name"])
	defer r.clients.AppImages.Forget(name)
	if err := r.clients.API.DeleteAppImage(ctx, name); err != nil && !errors.Is(err, kuscia.ErrNotFound) {
		r.fail(ctx, &resp.Diagnostics, fmt.Sprintf("Unable to delete app image %q", name), err)
	}
}

// ImportState takes the name as the import id, or the identity.
func (r *appImageResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	name := types.StringValue(req.ID)
	if req.ID == "" && req.Identity != nil {
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root("name"), &name)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if problem := checkName(name.ValueString()); problem != "" {
		resp.Diagnostics.AddError("Invalid import id", "The import id of an app image, and its identity, is its name. "+problem)
		return
	}
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("name"), path.Root("name"), req, resp)
}

func (r *appImageResource) fail(ctx context.Context, diags *diag.Diagnostics, summary string, err error) {
	addError(ctx, r.clients, diags, summary, err, apiSince)
}

// saveIdentity sets the identity where the CLI knows identities.
func saveIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, name string) diag.Diagnostics {
	if identity == nil {
		return nil
	}
	return identity.SetAttribute(ctx, path.Root("name"), name)
}
