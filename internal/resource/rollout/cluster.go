package rollout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// cluster keeps Rollouts and traffic routing.
var cluster = crud.Server{
	Name: "The cluster", Errors: clients.KubernetesErrors,
	Ready: func(c *clients.Clients, diags *diag.Diagnostics) bool {
		_, ready := c.ReadyKubernetes(diags)
		return ready
	},
}

// The names that Kubernetes takes for objects, and for namespaces.
const (
	maxName      = 253
	maxNamespace = 63
)

var (
	subdomain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	label     = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
)

// identity says which object of a namespace it is.
func identity(title string) []crud.IdentityAttribute {
	return []crud.IdentityAttribute{
		{Name: attrNamespace, Description: "Namespace: with Kuscia the domain.", Problem: namespaceProblem},
		{Name: attrName, Description: "Name of the " + title + ".", Problem: nameProblem},
	}
}

func namespaceProblem(value string) string {
	if label.MatchString(value) && len(value) <= maxNamespace {
		return ""
	}
	return fmt.Sprintf("%q is no namespace: lower-case letters, digits and hyphens, beginning and ending with a letter or digit, at most %d characters.", value, maxNamespace)
}

func nameProblem(value string) string {
	if subdomain.MatchString(value) && len(value) <= maxName {
		return ""
	}
	return fmt.Sprintf("%q is no name: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', must start and end with an alphanumeric character, and must be no more than %d characters.", value, maxName)
}

// opened is the client of a cluster that was found to be ready.
func opened(c *clients.Clients) (*kube.Client, error) {
	if !c.HasKubernetes() {
		return nil, errors.New("there is no access to a cluster") // Server.Ready says more
	}
	return c.Kubernetes.Open() //nolint:wrapcheck // it says what is wrong
}

func get(ctx context.Context, c *clients.Clients, kind kube.Kind, id crud.ID) (*unstructured.Unstructured, error) {
	client, err := opened(c)
	if err != nil {
		return nil, err
	}
	return client.Get(ctx, kind, id[0], id[1]) //nolint:wrapcheck // the client's errors say what was asked
}

// bulkRead makes the reads of a refresh out of lists of namespaces.
func bulkRead[W interface{ id() crud.ID }](list func(ctx context.Context, client *kube.Client, namespace string) ([]W, error)) *crud.BulkRead[W] {
	return &crud.BulkRead[W]{
		Group: func(id crud.ID) string { return id[0] },
		Find: func(ctx context.Context, c *clients.Clients, namespace string) ([]W, error) {
			client, err := opened(c)
			if err != nil {
				return nil, err
			}
			return list(ctx, client, namespace)
		},
		ID: func(_ string, found *W) crud.ID { return (*found).id() },
	}
}

// listed are the objects of a kind in a namespace.
func listed[W any](ctx context.Context, client *kube.Client, kind kube.Kind, namespace string, read func(map[string]any) (W, error)) ([]W, error) {
	found, err := client.List(ctx, kind, kube.ListOptions{Namespace: namespace})
	if err != nil {
		return nil, err //nolint:wrapcheck // the client's errors say what was asked
	}
	all := make([]W, 0, len(found.Items))
	for i := range found.Items {
		// One that cannot be read is asked for alone, which says what is wrong.
		if one, err := read(found.Items[i].Object); err == nil {
			all = append(all, one)
		}
	}
	return all, nil
}

// create makes an object that the provider manages by server-side apply from
// then on.
func create(ctx context.Context, c *clients.Clients, kind kube.Kind, wanted map[string]any) error {
	client, err := opened(c)
	if err != nil {
		return err
	}
	made, err := client.Create(ctx, kind, &unstructured.Unstructured{Object: wanted})
	if err != nil {
		return err //nolint:wrapcheck // the client's errors say what was asked
	}
	// It is done again before an update, so that a failure has no consequence.
	_, _ = client.ManageByApply(ctx, kind, made)
	return nil
}

// change is an update of an object.
type change struct {
	kind kube.Kind
	// object is what is applied.
	object map[string]any
	// force takes over fields that somebody else manages.
	force bool
	// unchanged reports whether an object is as the plan found it, and done
	// whether it is as planned.
	unchanged, done func(found map[string]any) bool
}

// applyTries is how often an update begins again that met another version of the
// object: its controller writes at any time.
const applyTries = 10

