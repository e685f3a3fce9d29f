package deployment

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Create creates the deployment, and saves it before it waits for the rollout.
func (r *kusciaDeployment) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	planned := deployment.Derived(req.Plan.Raw)
	desired := deployment.WithSecrets(planned, req.Config.Raw, deployment.Null(), deployment.Null())
	object, diags := request(desired, nil)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	client, ready := r.Clients.ReadyKubernetes(&resp.Diagnostics)
	if !ready {
		return
	}
	ctx = httpapi.WithMaskedText(ctx, definition.StringAt(desired, attrInputConfig))
	ctx, cancel := context.WithTimeout(ctx, deployment.Timeout(planned, definition.OnCreate))
	defer cancel()
	objects := applyObjects(ctx, client, nil, definition.WaitsForRollout(planned))
	objects.isNew = true
	preflight(planned, objects, func(at path.Path, summary, detail string) {
		resp.Diagnostics.AddAttributeError(at, summary, detail+"\n\nNothing was sent.")
	}, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	name := definition.StringAt(planned, attrName)
	defer r.Clients.ForgetKubernetes(kube.KusciaDeployments)
	result := creation(client, object, desired, r.Clients.AdoptExisting).Do(ctx)
	if addDeleting(ctx, client, name, result, &resp.Diagnostics) || !r.Clients.AddCreateResult(&resp.Diagnostics, messageObject(name), result) {
		return
	}
	r.Clients.PlannedServings.ForgetCreation(name, true)
	private := privateData{Flags: crud.Flags{Uncertain: result.Outcome == lifecycle.Unknown}}
	if result.Outcome != lifecycle.Adopted {
		private.Deployed = withDeployed(nil, planned, objects)
	}
	resp.State.Raw = deployment.WithRollout(deployment.Filled(planned, deployment.Null()), definition.RolloutBeforeWait(planned))
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identity(name))...)
	privateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
	if private.Uncertain {
		resp.State.Raw = crud.MarkUncertain(deployment, resp.State.Raw)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	what := wasCreated
	what.adopted = result.Outcome == lifecycle.Adopted
	resp.State.Raw = r.finish(ctx, client, desired, resp.State.Raw, what, &resp.Diagnostics)
}

// creation returns the create for lifecycle. desired includes the write-only
// strings, so that they are compared too.
func creation(client *kube.Client, object *unstructured.Unstructured, desired definition.Value, adopt bool) lifecycle.Create[*kube.KusciaDeployment] {
	return lifecycle.Create[*kube.KusciaDeployment]{
		Errors:        clients.KubernetesErrors,
		AdoptExisting: adopt,
		Send: func(ctx context.Context) error {
			_, err := client.Create(ctx, kube.KusciaDeployments, object)
			return err //nolint:wrapcheck // the client's errors describe the request
		},
		Lookup: func(ctx context.Context) (*kube.KusciaDeployment, error) {
			return get(ctx, client, object.GetName())
		},
		Differences: func(found *kube.KusciaDeployment) (different []string) {
			if found.Metadata.Deleting() {
				return []string{"what it is: an object that is being deleted"}
			}
			for _, at := range deployment.Differences(desired, fromResponse(found, desired)) {
				different = append(different, at.String())
			}
			return different
		},
	}
}

// addDeleting adds an error if nothing was created because an object of this name
// is still being deleted: it can be neither adopted nor imported.
func addDeleting(ctx context.Context, client *kube.Client, name string, result lifecycle.Result, diags *diag.Diagnostics) bool {
	var exists *lifecycle.AlreadyExistsError
	if result.Outcome != lifecycle.NotCreated || !errors.As(result.Err, &exists) {
		return false
	}
	found, err := get(ctx, client, name)
	if err != nil || !found.Metadata.Deleting() {
		return false
	}
	diags.AddAttributeError(path.Root(attrName), "The KusciaDeployment is being deleted", fmt.Sprintf(
		"KusciaDeployment %q was deleted and exists until its finalizers are removed. Nothing was created.\n\n"+
			"Apply again when it no longer exists; the plan then creates it. If it stays, check that the controller runs that removes its finalizers (metadata.finalizers).", name))
	return true
}

