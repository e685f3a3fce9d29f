package sandbox

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// Sandbox is a running server.
type Sandbox struct {
	*kuscia.Store
	*faultList
	*recorder
	node     *server.Node
	options  Options
	token    string
	certsDir string
	// removeCerts is set if certsDir is temporary and removed by Close.
	removeCerts bool
	handler     http.Handler
	secure      *tls.Config // nil for NOTLS
	address     string
	// serving guards server and listener; server is nil while paused.
	serving  sync.Mutex
	server   *http.Server
	listener net.Listener
	served   sync.WaitGroup
	// stopped is closed by Close to end responses that hang because of a fault.
	stopped   chan struct{}
	closeOnce sync.Once
	closeErr  error
}

// Start starts a sandbox. The caller closes it; it also closes when ctx ends.
func Start(ctx context.Context, options Options) (*Sandbox, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("starting the sandbox: %w", err)
	}
	version := versions.Parse(options.Version)
	if err := checkVersion(version); err != nil {
		return nil, fmt.Errorf("starting the sandbox: %w", err)
	}
	if options.Master == nil {
		return startOn(ctx, options, server.NewControlPlane(engine.New(options.FrozenClock, options.Seed), server.ControlPlaneOptions{
			Timing: options.Timing, Version: version, Autonomy: options.Autonomy, Domains: options.Domains,
			AdoptLeftovers: options.AdoptLeftovers, Objects: kuscia.Objects,
		}))
	}
	s, err := startOn(ctx, options, options.Master.node.ControlPlane)
	if err != nil {
		return nil, err
	}
	if err := s.StartNode(options.Lite); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the sandbox: %w", err), s.Close())
	}
	return s, nil
}

// checkVersion refuses versions without servings.
func checkVersion(version versions.Version) error {
	switch {
	case !version.Known():
		return fmt.Errorf("version %q does not look like %s", version, DefaultVersion)
	case !version.Has(versions.Servings):
		return fmt.Errorf("version %q has no servings, which need Kuscia %s", version, versions.Servings.Needs())
	}
	return nil
}

// startOn starts a server for a control plane, which several servers can share.
func startOn(ctx context.Context, options Options, w *server.ControlPlane) (*Sandbox, error) {
	s := &Sandbox{options: options, stopped: make(chan struct{})}
	s.node = server.NewNode(w, server.NodeOptions{
		Autonomy: options.Autonomy, Lite: options.Lite, Master: options.Master.simulatedNode(), Unreachable: s.paused,
		StaleConfig: options.StaleConfig, WriteWindow: options.WriteWindow,
	})
	s.Store = kuscia.NewStore(s.node)
	s.faultList = faults.NewList(faultAPI{s.node}, w.Seed)
	s.recorder = faults.NewRecorder(options.RecordLimit)
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the sandbox: %w", err), s.removeOwnCerts())
	}
	return s, nil
}

func (s *Sandbox) start(ctx context.Context) error {
	if err := s.loadState(); err != nil {
		return err
	}
	if err := s.prepareCerts(); err != nil {
		return err
	}
	if s.options.Lite == "" {
		s.node.ControlPlane.Started(s.certsDir)
	}
	if s.options.API != nil {
		if err := s.UseAPI(s.options.API); err != nil {
			return err
		}
	}
	s.handler = s.routes()
	tlsConfig, err := s.tlsConfig()
	if err != nil {
		return err
	}
	listener, err := listenLoopback(ctx, s.options.Listen)
	if err != nil {
		return err
	}
	s.address, s.secure = listener.Addr().String(), tlsConfig
	s.serve(listener)
	s.served.Go(s.keepSaving)
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return nil
}

// serve starts a server for a listener; it ends when the server is closed.
func (s *Sandbox) serve(listener net.Listener) {
	server := &http.Server{
		Handler:     s.handler,
		TLSConfig:   s.secure,
		ReadTimeout: 20 * time.Second, // as the real server
		IdleTimeout: 300 * time.Second,
		ErrorLog:    log.New(io.Discard, "", 0), // clients that disconnect are expected here
	}
	s.server, s.listener = server, listener
	s.served.Go(func() {
		if server.TLSConfig != nil {
			_ = server.ServeTLS(listener, "", "") // always ends with an error
			return
		}
		_ = server.Serve(listener)
	})
}