var errChanged = errors.New("somebody else has changed it since the plan was made, and nothing was sent. Plan again, which shows what is there now")

// apply updates an object. What somebody else has changed since the plan is never
// overwritten: the object is compared first, and written only in the version that
// was compared.
func (w change) apply(ctx context.Context, c *clients.Clients) error {
	client, err := opened(c)
	if err != nil {
		return err
	}
	wanted := &unstructured.Unstructured{Object: w.object}
	for try := 1; ; try++ {
		found, err := client.Get(ctx, w.kind, wanted.GetNamespace(), wanted.GetName())
		switch {
		case err != nil:
			return err //nolint:wrapcheck // the client's errors say what was asked
		case (try > 1 || !w.unchanged(found.Object)) && w.done(found.Object):
			return nil // a write whose answer was lost, here or in an earlier run
		case !w.unchanged(found.Object):
			return errChanged
		}
		turned, err := client.ManageByApply(ctx, w.kind, found)
		if err != nil {
			return err //nolint:wrapcheck // the client's errors say what was asked
		}
		if turned.GetResourceVersion() != found.GetResourceVersion() {
			continue // it is another version, which is compared anew
		}
		err = w.write(ctx, client, wanted, found)
		switch {
		case err == nil:
			return nil
		case try < applyTries && kube.Superseded(err) && lifecycle.Pause(ctx, time.Duration(try)*firstPause/2):
		default:
			return err //nolint:wrapcheck // the client's errors say what was asked
		}
	}
}

// write makes an object, in the version that was found, what is wanted.
func (w change) write(ctx context.Context, client *kube.Client, wanted, found *unstructured.Unstructured) error {
	stays, err := w.surplus(wanted, found)
	if err != nil {
		return err
	}
	if len(stays) == 0 {
		object := wanted.DeepCopy()
		keepFlags(object, found)
		object.SetResourceVersion(found.GetResourceVersion())
		_, err = client.Apply(ctx, w.kind, object, w.force)
		return err //nolint:wrapcheck // the client's errors say what was asked
	}
	patch := []kube.PatchOperation{
		{Op: "test", Path: "/metadata/resourceVersion", Value: found.GetResourceVersion()},
		{Op: "replace", Path: "/spec", Value: wanted.Object["spec"]},
	}
	for _, at := range stays {
		if at[0] == "metadata" {
			patch = append(patch, kube.PatchOperation{Op: "remove", Path: "/metadata/annotations/" + strings.ReplaceAll(at[2], "/", "~1")})
		}
	}
	if len(found.GetAnnotations()) == 0 {
		patch = append(patch, kube.PatchOperation{Op: "add", Path: "/metadata/annotations", Value: map[string]string{}})
	}
	for name, value := range wanted.GetAnnotations() {
		if found.GetAnnotations()[name] != value {
			patch = append(patch, kube.PatchOperation{Op: "add", Path: "/metadata/annotations/" + strings.ReplaceAll(name, "/", "~1"), Value: value})
		}
	}
	_, err = client.Patch(ctx, w.kind, wanted.GetNamespace(), wanted.GetName(), "", patch)
	return err //nolint:wrapcheck // the client's errors say what was asked
}

