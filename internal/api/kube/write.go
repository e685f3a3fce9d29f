package kube

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// managed is the query of writes: under which name, and that an unknown field is
// an error. Otherwise the server would drop it.
func managed() url.Values {
	return url.Values{"fieldManager": {FieldManager}, "fieldValidation": {"Strict"}}
}

// complete sets what the kind says.
func complete(kind Kind, object *unstructured.Unstructured) *unstructured.Unstructured {
	object = object.DeepCopy()
	object.SetAPIVersion(kind.APIVersion())
	object.SetKind(kind.Kind)
	return object
}

// Create creates an object. The error is apierror.ErrExists when its name is
// taken. It is repeated only if it certainly did not happen;
// apierror.OutcomeUnknown tells when that is not known.
func (c *Client) Create(ctx context.Context, kind Kind, wanted *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	namespace, name := wanted.GetNamespace(), wanted.GetName()
	answer, err := c.call(ctx, httpapi.Call{
		Operation: httpapi.Operation{
			Name: "create " + kind.String(), Method: http.MethodPost, Path: kind.path(namespace, "", ""), Writes: true, Creates: true,
		},
		IDs: id(namespace, name), Query: managed().Encode(),
	}, complete(kind, wanted))
	if err != nil {
		return nil, err
	}
	return object(answer, kind, namespace, name)
}

// Apply is a server-side apply of what the provider manages of an object, under
// FieldManager. With a resourceVersion in its metadata it fails with
// apierror.ErrConflict if the object is no longer of that version, and does not
// create one that is gone; without, an object that is not there is created. A
// field that somebody else manages with another value is apierror.ErrConflict,
// too, which FieldConflicts lists, unless force takes it over. What the provider
// wrote with Create counts as somebody else's until ManageByApply.
func (c *Client) Apply(ctx context.Context, kind Kind, wanted *unstructured.Unstructured, force bool) (*unstructured.Unstructured, error) {
	namespace, name := wanted.GetNamespace(), wanted.GetName()
	query := managed()
	if force {
		query.Set("force", "true")
	}
	answer, err := c.call(ctx, httpapi.Call{
		Operation: httpapi.Operation{
			Name: "apply " + kind.String(), Method: http.MethodPatch, Path: kind.path(namespace, name, ""), Writes: true,
			// Repeated after a lost answer it would meet its own version.
			Creates: wanted.GetResourceVersion() != "",
		},
		IDs: id(namespace, name), Query: query.Encode(), Header: http.Header{"Content-Type": {"application/apply-patch+yaml"}},
	}, complete(kind, wanted))
	if err != nil {
		return nil, err
	}
	return object(answer, kind, namespace, name)
}

// PatchOperation is one of a JSON patch (RFC 6902).
type PatchOperation struct {
	// Op is test, add, replace or remove.
	Op string `json:"op"`
	// Path is a JSON pointer, see Pointer.
	Path string `json:"path"`
	// Value is left out by a removal.
	Value any `json:"value,omitempty"`
}

// Patch changes an object, or with subresource "status" its status, by a JSON
// patch. A test that fails is ErrPatchTest, and nothing is written then. It is
// not repeated once it may have happened.
func (c *Client) Patch(ctx context.Context, kind Kind, namespace, name, subresource string, patch []PatchOperation) (*unstructured.Unstructured, error) {
	if len(patch) == 0 || name == "" {
		return nil, errors.New("patch " + kind.String() + ": the patch or the name is empty")
	}
	what := kind.String()
	if subresource != "" {
		what += "/" + subresource
	}
	answer, err := c.call(ctx, httpapi.Call{
		Operation: httpapi.Operation{Name: "patch " + what, Method: http.MethodPatch, Path: kind.path(namespace, name, subresource), Writes: true, Creates: true},
		IDs:       id(namespace, name), Query: managed().Encode(), Header: http.Header{"Content-Type": {"application/json-patch+json"}},
	}, patch)
	if err != nil {
		return nil, err
	}
	return object(answer, kind, namespace, name)
}

// Preconditions say which object is meant. What is empty is not looked at.
type Preconditions struct {
	UID             string `json:"uid,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

// Delete deletes an object. The error is apierror.ErrNotFound when there is
// none, and apierror.ErrConflict when it is not the one of the preconditions.
// It answers before finalizers and controllers are done.
func (c *Client) Delete(ctx context.Context, kind Kind, namespace, name string, only Preconditions) error {
	if name == "" {
		return errors.New("delete " + kind.String() + ": the name is empty")
	}
	options := map[string]any{"apiVersion": "v1", "kind": "DeleteOptions"}
	if only != (Preconditions{}) {
		options["preconditions"] = only
	}
	_, err := c.call(ctx, httpapi.Call{
		Operation: httpapi.Operation{Name: "delete " + kind.String(), Method: http.MethodDelete, Path: kind.path(namespace, name, ""), Writes: true},
		IDs:       id(namespace, name),
	}, options)
	return err
}

// Decode reads an object into a type of Go.
func Decode(object *unstructured.Unstructured, into any) error {
	encoded, err := json.Marshal(object.Object)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(encoded, into); err != nil {
		return httpapi.PlainDecodeError(err)
	}
	return nil
}
