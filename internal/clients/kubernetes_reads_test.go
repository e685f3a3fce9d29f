package clients

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// apiServer has the given number of KusciaDeployments and counts requests.
type apiServer struct {
	deployments int
	forbidden   atomic.Bool
	lists, gets atomic.Int32
}

func (s *apiServer) object(n int) string {
	return fmt.Sprintf(`{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"KusciaDeployment","metadata":{"name":"kd-%d","namespace":"cross-domain"}}`, n)
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	if name != "kusciadeployments" {
		s.gets.Add(1)
		var n int
		if _, err := fmt.Sscanf(name, "kd-%d", &n); err != nil || n >= s.deployments {
			w.WriteHeader(http.StatusNotFound)
			_, _ = fmt.Fprintf(w, `{"kind":"Status","status":"Failure","reason":"NotFound","code":404,"details":{"name":%q}}`, name)
			return
		}
		_, _ = fmt.Fprint(w, s.object(n))
		return
	}
	s.lists.Add(1)
	if s.forbidden.Load() {
		w.WriteHeader(http.StatusForbidden)
		_, _ = fmt.Fprint(w, `{"kind":"Status","status":"Failure","reason":"Forbidden","message":"u cannot list","code":403}`)
		return
	}
	first := 0
	if token := r.URL.Query().Get("continue"); token != "" {
		_, _ = fmt.Sscanf(token, "%d", &first)
	}
	last, token := min(first+500, s.deployments), ""
	if last < s.deployments {
		token = fmt.Sprint(last)
	}
	var items []string
	for n := first; n < last; n++ {
		items = append(items, s.object(n))
	}
	_, _ = fmt.Fprintf(w, `{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"KusciaDeploymentList","metadata":{"continue":%q},"items":[%s]}`, token, strings.Join(items, ","))
}

func newAPIServer(t *testing.T, deployments int) (*apiServer, *kube.Client) {
	t.Helper()
	s := &apiServer{deployments: deployments}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	client, err := kube.New(kube.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return s, client
}

// readAll reads ten objects at a time, as Terraform does.
func readAll(t *testing.T, c *Clients, client *kube.Client, n int) {
	t.Helper()
	var wait sync.WaitGroup
	slots := make(chan struct{}, 10)
	for i := range n {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			found, err := read(t.Context(), c, client, fmt.Sprintf("kd-%d", i))
			if err != nil || found != fmt.Sprintf("kd-%d", i) {
				t.Errorf("kd-%d: %s %v", i, found, err)
			}
		})
	}
	wait.Wait()
}

func read(ctx context.Context, c *Clients, client *kube.Client, name string) (string, error) {
	object, err := c.ReadKubernetes(ctx, client, kube.KusciaDeployments, kube.CrossDomain, kube.CrossDomain, name)
	if err != nil {
		return "", err
	}
	return object.GetName(), nil
}

// TestReadsShareOneList: a thousand reads need at most five requests, a single
// read needs one, and a write is followed by a new list.
func TestReadsShareOneList(t *testing.T) {
	t.Parallel()
	s, client := newAPIServer(t, 1000)
	c := &Clients{}
	readAll(t, c, client, 1000)
	if lists, gets := s.lists.Load(), s.gets.Load(); lists+gets > 5 {
		t.Errorf("%d pages and %d single requests", lists, gets)
	}

	// An object that the list lacks is read by name before it counts as
	// deleted.
	before := s.gets.Load()
	if _, err := read(t.Context(), c, client, "kd-5000"); !errors.Is(err, apierror.ErrNotFound) || s.gets.Load() != before+1 {
		t.Errorf("%v after %d requests", err, s.gets.Load()-before)
	}

	c.ForgetKubernetes(kube.KusciaDeployments)
	lists := s.lists.Load()
	readAll(t, c, client, 20)
	if s.lists.Load() == lists {
		t.Error("after a write the old list was used")
	}

	alone, other := newAPIServer(t, 1000)
	if _, err := read(t.Context(), &Clients{}, other, "kd-7"); err != nil || alone.lists.Load() != 0 || alone.gets.Load() != 1 {
		t.Errorf("a single read: %v, %d lists", err, alone.lists.Load())
	}
}

// TestReadsWithoutList: without permission to list, every object is read by
// name, and the list is tried once.
func TestReadsWithoutList(t *testing.T) {
	t.Parallel()
	s, client := newAPIServer(t, 50)
	s.forbidden.Store(true)
	readAll(t, &Clients{}, client, 50)
	if s.lists.Load() != 1 || s.gets.Load() != 50 {
		t.Errorf("%d lists, %d single requests", s.lists.Load(), s.gets.Load())
	}
}
