package edgedeployment

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// edgeDeployment is kuscia_edge_deployment. IEF generates the id, and its documentation does
// not guarantee unique names.
var edgeDeployment = crud.New(crud.Spec[object]{
	Type: "edge_deployment", Title: "edge deployment",
	Schema: definition.Schema{
		Description: description, Update: newInstances, Attributes: slices.Concat(resourceFields, deploymentFields, templateFields),
	},
	Identity: crud.Identity{Name: "name", Attributes: []crud.IdentityAttribute{
		{Name: "instance_id", Optional: true, Description: "ID of the service instance; defaults to that of the provider block.", Problem: instanceProblem},
		{Name: "id", Description: "ID of the deployment.", Problem: idProblem},
	}},
	ToWire: toWire,
	Responses: crud.Responses[object]{
		Convert: response, Partial: func(o *object) bool { return o.found.Template == nil }, Gone: inAnotherProject,
	},
	Server:   server,
	Checks:   crud.Checks[object]{Object: checkObject},
	Deletion: crud.Deletion{Meanwhile: "No instance runs between the deletion of the old deployment and the create of the new one."},
	Steps:    func(declared crud.Steps[object]) crud.Steps[object] { return steps{declared} },
	Rollout: &crud.Rollout[object]{
		WaitText:     "Whether create and update wait until the instances run. Default `true`.",
		CompleteText: "Whether the provider saw the instances run as configured after the last create or update. While it is `false`, the plan shows a change, and an apply waits again. Null if `wait_for_rollout` is `false`. See the guide [Waiting for a rollout](../guides/waiting-for-a-rollout.md#rollout_complete).",
		Timeouts:     definition.Timeouts{Create: 20 * time.Minute, Update: 20 * time.Minute, Delete: 10 * time.Minute},
		Pace:         pace, Restarts: rollsOut, Before: before, Watch: watch, Runs: runs, Current: current, Correct: notAfterNow, CheckMemory: crud.Decodes[rollout],
	},
})

// steps are those of an edge deployment, whose API has versions and projects.
type steps struct{ crud.Steps[object] }

// API returns the calls for a deployment of a plan or state.
func (steps) API(c *run.Run, of definition.Value) crud.API[object] { return calls(c, of) }

// Plan adds the revision of the instances, what the provider block says of a new deployment, and what
// version v2 cannot change.
func (s steps) Plan(ctx context.Context, c *run.Run, from crud.Planned) crud.Planned {
	from = s.Steps.Plan(ctx, c, from)
	from.CrossCheck = reachIEF
	if !from.Unchanged {
		from.Plan.Planned = withRevision(from.Planned, from.Prior, from.Sent)
	}
	if !from.Prior.IsNull() {
		from.Replaces = append(from.Replaces, replacesInV2(from.Plan)...)
	} else if c != nil && c.IEF.Client != nil {
		from.Plan.Planned = withProviderBlock(from, c.IEF.Client)
	}
	return from
}

// server is IEF.
var server = crud.Server{
	Name: "IEF",
	Errors: lifecycle.Errors{
		AlreadyExists:  func(err error) bool { return errors.Is(err, apierror.ErrExists) },
		OutcomeUnknown: apierror.OutcomeUnknown,
		NotFound:       func(err error) bool { return errors.Is(err, errNoDeployment) },
		Transient:      apierror.IsTransient,
	},
	Ready: func(c *run.Run, diags *diag.Diagnostics) bool {
		_, ready := c.ReadyIEF(diags)
		return ready
	},
}

// object is a deployment, as it is planned or as IEF has it.
type object struct {
	// planned reads the planned one, and request creates it.
	planned definition.Reader
	request *ief.CreateRequest
	// found is the one of IEF, of this scope.
	found *ief.Deployment
	scope ief.Scope
}

var idFormat = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

func idProblem(id string) string {
	if id == "" || idFormat().MatchString(id) {
		return ""
	}
	return fmt.Sprintf("%q is not the ID of a deployment, a UUID that the console and the API show: use letters, digits, \"-\" and \"_\" only.", shortened(id))
}

func instanceProblem(id string) string {
	if instanceText.MatchString(id) {
		return ""
	}
	return fmt.Sprintf("%q is not the ID of a service instance (enterprise or platinum edition): use letters, digits, \"-\" and \"_\" only.", shortened(id))
}

// scopeOf returns the scope of a deployment of a plan or state.
func scopeOf(value tftypes.Value, client *ief.Client) ief.Scope {
	fields := definition.FieldsOf(value)
	scope := ief.Scope{Version: ief.Version(definition.StringOf(fields["api_version"])), InstanceID: definition.StringOf(fields["instance_id"])}
	if client != nil && (fields["instance_id"].IsNull() || !fields["instance_id"].IsKnown()) {
		scope.InstanceID = client.InstanceID()
	}
	return scope
}

