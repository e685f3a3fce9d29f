package appimage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// An AppImage has fields that the KusciaAPI neither returns nor accepts, such as
// the security context of a container. Its update replaces the list of deploy
// templates as a whole, and these fields with it. They survive in two ways: an
// update that does not change the deploy templates leaves them out, and with a
// cluster any other update goes through the Kubernetes API if the AppImage has
// such fields.

// uncarried lists these fields for messages.
const uncarried = "securityContext, metricProbe, affinity, networkPolicy, numbers of ports, valueFrom in env, optional in envFrom, and resources other than CPU and memory"

// update sends an update.
func update(ctx context.Context, c *clients.Clients, desired *kuscia.AppImage) error {
	request := updateRequest(desired)
	current, err := c.Kuscia.QueryAppImage(ctx, desired.Name)
	if err != nil {
		return err //nolint:wrapcheck // the client's errors describe the request
	}
	if sameTemplates(desired, current) {
		request.DeployTemplates = nil
	} else if c.HasKubernetes() {
		if done, err := updateInCluster(ctx, c, desired); done || err != nil {
			return err
		}
	}
	return c.Kuscia.UpdateAppImage(ctx, request) //nolint:wrapcheck // the client's errors describe the request
}

// updateInCluster updates an AppImage with fields that the KusciaAPI would
// remove. done is false if it has none.
func updateInCluster(ctx context.Context, c *clients.Clients, desired *kuscia.AppImage) (done bool, err error) {
	client, err := c.Kubernetes.Open()
	if err != nil {
		return false, err //nolint:wrapcheck // the error describes the setting
	}
	err = kube.Retry(ctx, func(int) (again bool, err error) {
		found, err := lookUp(ctx, client, desired.Name)
		if err != nil || found == nil {
			return false, err
		}
		next := merge(specOf(found), manifest(desired))
		if done = len(next.kept) > 0; !done {
			return false, nil
		}
		_, err = client.Patch(ctx, kube.AppImages, "", desired.Name, "", next.patch(found))
		if errors.Is(err, kube.ErrForbidden) {
			err = &wouldLoseError{next.kept, err}
		}
		return kube.Superseded(err), err
	})
	return done, err //nolint:wrapcheck // the client's errors describe the request
}

// lookUp returns the AppImage in the cluster; nil if there is none, or if it cannot be
// seen, of which the plan has warned.
func lookUp(ctx context.Context, client *kube.Client, name string) (*unstructured.Unstructured, error) {
	found, err := client.Get(ctx, kube.AppImages, "", name)
	if errors.Is(err, apierror.ErrNotFound) || isInvisible(err) {
		return nil, nil
	}
	return found, err //nolint:wrapcheck // the client's errors describe the request
}

// isInvisible reports that AppImages of the cluster cannot be read.
func isInvisible(err error) bool {
	return errors.Is(err, kube.ErrForbidden) || errors.Is(err, apierror.ErrUnsupported)
}

func specOf(found *unstructured.Unstructured) object {
	spec, _ := found.Object["spec"].(object)
	return spec
}

// patch replaces the specification of the version that was read.
func (m *merged) patch(found *unstructured.Unstructured) []kube.PatchOperation {
	return []kube.PatchOperation{
		{Op: "test", Path: "/metadata/resourceVersion", Value: found.GetResourceVersion()},
		{Op: "replace", Path: "/spec", Value: m.spec},
	}
}

// wouldLoseError is the error of an update that needs a permission to keep fields.
type wouldLoseError struct {
	kept  []string
	cause error
}

func (e *wouldLoseError) Unwrap() error { return e.cause }

func (e *wouldLoseError) Error() string {
	return fmt.Sprintf("the AppImage has fields that the KusciaAPI does not carry and would remove: %s. Nothing was changed. An update that keeps them goes through the Kubernetes API, "+
		"where the user of the provider has no permission: %s.\n\n"+
		"Either give it the verb patch of appimages.kuscia.secretflow, or, if these fields may be lost, remove them first (kubectl edit appimage)",
		list(e.kept), strings.TrimRight(e.cause.Error(), "."))
}

// maxFields is the maximum number of fields in a message.
const maxFields = 20

