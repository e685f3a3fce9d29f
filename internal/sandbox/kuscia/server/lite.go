package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
)

// MasterDomain is the domain of a master itself, which always exists.
const MasterDomain = "kuscia-system"

// liteRule is how a lite node handles an operation.
type liteRule int

const (
	// liteProxied operations are forwarded to the master, as requests of the domain.
	liteProxied liteRule = iota
	// LiteOwn operations are handled by the node.
	LiteOwn
	// LiteRefused operations are not supported.
	LiteRefused
)

// NodeDomain is the domain of this node; "" for a master.
func (s *Node) NodeDomain() string {
	if s.Lite != "" {
		return s.Lite
	}
	return s.Autonomy
}

// OwnDomain is the domain in which this server stores its own objects.
func (s *Node) OwnDomain() string {
	if domain := s.NodeDomain(); domain != "" {
		return domain
	}
	return MasterDomain
}

// dispatchLite handles requests of a lite node that are not its own, and
// reports whether it did.
func (s *Node) dispatchLite(w http.ResponseWriter, r *http.Request, op Operation) bool {
	if s.Lite == "" || op.lite == LiteOwn || op.of == nil {
		return false
	}
	if op.lite != liteProxied {
		op.respond(w, Refuse(codeLiteUnsupported, "kuscia lite api not support this interface now"))
		return true
	}
	if reason := s.masterUnreachable(); reason != "" {
		op.respond(w, Refuse(codeMasterFailed, fmt.Sprintf("Post \"http://kusciaapi.master.svc%s\": %s", r.URL.Path, reason)))
		return true
	}
	// The gateway of the node adds its domain to the request.
	forwarded := r.Clone(r.Context())
	forwarded.Header.Set("Kuscia-Source", s.Lite)
	held := httptest.NewRecorder()
	s.Master.InternalHandler().ServeHTTP(held, forwarded)
	noteCode(w, codeIn(held.Body.Bytes()))
	for name, values := range held.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(held.Code)
	_, _ = w.Write(held.Body.Bytes()) // the client may disconnect
	return true
}

func codeIn(body []byte) int32 {
	var envelope struct {
		Status struct {
			Code *int32 `json:"code"`
		} `json:"status"`
	}
	if json.Unmarshal(body, &envelope) != nil || envelope.Status.Code == nil {
		return noCode
	}
	return *envelope.Status.Code
}

// masterUnreachable is why a lite node cannot reach its master, or "".
func (s *Node) masterUnreachable() string {
	switch master := s.Master; {
	case master == nil:
		return "dial tcp: lookup kusciaapi.master.svc on 192.0.2.53:53: no such host"
	case master.Unreachable():
		return "dial tcp: connect: connection refused"
	default:
		return ""
	}
}
