package crud

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Types are all types of a package for one kind of object. The provider has one
// list of them, to which a new package adds one entry.
type Types struct {
	Resources          []func() resource.Resource
	DataSources        []func() datasource.DataSource
	EphemeralResources []func() ephemeral.EphemeralResource
	ListResources      []func() list.ListResource
	Actions            []func() action.Action
	// Shortcuts are the shortcuts of the resources.
	Shortcuts []Shortcuts
}

// Shortcuts answer the requests that Terraform sends for every resource in
// every plan, when nothing changes, for tfkit/fastpath. They use the same code
// as the resource. A request whose result they cannot prove goes to the
// resource.
type Shortcuts interface {
	// ResourceType is the resource type.
	ResourceType() string
	// FastValidate reports whether a configuration is valid, without
	// diagnostics.
	FastValidate(ctx context.Context, config map[string]any) bool
	// NoOpPlan reports whether the plan is the prior state, without
	// diagnostics. It publishes the planned object to the other resources of
	// the plan in any case.
	NoOpPlan(ctx context.Context, c *run.Run, config, prior map[string]any, private map[string][]byte) bool
	// NoOpRead queries the object and reports whether the state stays
	// unchanged. Otherwise the context carries the response, so that the
	// resource does not query again.
	NoOpRead(ctx context.Context, c *run.Run, state map[string]any, private map[string][]byte) (next context.Context, identity map[string]string, unchanged bool)
}

// Kind describes the objects of a resource.
type Kind struct {
	// Type is the resource type without the provider's name ("app_image").
	Type string
	// Definition has the attributes.
	Definition *definition.Definition
	// ReplaceAll is set if every change is a replacement.
	ReplaceAll bool
	// Needs is the API of the objects, see Spec.Needs.
	Needs versions.Need
	// Identity is the schema of the identity; only for ResourceWithIdentity.
	Identity identityschema.Schema
	// Validate reports the problems of a configuration that do not depend on the
	// state.
	Validate func(config definition.Value) diag.Diagnostics

	once   sync.Once
	schema schema.Schema
}

// ResourceType is the resource type.
func (k *Kind) ResourceType() string { return "kuscia_" + k.Type }

// FastValidate implements the method of Shortcuts.
func (k *Kind) FastValidate(_ context.Context, config map[string]any) bool {
	value, ok := k.Definition.FromProtocol(config)
	return ok && k.Definition.Configurable(value) && len(k.Validate(value)) == 0
}

// Since are all declarations of what the objects need, for tests; that of the whole object has
// no attribute.
func (k *Kind) Since() []definition.Declared {
	all := k.Definition.Since()
	if !k.Needs.IsZero() {
		all = append([]definition.Declared{{Since: definition.Since{Need: k.Needs}}}, all...)
	}
	return all
}

// resourceSchema is built once: the framework requests it on every call.
func (k *Kind) resourceSchema() schema.Schema {
	k.once.Do(func() { k.schema = k.Definition.ResourceSchema() })
	return k.schema
}

// BaseResource has the methods that are the same for every resource. A resource
// embeds it.
type BaseResource struct {
	// Run is set by Configure.
	Run  *run.Run
	kind *Kind
}

// NewBaseResource returns the base of a resource for objects of a kind.
func NewBaseResource(kind *Kind) BaseResource { return BaseResource{kind: kind} }

// Metadata sets the type name.
func (r *BaseResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.kind.Type
}

// Schema returns the schema.
func (r *BaseResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.kind.resourceSchema()
}

// Effects are what changes of the attributes do, for the page of the resource.
func (r *BaseResource) Effects() []definition.Effect {
	return r.kind.Definition.Effects(r.kind.ReplaceAll)
}

// Since are the declarations of what the objects need, see Kind.Since.
func (r *BaseResource) Since() []definition.Declared { return r.kind.Since() }

// Configure sets the run.
func (r *BaseResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Run = run.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// ValidateConfig reports errors that do not depend on the state.
func (r *BaseResource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	resp.Diagnostics.Append(r.kind.Validate(req.Config.Raw)...)
}

// BaseResourceWithIdentity is a BaseResource with a resource identity.
type BaseResourceWithIdentity struct{ BaseResource }

// NewBaseResourceWithIdentity returns the base of a resource for objects of a
// kind.
func NewBaseResourceWithIdentity(kind *Kind) BaseResourceWithIdentity {
	return BaseResourceWithIdentity{NewBaseResource(kind)}
}

// IdentitySchema returns the schema of the resource identity.
func (r *BaseResourceWithIdentity) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = r.kind.Identity
}

// BaseDataSource has the methods that are the same for every data source. A data
// source embeds it.
type BaseDataSource struct {
	// Run is set by Configure.
	Run *run.Run

	dataSourceType string
	schema         func() dsschema.Schema
}

// NewBaseDataSource returns the base of a data source. dataSourceType has no
// name of the provider.
func NewBaseDataSource(dataSourceType string, schema func() dsschema.Schema) BaseDataSource {
	return BaseDataSource{dataSourceType: dataSourceType, schema: schema}
}

// Metadata sets the type name.
func (d *BaseDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.dataSourceType
}

// Schema returns the schema.
func (d *BaseDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.schema()
}

// Configure sets the run.
func (d *BaseDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.Run = run.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// withNeeds adds to a description what the objects or the call need.
func withNeeds(description string, needs versions.Need) string {
	if needs.IsZero() {
		return description
	}
	return description + "\n\n" + needs.Sentence()
}