// list lists fields of an AppImage for a message.
func list(fields []string) string {
	rest := ""
	if more := len(fields) - maxFields; more > 0 {
		fields, rest = fields[:maxFields], fmt.Sprintf(" and %d more", more)
	}
	return httpapi.Text(strings.Join(fields, ", ")) + rest
}

// checkUpdate reports in the plan what the update of an app image would remove.
func checkUpdate(ctx context.Context, c *clients.Clients, change crud.Change[kuscia.AppImage]) (diags diag.Diagnostics) {
	if change.InApply || change.Desired == nil || change.Before == nil || !c.HasKubernetes() || keepsTemplates(change.Desired, change.Before) {
		return nil
	}
	client, ready := c.ReadyKubernetes(&diags)
	if !ready {
		return diags
	}
	found, err := client.Get(ctx, kube.AppImages, "", change.ID[0])
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return nil
	case isInvisible(err):
		clients.AddWarning(&diags, "Fields of the app image may be lost", fmt.Errorf("app image %q: %s. They cannot be looked up: %w", change.ID[0], lossText, err))
		return diags
	case err != nil:
		clients.AddError(&diags, "Unable to read app image in the cluster", err)
		return diags
	}
	next := merge(specOf(found), manifest(change.Desired))
	if len(next.lost) > 0 {
		diags.AddAttributeWarning(path.Root(attrDeployTemplates), "Fields of the app image are removed",
			"This update removes or renames what has them, or gives a variable a value: "+list(next.lost)+". They are not in this configuration; kubectl get appimage shows them.")
	}
	if len(next.kept) == 0 {
		return diags
	}
	if len(change.Unknown.All()) > 0 {
		next.spec = specOf(found) // only whether it is permitted
	}
	switch err := client.TryPatch(ctx, kube.AppImages, "", change.ID[0], next.patch(found)); {
	case errors.Is(err, kube.ErrForbidden):
		clients.AddAttributeError(&diags, path.Root(attrDeployTemplates), "Fields of the app image would be lost", &wouldLoseError{next.kept, err})
	case err != nil && !kube.Superseded(err):
		clients.AddError(&diags, "Unable to update app image", err)
	}
	return diags
}

const lossText = "an update of deploy_templates removes fields of the AppImage that the KusciaAPI does not carry (" + uncarried + ")"

// unseen says what happens to the fields that the KusciaAPI does not carry, where
// there is no cluster in which they can be seen.
var unseen = &crud.Unseen[kuscia.AppImage]{
	Kept: keepsTemplates,
	Warn: func(c *clients.Clients, id crud.ID, updates bool) (diags diag.Diagnostics) {
		if c.HasKubernetes() {
			return nil
		}
		title, what := "App image may have fields that are not imported", "An update of deploy_templates will remove them"
		if updates {
			title, what = "Fields of the app image may be lost", "This update of deploy_templates removes them"
		}
		diags.AddAttributeWarning(path.Root(attrDeployTemplates), title, fmt.Sprintf(
			"The KusciaAPI does not carry all fields of an AppImage: %s. %s, if app image %q has any.\n\n"+
				"kubectl get appimage %[3]s -o yaml shows them. To keep them, set kubernetes in the provider block: updates then go through the Kubernetes API.", uncarried, what, id[0]))
		return diags
	},
}

// keepsTemplates reports whether an update does not send the deploy templates.
func keepsTemplates(desired, before *kuscia.AppImage) bool { return sameTemplates(desired, before) }

const attrDeployTemplates = "deploy_templates"

// templates are the deploy templates alone, for comparisons.
var templates = sync.OnceValue(func() *definition.Definition {
	for _, a := range imageAttributes() {
		if a.Name == attrDeployTemplates {
			return definition.New(definition.Schema{Attributes: []definition.Attribute{a}})
		}
	}
	panic("no attribute " + attrDeployTemplates)
})

// sameTemplates reports whether two app images have the same deploy templates.
func sameTemplates(a, b *kuscia.AppImage) bool {
	value := func(image *kuscia.AppImage) definition.Value {
		return templates().FromServer(tree{attrDeployTemplates: definition.Each(image.DeployTemplates, treeTemplate)})
	}
	return len(templates().Differences(value(a), value(b))) == 0
}
