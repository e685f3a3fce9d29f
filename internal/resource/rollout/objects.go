package rollout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// identity returns the identity attributes of a namespaced object.
func identity(title string) crud.Identity {
	return crud.Identity{Attributes: []crud.IdentityAttribute{
		{Name: attrNamespace, Description: "Namespace: with Kuscia the domain.", Problem: namespaceProblem},
		{Name: attrName, Description: "Name of the " + title + ".", Problem: nameProblem},
	}}
}

func namespaceProblem(value string) string {
	if len(validation.IsDNS1123Label(value)) == 0 {
		return ""
	}
	return fmt.Sprintf("%q is not a namespace: use at most %d lower-case letters, digits and hyphens, with a letter or digit at both ends.", value, validation.DNS1123LabelMaxLength)
}

func nameProblem(value string) string {
	if len(validation.IsDNS1123Subdomain(value)) == 0 {
		return ""
	}
	return fmt.Sprintf("%q is not a valid name: use at most %d lower-case letters, digits, \"-\" and \".\", with a letter or digit at both ends and on both sides of a dot.", value, validation.DNS1123SubdomainMaxLength)
}

func get(ctx context.Context, c *run.Run, kind kube.Kind, id crud.ID) (*unstructured.Unstructured, error) {
	client, err := c.OpenKubernetes()
	if err != nil {
		return nil, err
	}
	return client.Get(ctx, kind, id[0], id[1])
}

// bulkRead serves the reads of a refresh from one list per namespace.
func bulkRead[W interface{ id() crud.ID }](list func(ctx context.Context, client *kube.Client, namespace string) ([]W, error)) *crud.BulkRead[W] {
	return &crud.BulkRead[W]{
		Group: func(id crud.ID) string { return id[0] },
		Find: func(ctx context.Context, c *run.Run, namespace string) ([]W, error) {
			client, err := c.OpenKubernetes()
			if err != nil {
				return nil, err
			}
			return list(ctx, client, namespace)
		},
		ID: func(_ string, found *W) crud.ID { return (*found).id() },
	}
}

// listed returns the objects of a kind in a namespace.
func listed[W any](ctx context.Context, client *kube.Client, kind kube.Kind, namespace string, read func(map[string]any) (W, error)) ([]W, error) {
	found, err := client.List(ctx, kind, kube.ListOptions{Namespace: namespace})
	if err != nil {
		return nil, err
	}
	all := make([]W, 0, len(found.Items))
	for i := range found.Items {
		// Objects that cannot be decoded are skipped: they are then read one by
		// one, with an error that names the cause.
		if one, err := read(found.Items[i].Object); err == nil {
			all = append(all, one)
		}
	}
	return all, nil
}

// create creates an object, and turns the provider's field ownership into that
// of server-side apply.
func create(ctx context.Context, c *run.Run, kind kube.Kind, desired map[string]any) error {
	client, err := c.OpenKubernetes()
	if err != nil {
		return err
	}
	made, err := client.Create(ctx, kind, &unstructured.Unstructured{Object: desired})
	if err != nil {
		return err
	}
	// Errors are ignored: an update does the same first.
	_, _ = client.ManageByApply(ctx, kind, made)
	return nil
}

// change is an update of an object.
type change struct {
	client *kube.Client
	kind   kube.Kind
	// force takes over fields of other field managers.
	force bool
}

// apply updates an object to the plan, if it is as in the state. read decodes an object of the
// cluster, and encode one to apply.
func apply[W any](ctx context.Context, w change, u crud.Update[W], read func(map[string]any) (W, error), encode func(*W) (map[string]any, error)) error {
	desired := &unstructured.Unstructured{}
	compare := func(live *unstructured.Unstructured, again bool) (done bool, err error) {
		found, err := read(live.Object)
		if err != nil {
			return false, err
		}
		planned, done, err := u.Compare(&found, again)
		if err != nil || done {
			return done, err
		}
		desired.Object, err = encode(planned)
		return false, err
	}
	write := func(live *unstructured.Unstructured) error { return w.write(ctx, desired, live) }
	return w.client.Change(ctx, w.kind, u.ID[0], u.ID[1], compare, write)
}

