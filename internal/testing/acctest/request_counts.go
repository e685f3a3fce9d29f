package acctest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// Paths of the KusciaAPI, for counting requests.
const (
	PathServingCreate = "/api/v1/serving/create"
	PathServingQuery  = "/api/v1/serving/query"
	PathServingUpdate = "/api/v1/serving/update"
	PathServingDelete = "/api/v1/serving/delete"
	PathServingStatus = "/api/v1/serving/status/batchQuery"

	PathAppImageCreate = "/api/v1/appimage/create"
	PathAppImageQuery  = "/api/v1/appimage/query"
	PathAppImageUpdate = "/api/v1/appimage/update"
	PathAppImageDelete = "/api/v1/appimage/delete"
	PathAppImageBatch  = "/api/v1/appimage/batchQuery"
	PathAppImageList   = "/api/v1/appimage/list"

	PathDomainBatch = "/api/v1/domain/batchQuery"
)

var (
	writePaths = []string{
		PathServingCreate, PathServingUpdate, PathServingDelete,
		PathAppImageCreate, PathAppImageUpdate, PathAppImageDelete,
	}
	readPaths = []string{
		PathServingQuery, PathServingStatus, PathAppImageQuery, PathAppImageBatch, PathAppImageList,
		PathDomainBatch,
	}
)

// Requests counts the requests of the sandbox since a point in time. The test's
// own client is counted too: start after using it. On a real Kuscia, which does
// not count, every check passes.
type Requests struct {
	env *Env

	mu     sync.Mutex
	before map[string]int
}

// CountRequests starts counting.
func (e *Env) CountRequests() *Requests {
	r := &Requests{env: e}
	r.Start()
	return r
}

// Start restarts counting; it fits TestStep.PreConfig.
func (r *Requests) Start() {
	if r.env.Sandbox == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.before = map[string]int{}
	for _, paths := range [][]string{writePaths, readPaths} {
		for _, path := range paths {
			r.before[path] = r.env.Sandbox.Count(path)
		}
	}
}

// Since is the number of requests to a path since Start.
func (r *Requests) Since(path string) int {
	if r.env.Sandbox == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.env.Sandbox.Count(path) - r.before[path]
}

// ExpectNone fails if there was a request to one of the paths since Start.
func (r *Requests) ExpectNone(paths ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		for _, path := range paths {
			if n := r.Since(path); n != 0 {
				return fmt.Errorf("%d requests to %s, want none", n, path)
			}
		}
		return nil
	}
}

// ExpectNoWrites fails if anything was created, updated or deleted since Start.
func (r *Requests) ExpectNoWrites() resource.TestCheckFunc { return r.ExpectNone(writePaths...) }

// Expect fails unless there were exactly want requests to a path since Start.
func (r *Requests) Expect(path string, want int) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if r.env.Sandbox == nil {
			return nil
		}
		if n := r.Since(path); n != want {
			return fmt.Errorf("%d requests to %s, want %d", n, path, want)
		}
		return nil
	}
}

// CheckNoWrites checks that nothing was created, updated or deleted since counting started.
// what names what was done meanwhile.
func CheckNoWrites(tb testing.TB, what string, requests interface {
	ExpectNoWrites() resource.TestCheckFunc
}) {
	tb.Helper()
	if err := requests.ExpectNoWrites()(nil); err != nil {
		tb.Errorf("%s: %v", what, err)
	}
}
