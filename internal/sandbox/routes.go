package sandbox

import (
	"fmt"
	"net/http"
	"strings"
)

// apiPrefix is in front of every operation but healthZ, version and probe.
const apiPrefix = "/api/v1/"

// operation is one POST endpoint.
type operation struct {
	run func(s *Sandbox, from caller, contentType string, body []byte) answer
	// since tells whether the played version has it; nil means always.
	since func(kusciaVersion) bool
	// domains tells that the internal port offers it to domains.
	domains bool
	// of is the object that it is about, nil for none.
	of *object
	// code is that of its failures in the store.
	code int32
	// withData tells that its answers have data.
	withData bool
	// lite is what a lite node does with it.
	lite liteRule
}

// handle makes an operation of a typed handler.
func handle[T any](domains bool, since func(kusciaVersion) bool, run func(s *Sandbox, from caller, request *T) answer) operation {
	return operation{
		domains: domains,
		since:   since,
		run: func(s *Sandbox, from caller, contentType string, body []byte) answer {
			request := new(T)
			if err := bindRequest(contentType, body, request); err != nil {
				return unexpected(err.Error())
			}
			return run(s, from, request)
		},
	}
}

const (
	pathBatchStatus    = apiPrefix + "serving/status/batchQuery"
	pathBatchAppImages = apiPrefix + "appimage/batchQuery"
)

// api is the server's routing behind the token check.
func (s *Sandbox) api() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.dispatch(w, r, caller{stale: staleStatuses(r.Context()), lag: lagOf(r.Context())})
	})
}

func (s *Sandbox) dispatch(w http.ResponseWriter, r *http.Request, from caller) {
	op, ok := operations[r.URL.Path]
	if !ok || r.Method != http.MethodPost || (op.since != nil && !op.since(s.world.version)) {
		notFound(w)
		return
	}
	if from.domain != "" && !op.domains {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if from.domain == "" && s.dispatchLite(w, r, op) {
		return
	}
	body, err := readBody(r)
	if err != nil {
		unexpected(err.Error()).write(w)
		return
	}
	op.run(s, from, r.Header.Get("Content-Type"), body).write(w)
}

func notFound(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte("404 page not found"))
}

// public serves what needs no token: /version and /probe.
func (s *Sandbox) public(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			next.ServeHTTP(w, r)
			return
		}
		switch r.URL.Path {
		case "/version":
			plainText(w, s.world.version.raw)
		case "/probe":
			plainText(w, fmt.Sprintf("ServiceName: sandbox, Host: localhost, Version: %s", s.world.version.raw))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func plainText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(text))
}

// InternalHandler is the port that other nodes reach through the gateway: no
// token, the domain in the Kuscia-Source header, and fewer operations.
func (s *Sandbox) InternalHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		source := strings.TrimSpace(r.Header.Get("Kuscia-Source"))
		if source == "" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		s.dispatch(w, r, caller{domain: source})
	})
}

func (s *Sandbox) health(_ caller, _ *HealthRequest) answer {
	return result(struct {
		Ready bool `json:"ready"`
	}{true})
}
