// Package apiserver runs a Kubernetes API server for custom resources in this
// process, over an embedded etcd, both on loopback: storage, validation by
// schemas, conflicts, server-side apply and watches are Kubernetes' own.
package apiserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	extensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/admission"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// readyTimeout bounds the start; it takes about a second.
const readyTimeout = time.Minute

// Server is a running API server with its etcd.
type Server struct {
	// Config is for a client with every right.
	Config *rest.Config

	stop  context.CancelFunc
	done  chan struct{}
	ended error // why, once done is closed
	etcd  *embed.Etcd
	dir   string
}

// Start starts etcd and the API server and waits until it is ready. Each write
// passes through the admission plugins.
func Start(ctx context.Context, plugins admission.Interface) (*Server, error) {
	dir, err := os.MkdirTemp("", "kubetest-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, done: make(chan struct{})}
	if err := s.start(ctx, plugins); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, plugins admission.Interface) error {
	if err := s.startEtcd(ctx); err != nil {
		return fmt.Errorf("starting etcd: %w", err)
	}
	server, err := s.newServer(plugins)
	if err != nil {
		return fmt.Errorf("making the API server: %w", err)
	}
	var running context.Context
	running, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(s.done)
		s.ended = server.GenericAPIServer.PrepareRun().RunWithContext(running)
	}()
	s.Config = rest.CopyConfig(server.GenericAPIServer.LoopbackClientConfig)
	s.Config.QPS = -1
	return s.waitUntilReady(ctx)
}

// startEtcd starts etcd on ports that the system chooses: nothing can take them
// between the choice and the start. Its data is deleted with the process, so it
// does not sync to disk.
func (s *Server) startEtcd(ctx context.Context) error {
	config := embed.NewConfig()
	config.Dir = filepath.Join(s.dir, "etcd")
	config.UnsafeNoFsync = true
	config.LogLevel = "error"
	config.Logger = "zap"
	config.LogOutputs = []string{"/dev/null"}
	config.EnableGRPCGateway = false // it dials the configured port
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.ListenClientUrls, config.AdvertiseClientUrls = anyPort, anyPort
	config.ListenPeerUrls, config.AdvertisePeerUrls = anyPort, anyPort
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	var err error
	if s.etcd, err = embed.StartEtcd(config); err != nil {
		return err
	}
	select {
	case <-s.etcd.Server.ReadyNotify():
		return nil
	case err := <-s.etcd.Err():
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// newServer creates an API server without authentication and authorization,
// which the proxy in front of it does.
func (s *Server) newServer(plugins admission.Interface) (*extensionsapiserver.CustomResourceDefinitions, error) {
	o := options.NewCustomResourceDefinitionsServerOptions(io.Discard, io.Discard)
	o.RecommendedOptions.Authentication = nil
	o.RecommendedOptions.Authorization = nil
	o.RecommendedOptions.CoreAPI = nil
	o.RecommendedOptions.Admission = nil
	o.RecommendedOptions.Features.EnablePriorityAndFairness = false
	o.RecommendedOptions.Etcd.StorageConfig.Transport.ServerList = []string{s.etcd.Clients[0].Addr().String()}
	o.RecommendedOptions.Etcd.StorageConfig.CountMetricPollPeriod = 0
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	serving := o.RecommendedOptions.SecureServing
	serving.Listener = listener
	if address, ok := listener.Addr().(*net.TCPAddr); ok {
		serving.BindPort = address.Port
	}
	serving.BindAddress = net.IPv4(127, 0, 0, 1)
	serving.ServerCert.CertDirectory = filepath.Join(s.dir, "certificates")
	if err := errors.Join(o.Complete(), o.Validate()); err != nil {
		return nil, err
	}
	config, err := configOf(o, plugins)
	if err != nil {
		return nil, err
	}
	return config.Complete().New(genericapiserver.NewEmptyDelegate())
}

func configOf(o *options.CustomResourceDefinitionsServerOptions, plugins admission.Interface) (*extensionsapiserver.Config, error) {
	loopback := []net.IP{net.IPv4(127, 0, 0, 1)}
	if err := o.RecommendedOptions.SecureServing.MaybeDefaultWithSelfSignedCerts("localhost", nil, loopback); err != nil {
		return nil, err
	}
	generic := genericapiserver.NewRecommendedConfig(extensionsapiserver.Codecs)
	if err := o.ServerRunOptions.ApplyTo(&generic.Config); err != nil {
		return nil, err
	}
	if err := o.RecommendedOptions.ApplyTo(generic); err != nil {
		return nil, err
	}
	if err := o.APIEnablement.ApplyTo(&generic.Config, extensionsapiserver.DefaultAPIResourceConfigSource(), extensionsapiserver.Scheme); err != nil {
		return nil, err
	}
	definitions := openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(generatedopenapi.GetOpenAPIDefinitions)
	namer := openapinamer.NewDefinitionNamer(extensionsapiserver.Scheme, scheme.Scheme)
	generic.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(definitions, namer)
	generic.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(definitions, namer)
	generic.AdmissionControl = plugins
	return &extensionsapiserver.Config{
		GenericConfig: generic,
		ExtraConfig: extensionsapiserver.ExtraConfig{
			CRDRESTOptionsGetter: options.NewCRDRESTOptionsGetter(*o.RecommendedOptions.Etcd, generic.ResourceTransformers, generic.StorageObjectCountTracker),
			AuthResolverWrapper:  webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, nil, generic.LoopbackClientConfig, nil),
		},
	}, nil
}

func (s *Server) waitUntilReady(ctx context.Context) error {
	client, err := rest.UnversionedRESTClientFor(dynamicConfig(s.Config))
	if err != nil {
		return err
	}
	err = wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, readyTimeout, true, func(ctx context.Context) (bool, error) {
		select {
		case <-s.done:
			return false, fmt.Errorf("the API server ended: %w", s.ended)
		default:
		}
		status := 0
		client.Get().AbsPath("/readyz").Do(ctx).StatusCode(&status)
		return status == 200, nil
	})
	if err != nil {
		return fmt.Errorf("waiting for the API server: %w", err)
	}
	return nil
}

func dynamicConfig(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	return config
}

// Close stops the server and etcd, and deletes their data.
func (s *Server) Close() error {
	if s.stop != nil {
		s.stop()
		<-s.done
	}
	if s.etcd != nil {
		s.etcd.Close()
	}
	return os.RemoveAll(s.dir)
}
