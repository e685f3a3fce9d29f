package fakecluster

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// Rollouts serves a Rollout "ro" of the Deployment "d", and counts requests.
type Rollouts struct {
	Discoveries, Lists atomic.Int32
	// Discovery and List are the HTTP statuses of the responses; 0 is 200.
	Discovery, List atomic.Int32
	// Items are the listed Rollouts; Rollout and Deployment are what is read, "" for none.
	Items, Rollout, Deployment string
	// Held delays every response until it is closed.
	Held chan struct{}
}

// ServeHTTP serves what the fields say.
func (s *Rollouts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if s.Held != nil {
		<-s.Held
	}
	var status int32
	var body string
	switch {
	case strings.HasSuffix(r.URL.Path, "/rollouts/ro"):
		body = s.Rollout
	case strings.HasSuffix(r.URL.Path, "/deployments/d"):
		body = s.Deployment
	case strings.HasSuffix(r.URL.Path, "/rollouts"):
		s.Lists.Add(1)
		status, body = s.List.Load(), `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"RolloutList","items":[`+s.Items+`]}`
	default:
		s.Discoveries.Add(1)
		status, body = s.Discovery.Load(), `{"kind":"APIResourceList","groupVersion":"rollouts.kruise.io/v1beta1","resources":[{"name":"rollouts","kind":"Rollout","namespaced":true}]}`
	}
	if body == "" {
		status = http.StatusNotFound
	}
	if status != 0 {
		w.WriteHeader(int(status))
		body = fmt.Sprintf(`{"kind":"Status","status":"Failure","message":"refused","code":%d}`, status)
	}
	_, _ = fmt.Fprint(w, body)
}

// RolloutOf is a Rollout, with more in its metadata, and before its status, its spec and its strategy.
func RolloutOf(name, metadata, spec, style, status string) string {
	return fmt.Sprintf(`{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"Rollout","metadata":{"namespace":"a","name":%q%s},`+
		`"spec":{%s"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"},"strategy":{%s}},"status":{%s}}`, name, metadata, spec, style, status)
}