// Pause drops all connections and refuses new ones until Resume, like a server
// that restarts. The objects are kept.
func (s *Sandbox) Pause() error {
	s.serving.Lock()
	defer s.serving.Unlock()
	if s.server == nil {
		return nil
	}
	server := s.server
	s.server = nil
	// Close the listener here too: the server does not know it before it has
	// started to serve.
	if err := s.listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("closing the listener: %w", err)
	}
	if err := server.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("closing the server: %w", err)
	}
	return nil
}

// Resume listens again on the same address.
func (s *Sandbox) Resume(ctx context.Context) error {
	s.serving.Lock()
	defer s.serving.Unlock()
	if s.server != nil || s.closed() {
		return nil
	}
	listener, err := listenLoopback(ctx, s.address)
	if err != nil {
		return err
	}
	s.serve(listener)
	return nil
}

func (s *Sandbox) paused() bool {
	s.serving.Lock()
	defer s.serving.Unlock()
	return s.server == nil
}

func (s *Sandbox) closed() bool {
	select {
	case <-s.stopped:
		return true
	default:
		return false
	}
}

// routes are all handlers: the admin endpoints, and the API behind records,
// faults and the token check.
func (s *Sandbox) routes() http.Handler {
	token := s.token
	if s.options.Protocol == ProtocolNOTLS {
		token = ""
	}
	recorded := faults.Handler(s.faultList, s.recorder, s.stopped, s.node.Handler(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isAdminPath(r.URL.Path) {
			s.admin(w, r)
			return
		}
		// Without a token a web page in a browser here could send requests: as text/plain, from its own
		// origin, or by a name of its own for this address.
		if token == "" && fromLoopback(r) && !fromThisMachine(r) {
			http.Error(w, "without TLS the sandbox only answers to this machine", http.StatusForbidden)
			return
		}
		recorded.ServeHTTP(w, r)
	})
}

// listenLoopback refuses every address that other machines could reach: the
// sandbox has no real access control.
func listenLoopback(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listen address %q: %w", address, err)
	}
	if !isLoopback(host) {
		return nil, fmt.Errorf("listen address %q is not on loopback; the sandbox only serves this machine", address)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	return listener, nil
}

// Endpoint is the URL for the provider's endpoint attribute.
func (s *Sandbox) Endpoint() string {
	scheme := "https"
	if s.options.Protocol == ProtocolNOTLS {
		scheme = "http"
	}
	return scheme + "://" + s.address
}

// CertsDir is the folder with the token and the certificates.
func (s *Sandbox) CertsDir() string { return s.certsDir }

// Token is the API token; a NOTLS server does not check it.
func (s *Sandbox) Token() string { return s.token }

// InternalHandler simulates the port that other nodes reach through the
// gateway: no token, the domain in the Kuscia-Source header, and fewer
// operations.
func (s *Sandbox) InternalHandler() http.Handler { return s.node.InternalHandler() }

// Lite is the domain of a lite node, "" for a master or an autonomy node.
func (s *Sandbox) Lite() string { return s.options.Lite }

// Advance advances the sandbox's clock and runs the events that are due.
func (s *Sandbox) Advance(d time.Duration) { s.node.ControlPlane.Advance(d) }

// simulatedNode is the node of a sandbox, nil for nil.
func (s *Sandbox) simulatedNode() *server.Node {
	if s == nil {
		return nil
	}
	return s.node
}

// Handler is the whole server without its listener and TLS.
func (s *Sandbox) Handler() http.Handler { return s.handler }

// Close stops the server, drops open connections, writes the state file if
// configured and removes the certificates if the folder was temporary.
func (s *Sandbox) Close() error {
	s.closeOnce.Do(func() {
		close(s.stopped)
		if s.options.Lite == "" {
			s.node.ControlPlane.Close()
		} else {
			s.StopNode(s.options.Lite)
		}
		err := s.Pause()
		s.served.Wait()
		s.closeErr = errors.Join(err, s.saveState(), s.removeOwnCerts())
	})
	return s.closeErr
}

func (s *Sandbox) removeOwnCerts() error {
	if !s.removeCerts {
		return nil
	}
	if err := os.RemoveAll(s.certsDir); err != nil {
		return fmt.Errorf("removing the certificates: %w", err)
	}
	return nil
}

func (s *Sandbox) tlsConfig() (*tls.Config, error) {
	if s.options.Protocol == ProtocolNOTLS {
		return nil, nil
	}
	return serverTLS(s.certsDir, s.options.Protocol == ProtocolMTLS)
}
