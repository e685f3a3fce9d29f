// Package kubetest runs a Kubernetes API for tests: a real API server for
// custom resources with the definitions of Kuscia and OpenKruise Rollouts, and
// small controllers that simulate Kubernetes, Kuscia and Kruise. The tests of
// this module compare them with recordings of the real ones.
//
// Limitations: pods run nothing, but SecretFlow-Serving says whether it would start
// (package agent of the sandbox), which was not recorded. A Deployment's generation does not count
// changes of its annotations. Kuscia has no partner domains.
// Kruise routes no traffic: a release with trafficRoutings stays at its
// beginning, TrafficRoutings have their finalizers and never become healthy,
// and Rollouts of kinds other than Deployment are never released. A Rollout with blueGreen can be
// read as v1alpha1, without its strategy, where the real conversion fails.
// Kruise's webhook responds to v1alpha1 with the messages for v1beta1.
//
// It is a separate module so that the provider does not depend on the modules
// of an API server.
package kubetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/rest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/apiserver"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/crds"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/proxy"
)

// Options configure the server.
type Options struct {
	// TimeFactor is the factor of all durations: with 1 the controllers are as
	// slow as the real ones.
	TimeFactor float64
	// Start is the time until a pod is ready; 0 is a second times the factor.
	Start time.Duration
	// Domains are created at the start.
	Domains []string
	// FeatureGates are the feature gates of Kruise's manager that differ from those of
	// its manifests.
	FeatureGates map[string]bool
	// Version is the version of Kuscia; the zero value is the newest.
	Version versions.Version
}

// Server is a running Kubernetes API.
type Server struct {
	proxy *proxy.Proxy
	api   *apiserver.Server
	clock *controller.Clock
	loops map[string][]*controller.Loop

	webhook    *kruise.Webhook
	gates      kruise.Gates
	kubernetes *kubernetes.Controller
	kuscia     *kuscia.Controller

	stop    context.CancelFunc
	running sync.WaitGroup
	failed  chan error
}

// Start starts the server and its controllers, and waits until the API
// responds.
func Start(ctx context.Context, options Options) (*Server, error) {
	gates, err := kruise.NewGates(options.FeatureGates)
	if err != nil {
		return nil, err
	}
	s := &Server{
		clock: controller.NewClock(options.TimeFactor), loops: map[string][]*controller.Loop{},
		webhook: &kruise.Webhook{}, gates: gates, failed: make(chan error, 8),
	}
	if err := s.start(ctx, options); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, options Options) error {
	var err error
	if s.proxy, err = proxy.Listen(); err != nil {
		return err
	}
	builtin := kubernetes.NewAdmission()
	if s.api, err = apiserver.Start(ctx, admission.NewChainHandler(builtin, s.webhook)); err != nil {
		return err
	}
	definitions := crds.All(options.Version, crds.Conversion{URL: s.proxy.URL() + "/convert", CABundle: s.proxy.CA()})
	if err := s.proxy.Serve(s.api.Config, definitions); err != nil {
		return err
	}
	if err := install(ctx, s.api.Config, definitions); err != nil {
		return fmt.Errorf("installing definitions: %w", err)
	}
	if err := prepare(ctx, s.proxy.ControllersConfig(kubernetes.Manager), options); err != nil {
		return fmt.Errorf("making namespaces and domains: %w", err)
	}
	s.proxy.Handle("/convert", s.webhook)
	s.adminRoutes()
	return s.startControllers(ctx, options)
}

// runnable is a controller.
type runnable interface {
	Run(ctx context.Context) error
}

func (s *Server) startControllers(ctx context.Context, options Options) error {
	var running context.Context
	running, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	caches, err := controller.NewCaches(s.proxy.ControllersConfig("caches"))
	if err != nil {
		return err
	}
	builtin, err := kubernetes.NewController(s.proxy.ControllersConfig(kubernetes.Manager), caches, s.clock, options.Start, options.Version)
	if err != nil {
		return err
	}
	s.kubernetes = builtin
	builtin.SetAdvanced(s.gates[kruise.GateAdvancedDeployment])
	s.run(running, builtin, builtin.Loop)
	kusciaController, err := kuscia.NewController(s.proxy.ControllersConfig(kuscia.Manager), caches, s.clock, options.Version)
	if err != nil {
		return err
	}
	s.kuscia = kusciaController
	s.run(running, kusciaController, kusciaController.Loop, kusciaController.Domains, kusciaController.Routes)
	kruiseController, err := kruise.NewController(s.proxy.ControllersConfig(kruise.Manager), caches, s.clock, s.webhook, s.gates)
	if err != nil {
		return err
	}
	s.run(running, kruiseController, kruiseController.Loop, kruiseController.Batches.Loop, kruiseController.Routings.Loop)
	return nil
}

func (s *Server) run(ctx context.Context, p runnable, loops ...*controller.Loop) {
	name := loops[0].Name
	s.loops[name] = loops
	s.running.Go(func() {
		if err := p.Run(ctx); err != nil && ctx.Err() == nil {
			s.failed <- fmt.Errorf("controller %s: %w", name, err)
		}
	})
}

// HasAppImage reports whether Kuscia's controller has noticed an app image. A
// KusciaDeployment created earlier fails permanently.
func (s *Server) HasAppImage(name string) bool { return s.kuscia.HasAppImage(name) }

// SetTimeFactor sets Options.TimeFactor for everything that begins from now on.
func (s *Server) SetTimeFactor(factor float64) { s.clock.Set(factor) }

// Kubeconfig is the kubeconfig of a user with all permissions.
func (s *Server) Kubeconfig() ([]byte, error) { return s.proxy.Kubeconfig() }

// Config is the configuration of a client whose requests are not counted.
func (s *Server) Config(name string) *rest.Config { return s.proxy.Config(name) }

// Failed reports a controller that has stopped unexpectedly.
func (s *Server) Failed() <-chan error { return s.failed }

// Close stops everything and deletes all data.
func (s *Server) Close() error {
	if s.stop != nil {
		s.stop()
		s.running.Wait()
	}
	var err error
	if s.proxy != nil {
		err = s.proxy.Close()
	}
	if s.api != nil {
		err = errors.Join(err, s.api.Close())
	}
	return err
}
