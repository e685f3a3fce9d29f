package manifest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// Update makes an update through the Kubernetes API, if one through the KusciaAPI would remove fields,
// or always, where that has none. look is Look of the object. allowed are the names of the fields that
// it may remove. done is false if it has made none. It is one patch of the version that was read, so
// that no field is ever missing.
func (r *CustomResource[W]) Update(ctx context.Context, look func(context.Context) (Seen, error), c Change[W], always bool, allowed []string) (done bool, err error) {
	namespace, name := r.Name(c.ID)
	if r.Secrets != nil {
		for _, secret := range r.Secrets(c.Desired) {
			ctx = httpapi.WithMaskedText(ctx, secret)
		}
	}
	err = kube.Retry(ctx, func(int) (again bool, err error) {
		now, err := look(ctx)
		if err == nil && now.Object == nil && always {
			err = r.notSeen(now)
		}
		if err != nil || now.Object == nil {
			return false, err
		}
		next := r.Merge(now.Object, c)
		if gone := NotAllowed(next.Lost, allowed); slices.ContainsFunc(gone, Found.Protects) {
			return false, fmt.Errorf("another client has added fields since the plan, which this update would remove: %s. Nothing was changed. Plan again", Listed(gone))
		}
		if done = always || len(next.Kept) > 0; !done {
			return false, nil
		}
		_, err = now.Client.Patch(ctx, r.Kind, namespace, name, "", r.Patch(now.Object, next.Spec, c.Desired))
		if errors.Is(err, kube.ErrForbidden) {
			next.Kept = r.WithoutPatch(next.Kept, c)
			if !always && !slices.ContainsFunc(NotAllowed(next.Kept, allowed), Found.Protects) {
				done = false // as the plan says
				return false, nil
			}
			err = &notPermittedError{r.Kind, "verb patch", next.Kept, err}
		}
		return kube.Superseded(err), err
	})
	return done, err
}

// WithoutPatch are those of the kept fields that go if the Kubernetes API may not be used.
func (r *CustomResource[W]) WithoutPatch(kept []Found, c Change[W]) []Found {
	c.CanKeep = false
	return slices.DeleteFunc(slices.Clone(kept), func(f Found) bool { return !r.Removes(c, f.Name()) })
}

// notSeen is why an object is not seen that only the Kubernetes API can change.
func (r *CustomResource[W]) notSeen(s Seen) error {
	if s.Refused != nil {
		return &notPermittedError{kind: r.Kind, verbs: "verbs get and patch", cause: s.Refused}
	}
	return errors.New("the cluster had the object in the plan and does not have it any more. Nothing was changed. Plan again")
}

// notPermittedError is the error of an update that needs a permission to keep fields.
type notPermittedError struct {
	kind  kube.Kind
	verbs string
	kept  []Found
	cause error
}

func (e *notPermittedError) Unwrap() error { return e.cause }

func (e *notPermittedError) Error() string {
	fields := ""
	if len(e.kept) > 0 {
		fields = fmt.Sprintf(" keeps fields that the KusciaAPI does not carry (%s), and so", Listed(e.kept))
	}
	return fmt.Sprintf("the update%s goes through the Kubernetes API, where the user of the provider has no permission: %s. Nothing was changed. "+
		"Give it the %s of %s, and plan again", fields, strings.TrimRight(e.cause.Error(), "."), e.verbs, e.kind)
}

// NotAllowed are the fields that a configuration does not allow to be removed.
func NotAllowed(found []Found, names []string) []Found {
	return slices.DeleteFunc(slices.Clone(found), func(f Found) bool { return slices.Contains(names, f.Name()) })
}

// maxFields is the maximum number of fields in a message.
const maxFields = 20

// Listed lists fields for a message.
func Listed(found []Found) string {
	paths := make([]string, len(found))
	for i, f := range found {
		paths[i] = f.Path
	}
	rest := ""
	if more := len(paths) - maxFields; more > 0 {
		paths, rest = paths[:maxFields], fmt.Sprintf(" and %d more", more)
	}
	return httpapi.Text(strings.Join(paths, ", ")) + rest
}
