package server

import (
	"maps"
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// APIPrefix is the path prefix of every operation but healthZ, version and
// probe.
const APIPrefix = "/api/v1/"

// Operation is one POST endpoint.
type Operation struct {
	run func(s *Node, from Caller, contentType string, body []byte) Response
	// since is what a version of Kuscia has to have.
	since versions.Feature
	// fields are what a version needs for fields of the data, by path.
	fields map[string]versions.Feature
	// domains: the internal port offers it to domains.
	domains bool
	// of is the kind of object, nil for none.
	of *Object
	// code is the code of its failures in the store.
	code int32
	// withData: its responses have data.
	withData bool
	// lite is how a lite node handles it.
	lite liteRule
}

// Handle returns an operation with a typed handler, whose failures in the store have this
// code. It holds the lock of the control plane, and has the objects that of returns.
func Handle[O, T any](code int32, of func(*ControlPlane) *O, run func(o *O, s *Node, from Caller, request *T) Response) Operation {
	return HandleUnlocked(code, func(s *Node, from Caller, request *T) Response {
		defer s.ControlPlane.Acquire()()
		response := run(of(s.ControlPlane), s, from, request)
		if err := s.ControlPlane.failed; err != nil {
			return Refuse(code, err.Error())
		}
		return response
	})
}

// HandleUnlocked is Handle for a handler that acquires the lock itself, if it needs it.
func HandleUnlocked[T any](code int32, run func(s *Node, from Caller, request *T) Response) Operation {
	return Operation{
		code: code,
		run: func(s *Node, from Caller, contentType string, body []byte) Response {
			request := new(T)
			if err := bindRequest(contentType, body, request); err != nil {
				return unexpected(err.Error())
			}
			return run(s, from, request)
		},
	}
}

// Data declares that responses have data.
func (o Operation) Data() Operation {
	o.withData = true
	return o
}

// ForDomains declares that the internal port offers the operation to domains.
func (o Operation) ForDomains() Operation {
	o.domains = true
	return o
}

// Since sets the feature that a version of Kuscia has with the operation.
func (o Operation) Since(feature versions.Feature) Operation {
	o.since = feature
	return o
}

// Field declares that versions without a feature do not return a field of the data.
func (o Operation) Field(path string, feature versions.Feature) Operation {
	o.fields = maps.Clone(o.fields)
	if o.fields == nil {
		o.fields = map[string]versions.Feature{}
	}
	o.fields[path] = feature
	return o
}

// OnLite sets how a lite node handles the operation.
func (o Operation) OnLite(rule liteRule) Operation {
	o.lite = rule
	return o
}

// respond writes a response of the operation.
func (o Operation) respond(w http.ResponseWriter, r Response) {
	r.withData = o.withData
	r.write(w)
}

// Code is the code of failures in the store.
func (o Operation) Code() int32 { return o.code }

// operationsOf are all POST endpoints of objects by path.
func operationsOf(objects []*Object) map[string]Operation {
	all := map[string]Operation{"/healthZ": HandleUnlocked(0, health).Data().ForDomains()}
	for _, o := range objects {
		for path, op := range o.Operations {
			op.of = o
			all[APIPrefix+path] = op
		}
	}
	return all
}

// HealthRequest is the body of healthZ.
type HealthRequest struct {
	Header *kuscia.RequestHeader `json:"header"`
}

func health(_ *Node, _ Caller, _ *HealthRequest) Response {
	return Result(struct {
		Ready bool `json:"ready"`
	}{true})
}
