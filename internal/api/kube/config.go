package kube

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Config configures the access to a cluster: by a kubeconfig (ConfigPath), by
// an address (Host), or, without both, as a pod in the cluster.
type Config struct {
	// ConfigPath is a kubeconfig; ConfigContext is a context in it, "" for the
	// current context.
	ConfigPath, ConfigContext string

	// Host is the address of the API server.
	Host string
	// Token is a bearer token.
	Token string
	// ClusterCACertificate (PEM) replaces the trusted authorities of the
	// system.
	ClusterCACertificate string
	// ClientCertificate and ClientKey (PEM) must be set together.
	ClientCertificate, ClientKey string
	// Insecure accepts any server certificate.
	Insecure bool
	// Exec is a credential plugin; nil for none.
	Exec *Exec

	UserAgent string
	// RequestTimeout is the time limit of an attempt; 0 means 30 s.
	RequestTimeout time.Duration
	// MaxRetries is how often a transient failure is repeated.
	MaxRetries int
}

// Exec is a credential plugin, as in the users of a kubeconfig.
type Exec struct {
	// APIVersion is the version of its output, such as
	// client.authentication.k8s.io/v1.
	APIVersion, Command string
	Args                []string
	Env                 map[string]string
}

// restConfig returns the configuration of client-go. Its errors quote nothing
// of a kubeconfig.
func (c Config) restConfig() (*rest.Config, error) {
	switch {
	case c.ConfigPath != "":
		return c.fromFile()
	case c.Host != "":
		return c.explicit(), nil
	}
	config, err := rest.InClusterConfig()
	if err != nil {
		return nil, fmt.Errorf("neither a kubeconfig nor a host is set, and this is not a pod with a service account: %w", err)
	}
	return config, nil
}

func (c Config) fromFile() (*rest.Config, error) {
	if _, err := os.ReadFile(c.ConfigPath); err != nil {
		return nil, fileError(c.ConfigPath, err)
	}
	rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: c.ConfigPath, WarnIfAllMissing: false}
	loaded, err := rules.Load()
	if err != nil {
		return nil, fileError(c.ConfigPath, err)
	}
	if len(loaded.Clusters) == 0 {
		return nil, fmt.Errorf("%s: it has no clusters; a kubeconfig has clusters, users and contexts", c.ConfigPath)
	}
	if c.ConfigContext == "" && loaded.CurrentContext == "" {
		return nil, fmt.Errorf("%s: it has no current context; set config_context to one of its contexts: %s", c.ConfigPath, contexts(loaded))
	}
	name := c.ConfigContext
	if name == "" {
		name = loaded.CurrentContext
	}
	if loaded.Contexts[name] == nil {
		return nil, fmt.Errorf("%s: it has no context %q; its contexts are: %s", c.ConfigPath, name, contexts(loaded))
	}
	for _, user := range loaded.AuthInfos {
		if user.Exec != nil {
			// The plugin cannot ask the user.
			user.Exec.InteractiveMode = clientcmdapi.NeverExecInteractiveMode
		}
	}
	config, err := clientcmd.NewNonInteractiveClientConfig(*loaded, name, &clientcmd.ConfigOverrides{}, nil).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("%s: context %q: %w", c.ConfigPath, name, err)
	}
	return config, nil
}

func contexts(config *clientcmdapi.Config) string {
	const most = 10
	var names []string
	for name := range config.Contexts {
		if len(names) == most {
			return strings.Join(names, ", ") + " and others"
		}
		names = append(names, fmt.Sprintf("%q", name))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

var lineNumber = regexp.MustCompile(`\bline (\d+)`)

// fileError returns the error for an invalid kubeconfig. The parser would quote
// what it cannot parse, which may be a token.
func fileError(path string, err error) error {
	var pathError *fs.PathError
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", path)
	case errors.As(err, &pathError):
		return fmt.Errorf("%s: %w", path, pathError.Err)
	}
	at := ""
	if found := lineNumber.FindStringSubmatch(err.Error()); found != nil {
		at = " (line " + found[1] + ")"
	}
	return fmt.Errorf("%s: this is not a kubeconfig%s, which is a YAML file with clusters, users and contexts, such as Kuscia's /home/kuscia/etc/kubeconfig", path, at)
}

func (c Config) explicit() *rest.Config {
	config := &rest.Config{
		Host:        c.Host,
		BearerToken: c.Token,
		TLSClientConfig: rest.TLSClientConfig{
			Insecure: c.Insecure, CAData: []byte(c.ClusterCACertificate), CertData: []byte(c.ClientCertificate), KeyData: []byte(c.ClientKey),
		},
	}
	if c.Exec != nil {
		config.ExecProvider = &clientcmdapi.ExecConfig{
			APIVersion: c.Exec.APIVersion, Command: c.Exec.Command, Args: c.Exec.Args,
			InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
			InstallHint:     "The program of exec in the provider block is not installed.",
		}
		for name, value := range c.Exec.Env {
			config.ExecProvider.Env = append(config.ExecProvider.Env, clientcmdapi.ExecEnvVar{Name: name, Value: value})
		}
	}
	return config
}

// secretsOf are the texts that are masked in errors and logs.
func secretsOf(config *rest.Config) []string {
	secrets := []string{config.BearerToken, config.Password, string(config.KeyData)}
	if config.ExecProvider != nil {
		for _, variable := range config.ExecProvider.Env {
			secrets = append(secrets, variable.Value)
		}
	}
	return secrets
}