// calls are the API calls for a deployment of a plan or state.
func calls(c *run.Run, of definition.Value) crud.API[object] {
	client, scope, name := c.IEF.Client, scopeOf(of, c.IEF.Client), definition.StringAt(of, "name")
	return crud.API[object]{
		CreateObject: func(ctx context.Context, desired *object) (*object, error) {
			made, err := client.Create(ctx, scope, desired.request)
			return &object{found: made, scope: scope}, err
		},
		Find: func(ctx context.Context, desired *object) (found []*object, err error) {
			all, err := named(ctx, client, scope, desired.request.Name)
			for _, d := range all {
				found = append(found, &object{found: d, scope: scope})
			}
			return found, err
		},
		Query: func(ctx context.Context, id crud.ID) (*object, error) {
			found, scope, err := query(ctx, client, scope, id[1], name)
			return &object{found: found, scope: scope}, err
		},
		UpdateObject: func(ctx context.Context, u crud.Update[object]) error {
			return client.Update(ctx, scope, u.ID[1], updateRequest(u.Desired.request, u.Sent))
		},
		Delete: func(ctx context.Context, id crud.ID) error {
			err := client.Delete(ctx, scope, id[1], definition.BoolOf(definition.At(of, "force_destroy")))
			// A delete may be rejected because the deployment is already deleted or
			// being deleted.
			if err == nil || errors.Is(err, apierror.ErrInvalid) && isBeingDeleted(ctx, client, scope, id[1], name) {
				return waitDeleted(ctx, client, scope, id[1], name)
			}
			return ofDeployment(err)
		},
	}
}

// query returns a deployment. After an import it also determines the
// version of the API.
func query(ctx context.Context, client *ief.Client, scope ief.Scope, id, name string) (d *ief.Deployment, in ief.Scope, err error) {
	versions := []ief.Version{scope.Version}
	if scope.Version == "" {
		versions = []ief.Version{ief.V3, ief.V2}
	}
	for _, scope.Version = range versions {
		if d, err = find(ctx, client, scope, id, name); d != nil {
			break
		}
	}
	return d, scope, err
}

// named returns the deployments with exactly this name, since the filter of a
// list also matches names that contain it.
func named(ctx context.Context, client api, scope ief.Scope, name string) ([]*ief.Deployment, error) {
	listed, err := client.List(ctx, scope, ief.Filter{Name: name}, 0)
	if err != nil {
		return nil, err
	}
	var found []*ief.Deployment
	for i := range listed {
		if listed[i].Name == name {
			found = append(found, &listed[i])
		}
	}
	return found, nil
}

// isBeingDeleted reports whether a deployment whose delete was rejected is deleted or
// being deleted. It reads once.
func isBeingDeleted(ctx context.Context, client api, scope ief.Scope, id, name string) bool {
	d, err := find(ctx, client, scope, id, name)
	if err != nil {
		return errors.Is(err, errNoDeployment)
	}
	notTerminating := func(p ief.Pod) bool { return !isTerminating(p.State) }
	return d.State == ief.StatePendingDelete || len(d.Instances) > 0 && !slices.ContainsFunc(d.Instances, notTerminating)
}

// inAnotherProject is an error if the client does not use the project of a deployment in
// the state: one that this project does not have may still exist.
func inAnotherProject(_ context.Context, c *run.Run, state definition.Value) (diags diag.Diagnostics) {
	own := definition.StringAt(state, "project_id")
	if own == "" || own == c.IEF.Client.ProjectID() {
		return nil
	}
	diags.AddError("Edge deployment is in another project", fmt.Sprintf(
		"Edge deployment %q was created in project %q, but the provider block now has %q, which has no such deployment. It is kept in the state. "+
			"Set ief.project_id to the previous project again, or use a separate provider block (an alias) for each project; "+
			"to remove the deployment from the state, use a removed block or terraform state rm.", definition.StringAt(state, "name"), own, c.IEF.Client.ProjectID()))
	return diags
}

// reachIEF checks that there is an IEF, and asks it before the first create.
func reachIEF(ctx context.Context, c *run.Run, p crud.Planned) (diags diag.Diagnostics) {
	c.CheckIEF(&diags, path.Root("id"))
	if p.Prior.IsNull() && c != nil && c.IEF.Client != nil {
		c.ReachedIEF(ctx, scopeOf(p.Planned, c.IEF.Client), &diags)
	}
	return diags
}

// withProviderBlock adds to a new deployment what the provider block says of it.
func withProviderBlock(from crud.Planned, client *ief.Client) definition.Value {
	added := map[string]definition.Value{"project_id": definition.StringValue(client.ProjectID())}
	if definition.At(from.Config, "instance_id").IsNull() {
		added["instance_id"] = instanceValue(client.InstanceID())
	}
	return definition.WithFields(from.Planned, added)
}

// instanceValue is the attribute instance_id, null for no instance.
func instanceValue(id string) definition.Value {
	if id == "" {
		return tftypes.NewValue(tftypes.String, nil)
	}
	return definition.StringValue(id)
}