// write changes an object to the desired one, if it still has the version that
// was read.
func (w change) write(ctx context.Context, desired, found *unstructured.Unstructured) error {
	if err := w.client.Own(ctx, w.kind, found); err != nil {
		return err
	}
	remaining, err := w.surplus(desired, found)
	if err != nil {
		return err
	}
	if len(remaining) == 0 {
		object := desired.DeepCopy()
		keepFlags(object, found)
		object.SetResourceVersion(found.GetResourceVersion())
		_, err = w.client.Apply(ctx, w.kind, object, w.force)
		return err
	}
	patch := []kube.PatchOperation{
		{Op: "test", Path: "/metadata/resourceVersion", Value: found.GetResourceVersion()},
		{Op: "replace", Path: "/spec", Value: desired.Object["spec"]},
	}
	for _, at := range remaining {
		if at[0] == "metadata" {
			patch = append(patch, kube.PatchOperation{Op: "remove", Path: "/metadata/annotations/" + kube.EscapeJSONPointer(at[2])})
		}
	}
	if len(found.GetAnnotations()) == 0 {
		patch = append(patch, kube.PatchOperation{Op: "add", Path: "/metadata/annotations", Value: map[string]string{}})
	}
	for name, value := range desired.GetAnnotations() {
		if found.GetAnnotations()[name] != value {
			patch = append(patch, kube.PatchOperation{Op: "add", Path: "/metadata/annotations/" + kube.EscapeJSONPointer(name), Value: value})
		}
	}
	_, err = w.client.Patch(ctx, w.kind, desired.GetNamespace(), desired.GetName(), "", patch)
	return err
}

// surplus returns the fields that the plan removes and that server-side apply
// would leave, because it only removes fields that the provider applied before.
// Fields of other field managers are an error, unless force is set.
func (w change) surplus(desired, found *unstructured.Unstructured) (stays [][]string, err error) {
	all := surplusFields(desired.Object["spec"], found.Object["spec"], []string{"spec"})
	for _, name := range kruise.OwnAnnotations {
		_, is := found.GetAnnotations()[name]
		if _, stays := desired.GetAnnotations()[name]; is && !stays {
			all = append(all, []string{"metadata", "annotations", name})
		}
	}
	var others []string
	for _, at := range all {
		managers := kube.ManagersOf(found, at...)
		if len(managers) == 1 && managers[0] == kube.FieldManager {
			continue // server-side apply removes it
		}
		stays = append(stays, at)
		for _, manager := range managers {
			if manager != kube.FieldManager {
				others = append(others, fmt.Sprintf("conflict with %q: .%s", httpapi.Text(manager), strings.Join(at, ".")))
			}
		}
	}
	if len(others) > 0 && !w.force {
		slices.Sort(others)
		return nil, fmt.Errorf("another client has set fields that the plan removes: %s. Nothing was written. "+
			"To apply this configuration, take the fields over with force_conflicts = true; otherwise add them to the configuration", strings.Join(others, "; "))
	}
	return stays, nil
}

// surplusFields returns the fields that are set in found and not in desired. It
// does not descend into lists, and treats a boolean that is false as not set.
func surplusFields(desired, found any, at []string) (all [][]string) {
	has, _ := found.(map[string]any)
	want, _ := desired.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(has)) {
		value, also := want[name]
		next := append(slices.Clone(at), name)
		switch _, nested := has[name].(map[string]any); {
		case also && nested:
			all = append(all, surplusFields(value, has[name], next)...)
		case !also && has[name] != false && !isFlag(next):
			all = append(all, next)
		}
	}
	return all
}

func isFlag(at []string) bool {
	return slices.ContainsFunc(flags, func(flag []string) bool { return slices.Equal(flag, at) })
}

// flags are booleans that are not sent if false, because the controller drops
// them.
var flags = [][]string{
	{"spec", "strategy", "paused"},
	{"spec", "strategy", "canary", "enableExtraWorkloadForCanary"},
	{"spec", "strategy", "canary", "disableGenerateCanaryService"},
	{"spec", "strategy", "blueGreen", "disableGenerateCanaryService"},
}

// keepFlags sets flags to false that others have set to true: server-side apply
// would not change a field that is not sent.
func keepFlags(desired, found *unstructured.Unstructured) {
	for _, at := range flags {
		parent, hasParent, _ := unstructured.NestedMap(desired.Object, at[:len(at)-1]...)
		_, has := parent[at[len(at)-1]]
		if is, _, _ := unstructured.NestedBool(found.Object, at...); is && hasParent && !has {
			_ = unstructured.SetNestedField(desired.Object, false, at...)
		}
	}
}

// pollInterval is the time between two polls of an object of OpenKruise Rollouts.
var pollInterval = wait.Interval{First: 100 * time.Millisecond, Longest: time.Second}

