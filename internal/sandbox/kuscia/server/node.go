package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// Node is the KusciaAPI of one node, without faults and records.
type Node struct {
	ControlPlane *ControlPlane
	NodeOptions
	operations map[string]Operation
}

// NodeOptions configure a node.
type NodeOptions struct {
	// Autonomy is the domain of an autonomy node, "" for others.
	Autonomy string
	// Lite is the domain of a lite node, "" for others; Master its master.
	Lite   string
	Master *Node
	// Unreachable reports that this server does not respond at the moment.
	Unreachable func() bool
	// StaleConfig is the share of configuration writes that reach the node's
	// cache late: 0 means the measured share, negative none.
	StaleConfig float64
	// WriteWindow is the time between reading and writing in an update.
	WriteWindow time.Duration
}

// NewNode returns a server of a control plane.
func NewNode(w *ControlPlane, options NodeOptions) *Node {
	return &Node{ControlPlane: w, NodeOptions: options, operations: operationsOf(w.Objects)}
}

// Handler handles requests behind the token check, and those that need no
// token; with token "" there is no check.
func (s *Node) Handler(token string) http.Handler {
	var api http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.dispatch(w, r, callerOf(r.Context()))
	})
	if token != "" {
		api = requireToken(token, api)
	}
	return s.public(api)
}

func (s *Node) dispatch(w http.ResponseWriter, r *http.Request, from Caller) {
	op, ok := s.operations[r.URL.Path]
	if !ok || r.Method != http.MethodPost || !s.ControlPlane.Version.Has(op.since) {
		notFound(w)
		return
	}
	if from.Domain != "" && !op.domains {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if from.Domain == "" && s.dispatchLite(w, r, op) {
		return
	}
	body, err := readBody(r)
	if err != nil {
		op.respond(w, s.inVersion(op, unexpected(err.Error())))
		return
	}
	op.respond(w, s.inVersion(op, op.run(s, from, r.Header.Get("Content-Type"), body)))
}

// inVersion is a response as the version writes it: an old one has other codes for errors of its
// framework, and no status around them, and fewer fields.
func (s *Node) inVersion(op Operation, r Response) Response {
	for path, feature := range op.fields {
		if r.Data != nil && !s.ControlPlane.Version.Has(feature) {
			r.Data = without(r.Data, path)
		}
	}
	if r.Bare && !s.ControlPlane.Version.Has(versions.ErrorsInStatus) {
		r.Bare, r.plain = false, true
		r.Code += codesApart
	}
	return r
}

// without is data without a field, in all elements of lists.
func without(data any, path string) any {
	text, err := json.Marshal(data)
	var tree any
	if err != nil || json.Unmarshal(text, &tree) != nil {
		return data // it cannot be written either
	}
	removeField(tree, strings.Split(path, "."))
	return tree
}

func removeField(tree any, path []string) {
	switch v := tree.(type) {
	case map[string]any:
		if len(path) == 1 {
			delete(v, path[0])
			return
		}
		removeField(v[path[0]], path[1:])
	case []any:
		for _, element := range v {
			removeField(element, path)
		}
	}
}

func notFound(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte("404 page not found"))
}

// public serves what needs no token: /version and /probe.
func (s *Node) public(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			next.ServeHTTP(w, r)
			return
		}
		switch r.URL.Path {
		case "/version":
			plainText(w, s.ControlPlane.Version.String())
		case "/probe":
			plainText(w, fmt.Sprintf("ServiceName: sandbox, Host: localhost, Version: %s", s.ControlPlane.Version))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func plainText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(text))
}

// InternalHandler simulates the port that other nodes reach through the
// gateway: no token, the domain in the Kuscia-Source header, and fewer
// operations.
func (s *Node) InternalHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		source := strings.TrimSpace(r.Header.Get("Kuscia-Source"))
		if source == "" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		s.dispatch(w, r, Caller{Domain: source})
	})
}

// PauseBeforeWrite opens the window in which another writer can write. The lock
// is held before and after, not in between.
func (s *Node) PauseBeforeWrite() {
	if s.WriteWindow > 0 {
		failed := s.ControlPlane.failed
		s.ControlPlane.SleepUnlocked(s.WriteWindow)
		s.ControlPlane.failed = failed
	}
}
