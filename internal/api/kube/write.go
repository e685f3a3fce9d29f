package kube

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// managed is the query of writes: the field manager, and strict field
// validation, without which the server would drop unknown fields.
func managed() url.Values {
	return url.Values{"fieldManager": {FieldManager}, "fieldValidation": {"Strict"}}
}

// complete sets apiVersion and kind.
func complete(kind Kind, object *unstructured.Unstructured) *unstructured.Unstructured {
	object = object.DeepCopy()
	object.SetAPIVersion(kind.APIVersion())
	object.SetKind(kind.Kind)
	return object
}

// Create creates an object. The error is apierror.ErrExists if the name is
// taken. It is repeated only if the failed attempt certainly had no effect;
// otherwise apierror.OutcomeUnknown is true for the error.
func (c *Client) Create(ctx context.Context, kind Kind, desired *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	namespace, name := desired.GetNamespace(), desired.GetName()
	response, err := c.call(ctx, httpapi.Call{
		Operation: httpapi.Operation{
			Name: "create " + kind.String(), Method: http.MethodPost, Path: kind.path(namespace, "", ""), Writes: true, Creates: true,
		},
		IDs: id(namespace, name), Query: managed().Encode(),
	}, complete(kind, desired))
	if err != nil {
		return nil, err
	}
	return object(response, kind, namespace, name)
}

// Apply is a server-side apply with FieldManager. If metadata.resourceVersion
// is set, it fails with apierror.ErrConflict if the object has another version,
// and does not create a missing object; otherwise a missing object is created.
// If another manager owns a field with another value, the error is
// apierror.ErrConflict, with the fields in FieldConflicts, unless force takes
// them over. Fields that the provider wrote with Create count as those of
// another manager until ManageByApply.
func (c *Client) Apply(ctx context.Context, kind Kind, desired *unstructured.Unstructured, force bool) (*unstructured.Unstructured, error) {
	namespace, name := desired.GetNamespace(), desired.GetName()
	query := managed()
	if force {
		query.Set("force", "true")
	}
	response, err := c.call(ctx, httpapi.Call{
		Operation: httpapi.Operation{
			Name: "apply " + kind.String(), Method: http.MethodPatch, Path: kind.path(namespace, name, ""), Writes: true,
			// Repeated after a lost response, it would conflict with its own
			// version.
			Creates: desired.GetResourceVersion() != "",
		},
		IDs: id(namespace, name), Query: query.Encode(), Header: http.Header{"Content-Type": {"application/apply-patch+yaml"}},
	}, complete(kind, desired))
	if err != nil {
		return nil, err
	}
	return object(response, kind, namespace, name)
}

// PatchOperation is an operation of a JSON patch (RFC 6902).
type PatchOperation struct {
	// Op is test, add, replace or remove.
	Op string `json:"op"`
	// Path is a JSON pointer; EscapeJSONPointer escapes a part of it.
	Path string `json:"path"`
	// Value is empty for a remove operation.
	Value any `json:"value,omitempty"`
}

// EscapeJSONPointer escapes a name, such as that of a label, for a part of a JSON
// pointer (RFC 6901).
func EscapeJSONPointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// Patch changes an object, or its status if subresource is "status", with a
// JSON patch. If a test fails, the error is ErrPatchTest and nothing is
// written. It is not repeated if it may have been carried out.
func (c *Client) Patch(ctx context.Context, kind Kind, namespace, name, subresource string, patch []PatchOperation) (*unstructured.Unstructured, error) {
	what := kind.String()
	if subresource != "" {
		what += "/" + subresource
	}
	return c.patch(ctx, httpapi.Operation{Name: "patch " + what, Path: kind.path(namespace, name, subresource), Writes: true, Creates: true}, managed(), kind, namespace, name, patch)
}

// TryPatch is Patch without an effect: it returns the error that Patch would return
// now, for example for a missing permission or an invalid result.
func (c *Client) TryPatch(ctx context.Context, kind Kind, namespace, name string, patch []PatchOperation) error {
	query := managed()
	query.Set("dryRun", "All")
	_, err := c.patch(ctx, httpapi.Operation{Name: "patch " + kind.String() + " (dry run)", Path: kind.path(namespace, name, "")}, query, kind, namespace, name, patch)
	return err
}

func (c *Client) patch(ctx context.Context, operation httpapi.Operation, query url.Values, kind Kind, namespace, name string, patch []PatchOperation) (*unstructured.Unstructured, error) {
	if len(patch) == 0 || name == "" {
		return nil, errors.New("patch " + kind.String() + ": the patch or the name is empty")
	}
	operation.Method = http.MethodPatch
	response, err := c.call(ctx, httpapi.Call{
		Operation: operation,
		IDs:       id(namespace, name), Query: query.Encode(), Header: http.Header{"Content-Type": {"application/json-patch+json"}},
	}, patch)
	if err != nil {
		return nil, err
	}
	return object(response, kind, namespace, name)
}

// Preconditions identify the object. Empty fields are ignored.
type Preconditions struct {
	UID             string `json:"uid,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

// Delete deletes an object. The error is apierror.ErrNotFound if it does not
// exist, and apierror.ErrConflict if the preconditions do not match. It returns
// before finalizers and controllers are done.
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

// Decode converts an object to a Go type.
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
