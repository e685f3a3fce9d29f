package ief

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
)

// Server is a running server.
type Server struct {
	// List has the injected faults.
	*faults.List

	options  Options
	server   *http.Server
	endpoint string
	served   sync.WaitGroup

	mu          sync.Mutex
	deployments []*deployment
	created     int
	// definitionsHeld is set by PauseUpdates.
	definitionsHeld bool

	requests []Request

	// faulty passes requests to respond, unless a fault applies. stopped ends
	// responses that hang.
	faulty  http.Handler
	stopped chan struct{}
}

// Request is a received request.
type Request struct {
	Method, Path string
	Query        url.Values
	// Header has the headers of the request.
	Header http.Header
	Body   string
}

// Start starts a server. The caller closes it.
func Start(ctx context.Context, options Options) (*Server, error) {
	options = options.withDefaults()
	host, _, err := net.SplitHostPort(options.Listen)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("the address %q is not on loopback", options.Listen)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", options.Listen)
	if err != nil {
		return nil, fmt.Errorf("starting the IEF sandbox: %w", err)
	}
	s := &Server{List: faults.NewList(faultAPI{}, 0), options: options, endpoint: "http://" + listener.Addr().String(), stopped: make(chan struct{})}
	s.faulty = faults.Handler(s.List, faults.NewRecorder(-1), s.stopped, http.HandlerFunc(s.respond))
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 20 * time.Second}
	s.served.Go(func() { _ = s.server.Serve(listener) }) // always ends with an error
	return s, nil
}

// Close stops the server.
func (s *Server) Close() error {
	close(s.stopped)
	err := s.server.Close()
	s.served.Wait()
	if err != nil {
		return fmt.Errorf("stopping the IEF sandbox: %w", err)
	}
	return nil
}

// Endpoint is the address of the server.
func (s *Server) Endpoint() string { return s.endpoint }

// Options are the options of the server, including defaults.
func (s *Server) Options() Options { return s.options }

// Environment are the environment variables of a provider that uses the server.
func (s *Server) Environment() map[string]string {
	o := s.options
	return map[string]string{
		"KUSCIA_IEF_ENDPOINT": s.endpoint, "KUSCIA_IEF_PROJECT_ID": o.ProjectID,
		"HW_ACCESS_KEY": o.AccessKey, "HW_SECRET_KEY": o.SecretKey, "HW_SECURITY_TOKEN": o.SecurityToken,
	}
}

// Requests are the requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// failure is an error response.
type failure struct {
	status     int
	code, text string
}

func refuse(code, format string, args ...any) *failure {
	return &failure{http.StatusBadRequest, code, fmt.Sprintf(format, args...)}
}

// The codes are those of the documents; errors without a documented code use
// the one for a resource's name.
const (
	codeNoAPI   = "IEF.011002"
	codeAuth    = "IEF.011005"
	codeProject = "IEF.100001"
	codeOffset  = "IEF.100004"
	codeLimit   = "IEF.100005"
	codeVolume  = "IEF.100009"
	codeVersion = "IEF.100010"
	codeName    = "IEF.100012"
	codeEnv     = "IEF.100013"
)

// ServeHTTP records a request and handles it, unless a fault applies.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 12<<20+1))
	if err != nil {
		return
	}
	s.note(r, body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.faulty.ServeHTTP(w, r)
}

// respond handles a request.
func (s *Server) respond(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	status, response := s.handle(r, body)
	encoded := []byte{}
	if response != nil {
		encoded, _ = json.Marshal(response) // maps and texts cannot fail
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Request-Id", fmt.Sprintf("%032x", len(s.Requests())))
	w.WriteHeader(status)
	_, _ = w.Write(encoded)
}

func (s *Server) note(r *http.Request, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Header: r.Header.Clone(), Body: string(body)})
}

func (s *Server) handle(r *http.Request, body []byte) (int, any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	status, response, failed := s.route(r, body)
	if failed != nil {
		return failed.status, object{"error_code": failed.code, "error_msg": failed.text}
	}
	return status, response
}

func (s *Server) route(r *http.Request, body []byte) (int, any, *failure) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if len(parts) < 4 || parts[2] != "edgemgr" || parts[0] != "v2" && parts[0] != "v3" {
		return 0, nil, &failure{http.StatusNotFound, codeNoAPI, "The API is not registered."}
	}
	if failed := s.authorize(r, body); failed != nil {
		return 0, nil, failed
	}
	if parts[1] != s.options.ProjectID && !slices.Contains(s.options.OtherProjectIDs, parts[1]) {
		return 0, nil, refuse(codeProject, "PROJECT_ID not found")
	}
	instance := r.Header.Get(api.HeaderInstance)
	if instance != "" && !slices.Contains(s.options.InstanceIDs, instance) {
		return 0, nil, refuse(codeAuth, "Authentication failed.")
	}
	scope := scope{version: parts[0], project: parts[1], instance: instance}
	s.sweep()
	switch {
	case parts[3] == "pods" && len(parts) == 4 && scope.version == "v3" && r.Method == http.MethodGet:
		return s.listPods(scope, r.URL.Query())
	case parts[3] != "deployments" || len(parts) > 5:
	case len(parts) == 4 && r.Method == http.MethodPost:
		return s.create(scope, body)
	case len(parts) == 4 && r.Method == http.MethodGet:
		return s.list(scope, r.URL.Query())
	case len(parts) == 5:
		return s.one(scope, parts[4], r, body)
	}
	return 0, nil, &failure{http.StatusNotFound, codeNoAPI, "The API is not registered."}
}

func (s *Server) one(scope scope, id string, r *http.Request, body []byte) (int, any, *failure) {
	d := s.find(scope, id)
	if d == nil {
		return 0, nil, &failure{http.StatusNotFound, codeName, "The deployment is not found."}
	}
	switch r.Method {
	case http.MethodGet:
		return http.StatusOK, s.show(d), nil
	case http.MethodPut:
		return s.update(d, body)
	case http.MethodDelete:
		return s.remove(d, r.URL.Query().Get("force_delete") == "true")
	}
	return 0, nil, &failure{http.StatusNotFound, codeNoAPI, "The API is not registered."}
}

// maxSkew is the maximum difference between the date of a signature and the
// clock.
const maxSkew = 15 * time.Minute

func (s *Server) authorize(r *http.Request, body []byte) *failure {
	if err := s.checkCredentials(r, body); err != nil {
		return refuse(codeAuth, "Authentication failed. %s", err)
	}
	return nil
}

func (s *Server) checkCredentials(r *http.Request, body []byte) error {
	if token := r.Header.Get("X-Auth-Token"); token != "" {
		if token != s.options.Token {
			return errors.New("the token is not valid")
		}
		return nil
	}
	if api.AccessKeyOf(r) != s.options.AccessKey {
		return errors.New("the access key is not known")
	}
	if r.Header.Get("X-Security-Token") != s.options.SecurityToken {
		return errors.New("the security token is not that of the access key")
	}
	date, err := time.Parse("20060102T150405Z", r.Header.Get("X-Sdk-Date"))
	if err != nil || time.Since(date).Abs() > maxSkew {
		return errors.New("the date of the signature is not now")
	}
	if err := api.VerifySignature(r, body, s.options.SecretKey); err != nil {
		return fmt.Errorf("refused: %w", err)
	}
	return nil
}

// object is a JSON object.
type object = map[string]any

func decode(body []byte) (object, *failure) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var out object
	if err := decoder.Decode(&out); err != nil {
		return nil, refuse(codeName, "The request body is no JSON object.")
	}
	return out, nil
}