// surplus are the fields that an object has, the plan takes away, and an apply
// would leave, since it takes away only what was applied before. What somebody
// else manages is an error, unless it is to be taken over.
func (w change) surplus(wanted, found *unstructured.Unstructured) (stays [][]string, err error) {
	all := surplusFields(wanted.Object["spec"], found.Object["spec"], []string{"spec"})
	for _, name := range kruise.OwnAnnotations {
		_, is := found.GetAnnotations()[name]
		if _, stays := wanted.GetAnnotations()[name]; is && !stays {
			all = append(all, []string{"metadata", "annotations", name})
		}
	}
	var others []string
	for _, at := range all {
		managers := kube.ManagersOf(found, at...)
		if len(managers) == 1 && managers[0] == kube.FieldManager {
			continue // an apply takes it away
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
		return nil, fmt.Errorf("somebody else has set what the plan takes away: %s. Nothing was written. "+
			"If the configuration shall count, take the fields over: set force_conflicts = true; else take them into the configuration", strings.Join(others, "; "))
	}
	return stays, nil
}

// surplusFields are the fields that are there and not wanted. Lists are wanted
// as a whole, and a truth value that is false is none.
func surplusFields(wanted, found any, at []string) (all [][]string) {
	has, _ := found.(map[string]any)
	want, _ := wanted.(map[string]any)
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

// flags are the truth values that are left out where they are false, since the
// controller drops them.
var flags = [][]string{
	{"spec", "strategy", "paused"},
	{"spec", "strategy", "canary", "enableExtraWorkloadForCanary"},
	{"spec", "strategy", "canary", "disableGenerateCanaryService"},
	{"spec", "strategy", "blueGreen", "disableGenerateCanaryService"},
}

// keepFlags says that a flag is false which somebody else has set: a field that
// is not applied would be left as it is.
func keepFlags(wanted, found *unstructured.Unstructured) {
	for _, at := range flags {
		parent, hasParent, _ := unstructured.NestedMap(wanted.Object, at[:len(at)-1]...)
		_, has := parent[at[len(at)-1]]
		if is, _, _ := unstructured.NestedBool(found.Object, at...); is && hasParent && !has {
			_ = unstructured.SetNestedField(wanted.Object, false, at...)
		}
	}
}

// The time between two looks grows from the first to the last of these.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = time.Second
)

// remove deletes an object and waits until it is gone. The controller has a
// finalizer, with which it gives up the workload. One that takes its name
// meanwhile is left alone. refuse says why the object is not deleted as it is now, nil
// if it may be.
func remove(ctx context.Context, c *clients.Clients, kind kube.Kind, id crud.ID, refuse func(*unstructured.Unstructured) error) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	client, err := opened(c)
	if err != nil {
		return err
	}
	var found *unstructured.Unstructured
	for try := 1; ; try++ {
		now, err := client.Get(ctx, kind, id[0], id[1])
		switch {
		case err != nil:
			return err //nolint:wrapcheck // the client's errors say what was asked
		case found != nil && now.GetUID() != found.GetUID():
			return nil
		}
		found = now
		only := kube.Preconditions{UID: string(found.GetUID())}
		if found.GetDeletionTimestamp() == nil {
			if err := refuse(found); err != nil {
				return err
			}
			only.ResourceVersion = found.GetResourceVersion()
		}
		err = client.Delete(ctx, kind, id[0], id[1], only)
		if err == nil {
			break
		}
		if !errors.Is(err, apierror.ErrConflict) || try == applyTries || !lifecycle.Pause(ctx, time.Duration(try)*firstPause/2) {
			return err //nolint:wrapcheck // the client's errors say what was asked
		}
	}
	return waitGone(ctx, client, kind, found)
}

// waitGone waits until an object that was deleted is not there any more.
func waitGone(ctx context.Context, client *kube.Client, kind kube.Kind, found *unstructured.Unstructured) error {
	var last error
	finalizers := found.GetFinalizers()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		now, err := client.Get(ctx, kind, found.GetNamespace(), found.GetName())
		switch {
		case errors.Is(err, apierror.ErrNotFound), err == nil && now.GetUID() != found.GetUID():
			return nil
		case err != nil && ctx.Err() == nil && !clients.KubernetesErrors.Transient(err):
			return err //nolint:wrapcheck // the client's errors say what was asked
		case ctx.Err() == nil:
			last = err
		}
		if err == nil {
			finalizers = now.GetFinalizers()
		}
		if !lifecycle.Pause(ctx, pause) {
			return fmt.Errorf("it was deleted and is still there, %s: %w", heldBy(finalizers), errors.Join(ctx.Err(), last))
		}
	}
}

// bounded gives a delete a time limit where it has none.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, deleteTimeout)
}

// heldBy says what an object that is being deleted waits for.
func heldBy(finalizers []string) string {
	if releases := releasesOf(finalizers); len(releases) > 0 {
		return fmt.Sprintf("since Rollout %s has a finalizer on it (%s%s) until its release is over. Approve the remaining steps, or roll the workload back",
			httpapi.Text(releases[0]), progressingFinalizer, httpapi.Text(releases[0]))
	}
	return fmt.Sprintf("since its finalizers (%s) wait for the controller of OpenKruise Rollouts. Check that kruise-rollout-controller-manager runs; "+
		"one whose workload has a kind or version that the cluster does not serve is never let go, and its finalizers have to be removed by hand (kubectl edit)", httpapi.Text(strings.Join(finalizers, ", ")))
}
