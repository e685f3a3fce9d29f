package edgedeployment

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

var _ datasource.DataSourceWithConfigure = (*edgeDeploymentData)(nil)

// NewDataSource returns the data source kuscia_edge_deployment.
func NewDataSource() datasource.DataSource {
	return &edgeDeploymentData{crud.NewBaseDataSource("edge_deployment", dataSourceSchema)}
}

type edgeDeploymentData struct{ crud.BaseDataSource }

// statusAttributes are the attributes that change without an update. Only data
// sources have them.
var statusAttributes = map[string]schema.Attribute{
	"ready_replicas": schema.NumberAttribute{Computed: true, MarkdownDescription: "Number of instances that run."},
	"state":          schema.StringAttribute{Computed: true, MarkdownDescription: "State of the deployment: empty, or `FREEZE`, `PENDING_DELETE` or `DELETE_FAILED`."},
	"updated_at":     schema.StringAttribute{Computed: true, MarkdownDescription: "Time of the last change of the deployment, as reported by IEF."},
}

var instanceAttributes = map[string]schema.Attribute{
	"id":      schema.StringAttribute{Computed: true, MarkdownDescription: "ID of the instance."},
	"name":    schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the instance."},
	"node_id": schema.StringAttribute{Computed: true, MarkdownDescription: "ID of the edge node on which it runs."},
	"state":   schema.StringAttribute{Computed: true, MarkdownDescription: "State: `RUNNING`, `PENDING`, `CREATE_FAIL` and others. A slow image pull is temporarily reported as `CREATE_FAIL`."},
	"reason":  schema.StringAttribute{Computed: true, MarkdownDescription: "Why it does not run."},
	"message": schema.StringAttribute{Computed: true, MarkdownDescription: "Details of why it does not run."},
}

// scopeAttributes specify the scope of a lookup.
var scopeAttributes = map[string]schema.Attribute{
	"api_version": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Version of the API with which the deployment was created: `v3` (default) or `v2`."},
	"instance_id": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "ID of the service instance. Default: that of the provider block."},
}

// dataDefinition is the definition of a deployment in a data source.
var dataDefinition = edgeDeployment.Definition.ForDataSource()

// dataAttributes returns the attributes of a deployment in a data source.
func dataAttributes(more ...map[string]schema.Attribute) map[string]schema.Attribute {
	all := map[string]schema.Attribute{}
	for _, attributes := range append([]map[string]schema.Attribute{statusAttributes}, more...) {
		maps.Copy(all, attributes)
	}
	return dataDefinition.DataSourceAttributes(all)
}

func dataSourceSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "An application deployment on edge nodes of Huawei Cloud's Intelligent EdgeFabric (IEF), with its instances and their states. Exactly one of `id` and `name` is needed.\n\n" +
			"~> **Not tested with a live service**, see the resource.",
		Attributes: dataAttributes(scopeAttributes, map[string]schema.Attribute{
			"id":   schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "ID of the deployment."},
			"name": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Name of the deployment. The read fails if there are several of this name."},
			"instances": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The instances.", NestedObject: schema.NestedAttributeObject{Attributes: instanceAttributes},
			},
		}),
	}
}

