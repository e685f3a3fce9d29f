package kube

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// ManageByApply changes the managed fields of an object: those that the
// provider owns through Create become fields that it owns through Apply.
// Kubernetes treats the two as different managers: an Apply with another value
// would conflict with the provider itself, and a field that is no longer
// applied would remain. Nothing changes for an object that the provider did not
// create or that was converted before. It returns the current object, which
// others may have changed meanwhile.
func (c *Client) ManageByApply(ctx context.Context, kind Kind, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	err := Retry(ctx, func(int) (again bool, err error) {
		patch := manageByApply(object.GetManagedFields())
		if patch == nil {
			return false, nil
		}
		turned, err := c.Patch(ctx, kind, object.GetNamespace(), object.GetName(), "", patch)
		if err == nil {
			object = turned
			return false, nil
		}
		if !errors.Is(err, apierror.ErrConflict) && !apierror.OutcomeUnknown(err) {
			return false, err
		}
		// Another client has changed the object and moved the entries, or the
		// response was lost.
		found, getErr := c.Get(ctx, kind, object.GetNamespace(), object.GetName())
		if getErr != nil {
			return false, getErr
		}
		object = found
		return true, err
	})
	if err != nil {
		return nil, err
	}
	return object, nil
}

// ManagersOf returns the managers of a field or of any part of it; a path
// consists of field names. The provider's own name is included only if it
// applied the field.
func ManagersOf(object *unstructured.Unstructured, path ...string) []string {
	var names []string
	for _, entry := range object.GetManagedFields() {
		var fields map[string]any
		if entry.FieldsV1 == nil || json.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields) != nil {
			continue
		}
		if entry.Manager == FieldManager && entry.Operation != metav1.ManagedFieldsOperationApply {
			continue
		}
		has := true
		for _, name := range path {
			var nested any
			if nested, has = fields["f:"+name]; !has {
				break
			}
			fields, _ = nested.(map[string]any)
		}
		if has && !slices.Contains(names, entry.Manager) {
			names = append(names, entry.Manager)
		}
	}
	return names
}

// manageByApply returns the patch, nil if there is nothing to do. If there is
// already an entry for Apply, the provider's other entry is dropped: the next
// Apply takes ownership of its fields.
func manageByApply(entries []metav1.ManagedFieldsEntry) []PatchOperation {
	created, applied := -1, false
	for i, entry := range entries {
		switch {
		case entry.Manager != FieldManager || entry.Subresource != "":
		case entry.Operation == metav1.ManagedFieldsOperationApply:
			applied = true
		case entry.Operation == metav1.ManagedFieldsOperationUpdate:
			created = i
		}
	}
	if created < 0 {
		return nil
	}
	at := "/metadata/managedFields/" + strconv.Itoa(created)
	patch := []PatchOperation{
		{Op: "test", Path: at + "/manager", Value: FieldManager},
		{Op: "test", Path: at + "/operation", Value: string(metav1.ManagedFieldsOperationUpdate)},
	}
	if applied {
		return append(patch, PatchOperation{Op: "remove", Path: at})
	}
	patch = append(patch, PatchOperation{Op: "replace", Path: at + "/operation", Value: string(metav1.ManagedFieldsOperationApply)})
	var fields map[string]any
	if entries[created].FieldsV1 == nil || json.Unmarshal(entries[created].FieldsV1.GetRawBytes(), &fields) != nil {
		return patch
	}
	withoutSelf(fields)
	return append(patch, PatchOperation{Op: "replace", Path: at + "/fieldsV1", Value: fields})
}

// withoutSelf removes the ownership of maps of which a member is owned: Apply
// records it for list elements only, and otherwise the next Apply would change
// the resourceVersion.
func withoutSelf(fields map[string]any) {
	for name, value := range fields {
		nested, _ := value.(map[string]any)
		if strings.HasPrefix(name, "f:") && len(nested) > 1 {
			delete(nested, ".")
		}
		withoutSelf(nested)
	}
}
