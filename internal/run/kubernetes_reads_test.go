package run

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
)

// listedObjects is a cluster with 100 KusciaDeployments, which may not be listed if forbidden. It counts requests.
type listedObjects struct {
	forbidden   bool
	lists, gets atomic.Int32
}

func (s *listedObjects) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	object := func(name string) string {
		return fmt.Sprintf(`{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"KusciaDeployment","metadata":{"name":%q,"namespace":"cross-domain"}}`, name)
	}
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	failure := func(code int, reason string) {
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, `{"kind":"Status","status":"Failure","reason":%q,"message":"no","code":%d,"details":{"name":%q}}`, reason, code, name)
	}
	switch {
	case name == "kusciadeployments" && s.forbidden:
		s.lists.Add(1)
		failure(http.StatusForbidden, "Forbidden")
	case name == "kusciadeployments":
		s.lists.Add(1)
		var items []string
		for n := range 100 {
			items = append(items, object(fmt.Sprint("kd-", n)))
		}
		_, _ = fmt.Fprintf(w, `{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"KusciaDeploymentList","metadata":{},"items":[%s]}`, strings.Join(items, ","))
	case len(name) > len("kd-00"):
		s.gets.Add(1)
		failure(http.StatusNotFound, "NotFound")
	default:
		s.gets.Add(1)
		_, _ = fmt.Fprint(w, object(name))
	}
}

// TestReadsShareAList: many reads share few lists, and a write is followed by another one; a
// single read takes one request. An object that the list lacks is read by its name before it counts
// as deleted. Without the permission to list, that is tried once.
func TestReadsShareAList(t *testing.T) {
	t.Parallel()
	for _, forbidden := range []bool{false, true} {
		s := &listedObjects{forbidden: forbidden}
		client := fakecluster.Client(t, s)
		c := &Run{}
		read := func(name string, want error) {
			if object, err := c.ReadKubernetes(t.Context(), client, kube.KusciaDeployments, kube.CrossDomain, kube.CrossDomain, name); !errors.Is(err, want) || err == nil && object.GetName() != name {
				t.Errorf("%s: %v", name, err)
			}
		}
		readAll := func() { // ten at a time, as Terraform does
			var all sync.WaitGroup
			for first := range 10 {
				all.Go(func() {
					for n := range 10 {
						read(fmt.Sprint("kd-", 10*first+n), nil)
					}
				})
			}
			all.Wait()
		}
		expect := func(when string, lists, gets int32) {
			t.Helper()
			if s.lists.Load() > lists || s.gets.Load() > gets {
				t.Errorf("forbidden %t, %s: %d lists, %d single requests", forbidden, when, s.lists.Load(), s.gets.Load())
			}
			s.lists.Store(0)
			s.gets.Store(0)
		}
		read("kd-7", nil)
		expect("alone", 0, 1)
		readAll()
		if forbidden {
			expect("all", 1, 100)
			continue
		}
		expect("all", 2, 3)
		read("kd-5000", apierror.ErrNotFound)
		expect("missing", 0, 1)
		c.ForgetKubernetes(kube.KusciaDeployments)
		readAll()
		if s.lists.Load() == 0 {
			t.Error("after a write the old list was used")
		}
		s.gets.Store(0)
		for range 2 { // many deployments have the same app image
			if _, err := c.LookupKubernetes(t.Context(), client, kube.KusciaDeployments, kube.CrossDomain, "kd-5000"); !errors.Is(err, apierror.ErrNotFound) {
				t.Error(err)
			}
		}
		expect("lookups", 100, 1)
	}
}