// remove deletes an object and waits until it is deleted. The controller uses a
// finalizer to release the workload first. An object created with the same name
// in the meantime is not touched. refuse returns the reason not to delete the
// object in its current state, or nil. It is called with an object that is being
// deleted already too, where a reason has no effect.
func remove(ctx context.Context, c *run.Run, kind kube.Kind, id crud.ID, refuse func(*unstructured.Unstructured) error) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	client, err := c.OpenKubernetes()
	if err != nil {
		return err
	}
	var found *unstructured.Unstructured
	another := false
	err = kube.Retry(ctx, func(int) (again bool, err error) {
		now, err := client.Get(ctx, kind, id[0], id[1])
		if err != nil {
			return false, err
		}
		if another = found != nil && now.GetUID() != found.GetUID(); another {
			return false, nil
		}
		found = now
		only := kube.Preconditions{UID: string(found.GetUID())}
		deleting := found.GetDeletionTimestamp() != nil
		if err := refuse(found); err != nil && !deleting {
			return false, err
		}
		if !deleting {
			only.ResourceVersion = found.GetResourceVersion()
		}
		err = client.Delete(ctx, kind, id[0], id[1], only)
		return errors.Is(err, apierror.ErrConflict), err
	})
	if err != nil || another {
		return err
	}
	return waitGone(ctx, client, kind, found)
}

// waitGone waits until a deleted object no longer exists.
func waitGone(ctx context.Context, client *kube.Client, kind kube.Kind, found *unstructured.Unstructured) error {
	finalizers := found.GetFinalizers()
	err := wait.Poll(ctx, pollInterval, func(ctx context.Context) (done bool, err error) {
		now, err := client.Get(ctx, kind, found.GetNamespace(), found.GetName())
		if errors.Is(err, apierror.ErrNotFound) || err == nil && now.GetUID() != found.GetUID() {
			return true, nil
		}
		if err == nil {
			finalizers = now.GetFinalizers()
		}
		return false, err
	})
	switch canceled := message.DeletionCanceled(err); {
	case canceled != nil:
		return canceled
	case err != nil:
		return fmt.Errorf("the delete was accepted, but the object still exists, %s: %w", heldBy(found, finalizers), err)
	}
	return nil
}

// bounded adds the default time limit to a delete that has none.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, deleteTimeout)
}

// heldBy describes what the deletion of an object waits for.
func heldBy(found *unstructured.Unstructured, finalizers []string) string {
	if releases := releasesOf(finalizers); len(releases) > 0 {
		return fmt.Sprintf("since Rollout %q keeps a finalizer on it (%s%s) until its release is over. Approve the remaining steps, or roll the workload back",
			httpapi.Text(releases[0]), progressingFinalizer, httpapi.Text(releases[0]))
	}
	scripts := ""
	if usesScripts(found) {
		scripts = " and finds its Lua scripts for traffic routing (its log then has no \"lua script is not found\"; they are in lua_configuration of its working directory)"
	}
	return fmt.Sprintf("since its finalizers (%s) wait for the controller of OpenKruise Rollouts. Check that kruise-rollout-controller-manager runs%s; "+
		"if the cluster does not serve the kind or version of its workload, the controller never removes the finalizers: remove them manually (kubectl edit)", httpapi.Text(strings.Join(finalizers, ", ")), scripts)
}

// usesScripts reports whether the controller needs a Lua script to end the traffic routing of a
// Rollout or TrafficRouting, as for all objects but those of the Gateway API.
func usesScripts(found *unstructured.Unstructured) bool {
	var routings []kruise.TrafficRoutingRef
	if read, err := kruise.TrafficRoutingFrom(found.Object); err == nil {
		routings = read.Spec.ObjectRef
	} else if read, err := kruise.RolloutFrom(found.Object); err == nil && read.Spec.Strategy.Style() != nil {
		routings = read.Spec.Strategy.Style().TrafficRoutings
	}
	return slices.ContainsFunc(routings, func(r kruise.TrafficRoutingRef) bool { return r.Ingress != nil || len(r.CustomNetworkRefs) > 0 })
}

// progressingFinalizer is the prefix of the finalizer that a Rollout sets on
// the traffic routing it refers to, for the duration of a release. The name of
// the Rollout follows.
const progressingFinalizer = "progressing.rollouts.kruise.io/"

// releasesOf returns the Rollouts whose releases use an object, according to
// its finalizers.
func releasesOf(finalizers []string) (rollouts []string) {
	for _, finalizer := range finalizers {
		if name, is := strings.CutPrefix(finalizer, progressingFinalizer); is {
			rollouts = append(rollouts, name)
		}
	}
	return rollouts
}

// Time limits. A Rollout is healthy after 0.1 s, disabled after 3 s and deleted
// after 3 s, unless its controller is busy.
const (
	createTimeout = 5 * time.Minute
	updateTimeout = 5 * time.Minute
	deleteTimeout = 5 * time.Minute
)

// isDeployment reports whether a workload is a Deployment, as all those of Kuscia are.
func isDeployment(ref kruise.ObjectRef) bool {
	return ref.APIVersion == defaultAPIVersion && ref.Kind == defaultKind
}