// Read reads the deployment.
func (d *edgeDeploymentData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config := definition.FieldsOf(req.Config.Raw)
	id, name := definition.StringOf(config["id"]), definition.StringOf(config["name"])
	if (id == "") == (name == "") {
		resp.Diagnostics.AddAttributeError(path.Root("id"), "Missing id or name", "Set exactly one of id and name, to a value that is not empty.")
	}
	if id != "" && !idFormat().MatchString(id) {
		resp.Diagnostics.AddAttributeError(path.Root("id"), "Invalid ID", "The ID of a deployment has letters, digits, \"-\" and \"_\" only.")
	}
	client, ready := d.Run.ReadyIEF(&resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	scope := scopeIn(config, client, &resp.Diagnostics)
	found, pods, err := lookup(ctx, client, scope, id, name)
	switch {
	case errors.Is(err, errNoDeployment):
		at := path.Root("name")
		if id != "" {
			at = path.Root("id")
		}
		resp.Diagnostics.AddAttributeError(at, "Edge deployment does not exist", check.WithPath(at, fmt.Sprintf(
			"IEF has no edge deployment %q in version %s of the API and this service instance. Check %s; set api_version for one of the other version, and instance_id for one of another service instance.", id+name, scope.Version, at)))
	case err != nil:
		message.AddError(&resp.Diagnostics, "Unable to read edge deployment", err)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	objectType := resp.State.Schema.Type().TerraformType(ctx)
	fields := shown(objectType, scope, found)
	fields["instances"] = shownInstances(attributeType(objectType, "instances"), pods)
	resp.State.Raw = tftypes.NewValue(objectType, fields)
}

// lookup finds a deployment by its id or its name.
func lookup(ctx context.Context, client api, scope ief.Scope, id, name string) (*ief.Deployment, []ief.Pod, error) {
	if name != "" {
		all, err := named(ctx, client, scope, name)
		switch {
		case err != nil:
			return nil, nil, err
		case len(all) == 0:
			return nil, nil, errNoDeployment
		case len(all) > 1:
			return nil, nil, fmt.Errorf("there are %d deployments of this name; choose one by its ID", len(all))
		}
		id = all[0].ID
	}
	d, err := find(ctx, client, scope, id, "")
	if err != nil {
		return nil, nil, err
	}
	if scope.Version == ief.V2 {
		return d, d.Instances, nil
	}
	pods, err := client.Pods(ctx, scope, id)
	return d, pods, err
}

// scopeIn returns the scope of a data source.
func scopeIn(config map[string]tftypes.Value, client *ief.Client, diags *diag.Diagnostics) ief.Scope {
	scope := ief.Scope{Version: ief.V3, InstanceID: client.InstanceID()}
	if text := definition.StringOf(config["api_version"]); text != "" {
		scope.Version = ief.Version(text)
		if scope.Version != ief.V3 && scope.Version != ief.V2 {
			diags.AddAttributeError(path.Root("api_version"), tfvalue.ValueNotAllowed, tfvalue.NotAllowed(text, []string{string(ief.V3), string(ief.V2)}))
		}
	}
	if value := config["instance_id"]; !value.IsNull() {
		scope.InstanceID = definition.StringOf(value)
		if !instanceText.MatchString(scope.InstanceID) {
			diags.AddAttributeError(path.Root("instance_id"), "Invalid instance ID", fmt.Sprintf("%q is not the ID of a service instance: use letters, digits, \"-\" and \"_\" only.", shortened(scope.InstanceID)))
		}
	}
	return scope
}

// shown returns the attributes of a deployment in a data source of a type.
func shown(of tftypes.Type, scope ief.Scope, d *ief.Deployment) map[string]tftypes.Value {
	all := maps.Clone(definition.FieldsOf(refreshed(scope, d)))
	all["ready_replicas"] = definition.NumberValue(int64(d.ReadyReplicas))
	all["state"] = definition.StringValue(d.State)
	all["updated_at"] = definition.StringValue(d.UpdatedAt)
	fields := map[string]tftypes.Value{}
	for name := range of.(tftypes.Object).AttributeTypes { //nolint:forcetypeassert // the type of a schema is an object
		if value, ok := all[name]; ok {
			fields[name] = value
		}
	}
	return fields
}

func shownInstances(listType tftypes.Type, pods []ief.Pod) tftypes.Value {
	element := listType.(tftypes.List).ElementType //nolint:forcetypeassert // it is declared as a list above
	values := make([]tftypes.Value, len(pods))
	for i, pod := range pods {
		values[i] = tftypes.NewValue(element, map[string]tftypes.Value{
			"id": definition.StringValue(pod.ID), "name": definition.StringValue(pod.Name), "node_id": definition.StringValue(pod.NodeID),
			"state": definition.StringValue(pod.State), "reason": definition.StringValue(pod.Reason), "message": definition.StringValue(pod.Message),
		})
	}
	return tftypes.NewValue(listType, values)
}

func attributeType(object tftypes.Type, name string) tftypes.Type {
	return object.(tftypes.Object).AttributeTypes[name] //nolint:forcetypeassert // the type of a schema is an object
}
