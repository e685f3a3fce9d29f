package deployment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// calls are the API calls for KusciaDeployments.
func calls(c *run.Run) crud.API[object] {
	return crud.API[object]{
		Create: func(ctx context.Context, desired *object) error {
			client, err := c.OpenKubernetes()
			if err != nil {
				return err
			}
			ctx = httpapi.WithMaskedText(ctx, desired.planned.String(attrInputConfig))
			_, err = client.Create(ctx, kube.KusciaDeployments, desired.sent)
			return err
		},
		Query: func(ctx context.Context, id crud.ID) (*object, error) {
			client, err := c.OpenKubernetes()
			if err != nil {
				return nil, err
			}
			return foundObject(client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, id[0]))
		},
		Read: func(ctx context.Context, id crud.ID) (*object, error) {
			client, err := c.OpenKubernetes()
			if err != nil {
				return nil, err
			}
			return foundObject(c.ReadKubernetes(ctx, client, kube.KusciaDeployments, kube.CrossDomain, kube.CrossDomain, id[0]))
		},
		UpdateObject: func(ctx context.Context, u crud.Update[object]) error {
			client, err := c.OpenKubernetes()
			if err != nil {
				return err
			}
			return withConflicts(update{client, u}.do(ctx))
		},
		DeleteObject: func(ctx context.Context, before *object, diags *diag.Diagnostics) error {
			client, err := c.OpenKubernetes()
			if err != nil {
				return err
			}
			return remove(ctx, client, before.planned.String(attrName), diags)
		},
	}
}

// withConflicts adds the fields of other field managers to an error.
func withConflicts(err error) error {
	conflicts := kube.FieldConflicts(err)
	if len(conflicts) == 0 {
		return err
	}
	var lines []string
	for _, c := range conflicts {
		lines = append(lines, fmt.Sprintf("%s is managed by %q", c.Field, c.Manager))
	}
	return fmt.Errorf("%s: %w", strings.Join(lines, "; "), err)
}

// update is one update of a deployment.
type update struct {
	client *kube.Client
	crud.Update[object]
}

// do updates the object to the plan, if it is as in the state.
func (u update) do(ctx context.Context) error {
	sending, desired := ctx, u.Desired
	compare := func(live *unstructured.Unstructured, again bool) (done bool, err error) {
		found, err := foundObject(live, nil)
		if err != nil {
			return false, err
		}
		if desired, done, err = u.Compare(found, again); err != nil {
			return false, err
		}
		sending = httpapi.WithMaskedText(httpapi.WithMaskedText(ctx, desired.planned.String(attrInputConfig)), found.found.Spec.InputConfig)
		if done {
			err = u.dropLabels(sending, live)
		}
		return done, err
	}
	write := func(live *unstructured.Unstructured) error { return u.write(sending, live, desired) }
	return u.client.Change(ctx, kube.KusciaDeployments, kube.CrossDomain, u.ID[0], compare, write)
}

// write writes to the version that was compared.
func (u update) write(ctx context.Context, live *unstructured.Unstructured, desired *object) error {
	if err := u.client.Own(ctx, kube.KusciaDeployments, live); err != nil {
		return err
	}
	object := toObject(desired.planned, live)
	object.SetResourceVersion(live.GetResourceVersion())
	written, err := u.client.Apply(ctx, kube.KusciaDeployments, object, desired.planned.Bool(attrForceConflicts))
	if err != nil {
		return err
	}
	return kube.Final(u.dropLabels(ctx, written))
}

// dropLabels removes the labels that the plan removes and that have another
// manager too. An apply does not remove those.
func (u update) dropLabels(ctx context.Context, live *unstructured.Unstructured) error {
	return kube.Retry(ctx, func(int) (again bool, err error) {
		patch := u.labelPatch(live)
		if patch == nil {
			return false, nil
		}
		_, err = u.client.Patch(ctx, kube.KusciaDeployments, kube.CrossDomain, live.GetName(), "", patch)
		if !errors.Is(err, kube.ErrPatchTest) {
			return false, err
		}
		found, getErr := u.client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, live.GetName())
		if getErr != nil {
			return false, getErr
		}
		live = found
		return true, err
	})
}

// labelPatch returns a patch that removes labels from one resource version, nil
// if there is none to remove.
func (u update) labelPatch(live *unstructured.Unstructured) []kube.PatchOperation {
	after, labels := u.Desired.planned.StringMap(attrLabels), live.GetLabels()
	patch := []kube.PatchOperation{{Op: "test", Path: "/metadata/resourceVersion", Value: live.GetResourceVersion()}}
	for name := range u.Before.planned.StringMap(attrLabels) {
		_, has := labels[name]
		if _, stays := after[name]; has && !stays {
			patch = append(patch, kube.PatchOperation{Op: "remove", Path: "/metadata/labels/" + kube.EscapeJSONPointer(name)})
		}
	}
	if len(patch) == 1 {
		return nil
	}
	return patch
}
