package acctest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
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
// time. On a real control plane, which does not count, every check passes.
type KubeRequests struct {
	kube   *Kube
	before int
}

// CountRequests starts counting.
func (k *Kube) CountRequests() *KubeRequests {
	r := &KubeRequests{kube: k}
	r.Start()
	return r
}

// Start restarts counting; it fits TestStep.PreConfig.
func (r *KubeRequests) Start() { r.before = len(r.all()) }

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
