package proxy

import (
	"net/http"
	"sync"

	"k8s.io/apiserver/pkg/endpoints/request"
)

// Request is one request of a client.
type Request struct {
	User        string `json:"user"`
	Verb        string `json:"verb"`
	Group       string `json:"group,omitempty"`
	Resource    string `json:"resource,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	Path        string `json:"path"`
	ContentType string `json:"contentType,omitempty"`
	DryRun      bool   `json:"dryRun,omitempty"`
	// Status is 0 while there is no response, and if the connection was closed.
	Status int `json:"status"`
}

// requests are all requests of users since the start, without those of kubetest; tests
// compare the number with an earlier one.
type requests struct {
	mu  sync.Mutex
	all []*Request
}

func (r *requests) begin(user string, req *http.Request, info *request.RequestInfo) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, &Request{
		User: user, Verb: info.Verb, Group: info.APIGroup, Resource: info.Resource, Subresource: info.Subresource,
		Namespace: info.Namespace, Name: info.Name, Path: req.URL.RequestURI(), ContentType: req.Header.Get("Content-Type"),
		DryRun: req.URL.Query().Get("dryRun") != "",
	})
	return len(r.all) - 1
}

func (r *requests) end(number, status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all[number].Status = status
}

// of lists all requests of a user; of all users for "".
func (r *requests) of(user string) []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := []Request{}
	for _, one := range r.all {
		if user == "" || one.User == user {
			list = append(list, *one)
		}
	}
	return list
}
