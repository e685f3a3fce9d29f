// Package proxy is a proxy in front of the API server for tests: it authenticates and
// authorizes users, injects the faults that a test sets, records the requests, and
// translates between Kubernetes' built-in kinds and the custom resources that replace
// them. The API server behind it responds to all other requests.
package proxy

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/rest"
)

// AdminPath is the prefix of the paths for the tests' own requests (admin.go).
const AdminPath = "/kubetest/"

// Proxy is the proxy, which listens on a loopback address.
type Proxy struct {
	certificates *certificates
	users        users
	requests     requests
	faults       faults
	info         *request.RequestInfoFactory
	forward      http.Handler
	controllers  *rest.Config
	definitions  []*apiextensions.CustomResourceDefinition
	admin        *http.ServeMux
	listener     net.Listener
	server       *http.Server
}

// Listen opens the listener and creates the certificates, so that both are
// known before the API server starts.
func Listen() (*Proxy, error) {
	made, err := makeCertificates()
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	f := &Proxy{
		certificates: made,
		listener:     listener,
		admin:        http.NewServeMux(),
		info: &request.RequestInfoFactory{
			APIPrefixes:          sets.NewString("api", "apis"),
			GrouplessAPIPrefixes: sets.NewString("api"),
		},
	}
	f.users.add(adminUser)
	f.users.add(uncountedUser)
	f.adminRoutes()
	return f, nil
}

// Serve forwards requests to the API server until Close. The definitions are
// the kinds for discovery.
func (f *Proxy) Serve(behind *rest.Config, definitions []*apiextensions.CustomResourceDefinition) error {
	f.definitions = definitions
	transport, err := rest.TransportFor(behind)
	if err != nil {
		return err
	}
	f.controllers = &rest.Config{Host: behind.Host, Transport: translator{transport}, QPS: -1}
	target, err := url.Parse(behind.Host)
	if err != nil {
		return err
	}
	f.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Del("Authorization")
			translateRequest(r.Out)
		},
		ModifyResponse: translateResponse,
		Transport:      transport,
		FlushInterval:  -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			if !errors.Is(err, context.Canceled) {
				http.Error(w, err.Error(), http.StatusBadGateway)
			}
		},
	}
	f.server = &http.Server{
		Handler:           http.HandlerFunc(f.serve),
		ReadHeaderTimeout: time.Minute,
		TLSConfig: &tls.Config{
			MinVersion:   tls.VersionTLS12,
			Certificates: []tls.Certificate{f.certificates.server},
			ClientCAs:    f.certificates.pool,
			ClientAuth:   tls.VerifyClientCertIfGiven,
			NextProtos:   []string{"h2", "http/1.1"},
		},
		ErrorLog: discard,
	}
	go func() { _ = f.server.ServeTLS(f.listener, "", "") }()
	return nil
}

// Handle serves a path outside of the Kubernetes API, for components that have
// an address of their own in a cluster, such as a webhook.
func (f *Proxy) Handle(pattern string, handler http.Handler) { f.admin.Handle(pattern, handler) }

// URL returns the address of the API.
func (f *Proxy) URL() string { return "https://" + f.listener.Addr().String() }

// CA returns the CA certificate of this server, as PEM.
func (f *Proxy) CA() []byte { return f.certificates.ca }

// Config returns the configuration of a client whose requests are not counted, and to
// which no faults apply.
func (f *Proxy) Config(name string) *rest.Config {
	return &rest.Config{
		Host: f.URL(), BearerToken: f.users.token(uncountedUser), UserAgent: name, QPS: -1,
		TLSClientConfig: rest.TLSClientConfig{CAData: f.certificates.ca},
	}
}

// Close stops the server and closes its connections.
func (f *Proxy) Close() error {
	if f.server == nil {
		return f.listener.Close()
	}
	return f.server.Close()
}

func (f *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	if !isAPI(r.URL.Path) {
		f.admin.ServeHTTP(w, r)
		return
	}
	user, known := f.users.of(r)
	info, err := f.info.NewRequestInfo(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if known && user.name == uncountedUser {
		if !f.groups(w, r) {
			f.forward.ServeHTTP(w, r)
		}
		return
	}
	recorder := &statusRecorder{ResponseWriter: w}
	if known && user.name != adminUser {
		number := f.requests.begin(user.name, r, info)
		defer func() { f.requests.end(number, recorder.status) }()
	}
	switch {
	case !known:
		writeStatus(recorder, unauthorized())
	case !user.may(info):
		writeStatus(recorder, forbidden(user.name, info))
	case f.groups(recorder, r):
	default:
		f.respond(recorder, r, user.name, info)
	}
}

// respond forwards a request to the API server, unless a fault applies.
func (f *Proxy) respond(w *statusRecorder, r *http.Request, user string, info *request.RequestInfo) {
	due := f.faults.take(user, info)
	if due == nil {
		f.forward.ServeHTTP(w, r)
		return
	}
	select {
	case <-time.After(due.delay()):
	case <-r.Context().Done():
		return
	}
	switch {
	case due.Cut == CutBefore:
		panic(http.ErrAbortHandler)
	case due.Cut == CutAfter:
		f.forward.ServeHTTP(&discardResponse{header: http.Header{}}, r)
		panic(http.ErrAbortHandler)
	case due.Status != 0:
		writeStatus(w, due.status(info))
	case due.Body != nil:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(due.Body)
	default:
		f.forward.ServeHTTP(w, r)
	}
}
