package domain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

var _ ephemeral.EphemeralResourceWithConfigure = (*deployToken)(nil)

// NewDeployToken returns the ephemeral resource kuscia_domain_deploy_token.
func NewDeployToken() ephemeral.EphemeralResource { return &deployToken{} }

const attrApplying = "applying"

// deployToken is the token with which the next node joins a domain.
type deployToken struct{ run *run.Run }

type deployTokenModel struct {
	DomainID types.String `tfsdk:"domain_id"`
	Applying types.Bool   `tfsdk:"applying"`
	Timeout  types.String `tfsdk:"timeout"`
	Token    types.String `tfsdk:"token"`
}

// Metadata sets the type name.
func (e *deployToken) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_domain_deploy_token"
}

// Schema returns the schema.
func (e *deployToken) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The deploy token with which the next node joins a domain, not stored in state or plan files (Terraform 1.10, OpenTofu 1.11). " +
			"Kuscia creates one shortly after the domain, and another one when a node has joined; the ephemeral resource waits for it.\n\n" +
			"Terraform opens ephemeral resources already in the plan, if their configuration is known. " +
			"If the same run creates the domain, the token is known only in the apply. " +
			"OpenTofu accepts that only if the ephemeral resource refers to the `kuscia_domain` directly: " +
			"if `domain_id` comes from a local value, a variable or a module, add a `depends_on` with the domain or the output of the module, such as `depends_on = [module.federation.domains]`.",
		Attributes: map[string]schema.Attribute{
			attrDomainID: schema.StringAttribute{Required: true, Validators: []validator.String{crud.ProblemValidator("domain_id", checkID)}, MarkdownDescription: "ID of the domain. A partner has no deploy token."},
			attrApplying: schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the run applies: set it to `terraform.applying` (Terraform 1.10) if another provider block or another state creates the domain. " +
				"A domain that does not exist is then a warning in a plan, and an error in an apply. Without it the domain must exist, unless this provider block creates it."},
			"timeout": schema.StringAttribute{Optional: true, MarkdownDescription: fmt.Sprintf("How long to wait for an unused token, a duration such as `30s`. Default `%s`.", tokenTimeout)},
			"token":   schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "The token."},
		},
	}
}

// Configure sets the run.
func (e *deployToken) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	e.run = run.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Open waits for the token.
func (e *deployToken) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model deployTokenModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	timeout := tokenTimeout
	if text := model.Timeout.ValueString(); text != "" {
		limit, err := tfvalue.ParseTimeLimit(text)
		if err != nil {
			resp.Diagnostics.AddAttributeError(path.Root("timeout"), tfvalue.InvalidTimeLimit, fmt.Sprintf("timeout: %s.", err))
		}
		timeout = limit
	}
	if resp.Diagnostics.HasError() || !e.run.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	id := model.DomainID.ValueString()
	token, err := e.unused(ctx, id, timeout)
	switch {
	case clients.KusciaErrors.NotFound(err):
		// During a plan the token stays unknown; apply opens it again after the domain is created.
		// An empty token would fail the validation of the attributes that use it.
		if e.addMissing(model, &resp.Diagnostics); resp.Diagnostics.HasError() {
			return
		}
	case err != nil:
		message.AddError(&resp.Diagnostics, "Unable to read deploy token", err)
		return
	}
	model.Token = types.StringUnknown()
	if token != "" {
		model.Token = types.StringValue(token)
	}
	resp.Diagnostics.Append(resp.Result.Set(ctx, model)...)
}

// addMissing reports that the domain does not exist. Terraform opens an ephemeral resource in the same
// way in a plan and in an apply, each in a process of its own, so that only the configuration can tell
// which it is. An unknown token in an apply would make the CLI crash.
func (e *deployToken) addMissing(model deployTokenModel, diags *diag.Diagnostics) {
	missing := crud.DomainReference(model.DomainID.ValueString(), path.Root(attrDomainID), "")
	switch applying := model.Applying; {
	case applying.ValueBool():
		crud.AddMissing(crud.InApply, []crud.Reference{missing}, diags)
	case e.run.Domains.IsPlanned(missing.ID):
	case applying.IsNull():
		missing.Advice = "If a plan needs a domain that is created later, set applying = terraform.applying. " +
			"To go on with a destroy that has deleted the domain, do the same, remove this block, or run \"terraform destroy -refresh=false\"."
		crud.AddMissing(crud.InApply, []crud.Reference{missing}, diags)
	default:
		crud.AddMissing(crud.InPlan, []crud.Reference{missing}, diags)
	}
}

// unused waits for a token that no node has used.
func (e *deployToken) unused(ctx context.Context, id string, timeout time.Duration) (token string, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var refused error
	wait := crud.Wait[object]{Done: func(d *object) (bool, string) {
		if refused == nil {
			token, refused = tokenOf(d)
		}
		return token != "" || refused != nil, fmt.Sprintf("%d tokens, none of which is unused", len(d.DeployTokenStatuses))
	}}
	last, err := wait.WaitDone(ctx, func(ctx context.Context) (*object, error) {
		found, err := domain.API(e.run).Query(ctx, crud.ID{id})
		if clients.KusciaErrors.NotFound(err) {
			refused = err // do not wait for a domain to be created
			return &object{}, nil
		}
		return found, err
	})
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && err != nil:
		return "", fmt.Errorf("there was none within %s. Last seen: %s. Increase timeout if Kuscia is slow", timeout, last)
	case err != nil:
		return "", err
	}
	return token, refused
}

// tokenOf returns the first unused token.
func tokenOf(d *object) (token string, err error) {
	if d.Role == kuscia.DomainRolePartner {
		return "", errors.New("the domain is a partner's: Kuscia creates no deploy token for it, and its nodes join the partner's own cluster")
	}
	for _, t := range d.DeployTokenStatuses {
		if t.State == "unused" {
			return t.Token, nil
		}
	}
	return "", nil
}