// get reads a deployment.
func get(ctx context.Context, client *kube.Client, name string) (*kube.KusciaDeployment, error) {
	object, err := client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, name)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client's errors describe the request
	}
	return decoded(object)
}

// outcome describes a change that was made, and the next step if the deployment
// does not run.
type outcome struct {
	text, next string
	// created is set if the KusciaDeployment is new, adopted if it existed
	// anyway, resumed if nothing was sent.
	created, adopted, resumed bool
}

var (
	wasCreated = outcome{text: "was created", created: true, next: "It is kept in the state and marked as tainted: the next apply replaces it. If it runs in the meantime, terraform untaint keeps it."}
	wasUpdated = outcome{text: "was updated", next: "It is kept in the state with rollout_complete = false: the next apply waits for it again."}
)

// finish waits until a deployment runs as configured, and returns the value to
// save. state is the value that is already saved.
func (r *kusciaDeployment) finish(ctx context.Context, client *kube.Client, desired, state definition.Value, what outcome, diags *diag.Diagnostics) definition.Value {
	name := definition.StringAt(desired, attrName)
	done := definition.NullBool()
	if definition.WaitsForRollout(state) {
		w := &rolloutWait{client: client, name: name, desired: desired, created: what.created && !what.adopted, resumed: what.resumed}
		seen, err := w.run(ctx)
		if err != nil {
			clients.AddError(diags, clients.NotRunningSummary(fmt.Sprintf("KusciaDeployment %q %s", name, what.text), err), fmt.Errorf("%w\n\n%s", err, what.next))
			return state
		}
		warnWithoutPods(seen, name, diags)
		done = definition.BoolValue(seen.Paused == "")
		if seen.Paused != "" {
			diags.AddWarning(fmt.Sprintf("KusciaDeployment %q is paused by a Rollout", name), seen.Paused+rolloutstatus.PausedNote)
		}
	}
	return r.verified(ctx, client, desired, deployment.WithRollout(state, done), diags)
}

// warnWithoutPods warns of parties that run no pod although no configuration
// sets 0 replicas: the number is that of the app image, or of another client.
func warnWithoutPods(seen *rolloutstatus.Status, name string, diags *diag.Diagnostics) {
	for _, p := range seen.Parties {
		if p.Done && p.Desired.Replicas == nil && p.NoPods {
			diags.AddWarning(fmt.Sprintf("KusciaDeployment %q has no pods in domain %q", name, httpapi.Text(p.Key.DomainID)), fmt.Sprintf(
				"Deployment %s/%s has 0 replicas: replicas is not set for the party, and the number is that of its app image or was set by another client. To run pods, set replicas.",
				httpapi.Text(p.Desired.Namespace), httpapi.Text(p.Desired.Name)))
		}
	}
}

// verified reads the deployment back. It returns the plan, so that the spelling
// of the user is kept. If the cluster has another value, that value is returned
// and is an error.
func (r *kusciaDeployment) verified(ctx context.Context, client *kube.Client, desired, state definition.Value, diags *diag.Diagnostics) definition.Value {
	name := definition.StringAt(desired, attrName)
	kd, err := readDesired(ctx, client, name, desired)
	if err != nil {
		writeCheck(name).AddFailed(diags, err)
		return state
	}
	return deployment.KeepRollout(writeCheck(name).Compare(state, desired, fromResponse(kd, desired), diags), state)
}

// readDesired reads a deployment after a write. As long as the read may be from before the
// write, it is repeated until the deployment is as written.
func readDesired(ctx context.Context, client *kube.Client, name string, desired definition.Value) (kd *kube.KusciaDeployment, err error) {
	limited, cancel := context.WithTimeout(ctx, staleReadTimeout)
	defer cancel()
	for {
		if kd, err = get(ctx, client, name); err == nil && isDesired(kd, desired) || !wait.Sleep(limited, pace.First) {
			return kd, err
		}
	}
}
