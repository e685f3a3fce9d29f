package acctest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// KubeRequest is a request of the provider under test.
type KubeRequest struct {
	Verb        string `json:"verb"`
	Group       string `json:"group"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource"`
	Namespace   string `json:"namespace"`
	Name        string `json:"name"`
	Path        string `json:"path"`
	ContentType string `json:"contentType"`
	DryRun      bool   `json:"dryRun"`
	Status      int    `json:"status"`
}

// String describes the request in errors.
func (r KubeRequest) String() string { return fmt.Sprintf("%s %s (%d)", r.Verb, r.Path, r.Status) }

// IsWrite reports whether the request is a write.
func (r KubeRequest) IsWrite() bool {
	return !r.DryRun && slices.Contains([]string{"create", "update", "patch", "delete", "deletecollection"}, r.Verb)
}

// KubeRequests are the requests of the provider under test since a point in
// time. A real control plane does not count them: there ExpectNoWrites compares the
// objects of the test, and ExpectNone passes.
type KubeRequests struct {
	kube   *Kube
	before int
	// objects are those of the test on a real control plane.
	objects map[string]unstructured.Unstructured
}

// CountRequests starts counting.
func (k *Kube) CountRequests() *KubeRequests {
	r := &KubeRequests{kube: k}
	r.Start()
	return r
}

// Start restarts counting; it fits TestStep.PreConfig.
func (r *KubeRequests) Start() {
	r.before = len(r.all())
	if r.kube.Server == nil {
		r.objects = r.kube.written()
	}
}

// Since are the requests since Start.
func (r *KubeRequests) Since() []KubeRequest { return r.all()[r.before:] }

func (r *KubeRequests) all() []KubeRequest {
	r.kube.t.Helper()
	if r.kube.Server == nil {
		return nil
	}
	var all []KubeRequest
	if err := json.Unmarshal(r.kube.must(http.MethodGet, "requests?user="+r.kube.user, nil), &all); err != nil {
		r.kube.t.Fatalf("requests: %v", err)
	}
	return all
}

// ExpectNone fails if there was a request since Start.
func (r *KubeRequests) ExpectNone() resource.TestCheckFunc {
	return r.expect(func(KubeRequest) bool { return true })
}

// ExpectNoWrites fails if anything was created, changed or deleted since Start.
func (r *KubeRequests) ExpectNoWrites() resource.TestCheckFunc {
	if r.kube.Server == nil {
		return r.expectSameObjects
	}
	return r.expect(KubeRequest.IsWrite)
}

func (r *KubeRequests) expect(counts func(KubeRequest) bool) resource.TestCheckFunc {
	return func(*terraform.State) error {
		var found []string
		for _, request := range r.Since() {
			if counts(request) {
				found = append(found, request.String())
			}
		}
		if len(found) > 0 {
			return fmt.Errorf("%d requests, want none:\n%s", len(found), strings.Join(found, "\n"))
		}
		return nil
	}
}

// expectSameObjects fails if the provider under test has created, changed or deleted an
// object since Start. The controllers write too, so that another resource version counts
// only if the specification or what the provider has written is another.
func (r *KubeRequests) expectSameObjects(*terraform.State) error {
	var changes []string
	now := r.kube.written()
	for id, before := range r.objects {
		after, stays := now[id]
		switch {
		case !stays:
			changes = append(changes, id+" was deleted")
		case before.GetResourceVersion() != after.GetResourceVersion() && !sameWrites(&before, &after):
			changes = append(changes, fmt.Sprintf("%s has resource version %s, had %s", id, after.GetResourceVersion(), before.GetResourceVersion()))
		}
	}
	for id := range now {
		if _, had := r.objects[id]; !had {
			changes = append(changes, id+" was created")
		}
	}
	if len(changes) > 0 {
		slices.Sort(changes)
		return fmt.Errorf("%d objects changed, want none:\n%s", len(changes), strings.Join(changes, "\n"))
	}
	return nil
}

// sameWrites reports whether two versions of an object differ only in what controllers
// have written.
func sameWrites(before, after *unstructured.Unstructured) bool {
	of := func(o *unstructured.Unstructured) (writes []metav1.ManagedFieldsEntry) {
		for _, entry := range o.GetManagedFields() {
			if entry.Manager == kube.FieldManager {
				writes = append(writes, entry)
			}
		}
		return writes
	}
	return before.GetUID() == after.GetUID() && before.GetGeneration() == after.GetGeneration() && before.GetDeletionTimestamp().Equal(after.GetDeletionTimestamp()) &&
		equality.Semantic.DeepEqual(of(before), of(after))
}

// written returns the objects of this test that a provider can write.
func (k *Kube) written() map[string]unstructured.Unstructured {
	k.t.Helper()
	ctx, cancel := outOfBand()
	defer cancel()
	all := map[string]unstructured.Unstructured{}
	for _, resource := range []schema.GroupVersionResource{KubeKusciaDeployments, KubeRollouts, KubeTrafficRoutings} {
		found, err := namedIn(ctx, k.Client, resource, k.names)
		if err != nil {
			k.t.Fatal(err)
		}
		for _, object := range found {
			all[fmt.Sprintf("%s %s/%s", object.GetKind(), object.GetNamespace(), object.GetName())] = object
		}
	}
	return all
}
