package rollout

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
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
		case try > 1 && w.done(found.Object):
			return nil // the answer of the try before was lost
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
		object := wanted.DeepCopy()
		keepFlags(object, found)
		object.SetResourceVersion(found.GetResourceVersion())
		_, err = client.Apply(ctx, w.kind, object, w.force)
		switch {
		case err == nil:
			return nil
		case try < applyTries && kube.Superseded(err) && lifecycle.Pause(ctx, time.Duration(try)*firstPause/2):
		default:
			return err //nolint:wrapcheck // the client's errors say what was asked
		}
	}
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
// meanwhile is left alone.
func remove(ctx context.Context, c *clients.Clients, kind kube.Kind, id crud.ID) error {
	client, err := opened(c)
	if err != nil {
		return err
	}
	found, err := client.Get(ctx, kind, id[0], id[1])
	if err != nil {
		return err //nolint:wrapcheck // the client's errors say what was asked
	}
	if err := client.Delete(ctx, kind, id[0], id[1], kube.Preconditions{UID: string(found.GetUID())}); err != nil {
		return err //nolint:wrapcheck // the client's errors say what was asked
	}
	var last error
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		now, err := client.Get(ctx, kind, id[0], id[1])
		switch {
		case errors.Is(err, apierror.ErrNotFound), err == nil && now.GetUID() != found.GetUID():
			return nil
		case err != nil && ctx.Err() == nil && !clients.KubernetesErrors.Passing(err):
			return err //nolint:wrapcheck // the client's errors say what was asked
		case ctx.Err() == nil:
			last = err
		}
		if !lifecycle.Pause(ctx, pause) {
			return fmt.Errorf("it was deleted and is still there: its finalizers wait for the controller of OpenKruise Rollouts. Check that kruise-rollout-controller-manager runs; "+
				"one whose workload has a kind or version that the cluster does not serve is never let go, and its finalizers have to be removed by hand (kubectl edit): %w", errors.Join(ctx.Err(), last))
		}
	}
}
