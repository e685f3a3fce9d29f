package proxy

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// When a connection is closed.
const (
	CutBefore = "before" // before the request takes effect
	CutAfter  = "after"  // after the request took effect; the response is lost
)

// Fault is a fault for the next matching requests. An empty field matches every
// request.
type Fault struct {
	User     string `json:"user,omitempty"`
	Verb     string `json:"verb,omitempty"`     // get, list, create, update, patch, delete, watch
	Resource string `json:"resource,omitempty"` // deployments, rollouts, ...
	Name     string `json:"name,omitempty"`

	Times   int             `json:"times"`             // how many requests; 0 is 1, -1 all
	Delay   metav1.Duration `json:"delay,omitempty"`   // before anything else
	Cut     string          `json:"cut,omitempty"`     // CutBefore or CutAfter
	Status  int             `json:"status,omitempty"`  // an HTTP status in place of the response
	Message string          `json:"message,omitempty"` // with the status
	Body    json.RawMessage `json:"body,omitempty"`    // the whole response, as one from a cache
}

type faults struct {
	mu  sync.Mutex
	all []*Fault
}

func (f *faults) add(fault *Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fault.Times == 0 {
		fault.Times = 1
	}
	f.all = append(f.all, fault)
}

// clear removes the faults of a user, or all.
func (f *faults) clear(user string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := f.all[:0]
	for _, fault := range f.all {
		if user != "" && fault.User != user {
			kept = append(kept, fault)
		}
	}
	f.all = kept
}

// take consumes the first matching fault.
func (f *faults) take(user string, info *request.RequestInfo) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, fault := range f.all {
		if !fault.fits(user, info) {
			continue
		}
		if fault.Times--; fault.Times == 0 {
			f.all = append(f.all[:i], f.all[i+1:]...)
		}
		return fault
	}
	return nil
}

func (f *Fault) fits(user string, info *request.RequestInfo) bool {
	same := func(desired, is string) bool { return desired == "" || desired == is }
	return same(f.User, user) && same(f.Verb, info.Verb) && same(f.Resource, info.Resource) && same(f.Name, info.Name)
}

func (f *Fault) delay() time.Duration { return f.Delay.Duration }

func (f *Fault) status(info *request.RequestInfo) *apierrors.StatusError {
	message := f.Message
	if message == "" {
		message = http.StatusText(f.Status)
	}
	made := apierrors.NewGenericServerResponse(f.Status, info.Verb, schema.GroupResource{Group: info.APIGroup, Resource: info.Resource}, info.Name, message, 0, true)
	if f.Message != "" {
		made.ErrStatus.Message = message
	}
	return made
}
