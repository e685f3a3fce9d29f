package kube

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	clientauthentication "k8s.io/client-go/pkg/apis/clientauthentication/v1"
	"k8s.io/client-go/rest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
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
	// cluster is what the plugin is told about the cluster, nil for nothing.
	cluster *clientauthentication.Cluster
}

// access is the access to a cluster. client-go would read files and run plugins
// without any limit, so the part for it has neither: files are read here, and
// source has the credentials that change.
type access struct {
	rest   *rest.Config
	source *source // nil for none
}

// open returns the access. Its errors quote nothing of a kubeconfig except the
// names of contexts.
func (c Config) open() (*access, error) {
	found, err := c.find()
	if err == nil {
		err = checkTLS(&found.rest.TLSClientConfig)
	}
	if err == nil {
		err = checkToken(found.rest.BearerToken)
	}
	switch {
	case err == nil:
		return found, nil
	case c.ConfigPath != "":
		return nil, fmt.Errorf("%s: %w", c.ConfigPath, err)
	}
	return nil, err
}

func (c Config) find() (*access, error) {
	switch {
	case c.ConfigPath != "":
		return c.fromFile()
	case c.Host != "":
		return c.explicit(), nil
	}
	return inCluster("/var/run/secrets/kubernetes.io/serviceaccount/")
}

// inCluster is the access of a pod by its service account.
func inCluster(folder string) (*access, error) {
	host, port := os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT")
	if host == "" || port == "" {
		return nil, errors.New("neither a kubeconfig nor a host is set, and this is not a pod with a service account")
	}
	authority, err := httpapi.ReadCredentialFile(folder + "ca.crt")
	if err != nil {
		return nil, fmt.Errorf("the CA certificate of the pod's service account (%sca.crt): %w", folder, err)
	}
	tokens, err := tokenFile(folder + "token")
	if err != nil {
		return nil, fmt.Errorf("the token of the pod's service account (%stoken): %w", folder, err)
	}
	return &access{
		rest:   &rest.Config{Host: "https://" + net.JoinHostPort(host, port), TLSClientConfig: rest.TLSClientConfig{CAData: authority}},
		source: tokens,
	}, nil
}

func (c Config) explicit() *access {
	found := &access{rest: &rest.Config{
		Host:        c.Host,
		BearerToken: c.Token,
		TLSClientConfig: rest.TLSClientConfig{
			Insecure: c.Insecure, CAData: []byte(c.ClusterCACertificate), CertData: []byte(c.ClientCertificate), KeyData: []byte(c.ClientKey),
		},
	}}
	found.runs(c.Exec)
	return found
}

// runs adds a plugin, which other credentials precede, as in kubectl.
func (a *access) runs(exec *Exec) {
	if exec != nil && a.source == nil && a.rest.BearerToken == "" && a.rest.Username == "" && len(a.rest.CertData) == 0 {
		a.source = pluginSource(*exec, pluginTimeout)
	}
}

// checkTLS checks the certificates before client-go does, whose errors do not
// tell which of them is wrong.
func checkTLS(c *rest.TLSClientConfig) error {
	if len(c.CAData) > 0 {
		if c.Insecure {
			return errors.New("a CA certificate is set, and the verification that it is for is disabled; keep one of the two")
		}
		if err := httpapi.CheckCertificates(c.CAData); err != nil {
			return fmt.Errorf("the CA certificate of the cluster: %w", err)
		}
	}
	switch {
	case len(c.CertData) == 0 && len(c.KeyData) == 0:
		return nil
	case len(c.KeyData) == 0:
		return errors.New("a client certificate is set and its key is not")
	case len(c.CertData) == 0:
		return errors.New("a client key is set and its certificate is not")
	}
	var invalid *httpapi.ConfigError
	if err := httpapi.CheckClientCertificate(c.CertData, c.KeyData); errors.As(err, &invalid) {
		what := "the client certificate"
		if invalid.Field == "ClientKey" {
			what = "the key of the client certificate"
		}
		return fmt.Errorf("%s: %s", what, invalid.Problem)
	}
	return nil
}

// checkToken refuses what a header cannot contain.
func checkToken(token string) error {
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the token contains spaces, line breaks or characters outside ASCII, which no token has")
	}
	return nil
}

// secretsOf are the texts that are masked in errors and logs.
func secretsOf(a *access) []string {
	secrets := []string{a.rest.BearerToken, a.rest.Password, basicAuth(a.rest.Username, a.rest.Password), string(a.rest.KeyData)}
	if a.rest.Proxy != nil {
		if proxy, err := a.rest.Proxy(nil); err == nil && proxy != nil && proxy.User != nil {
			password, _ := proxy.User.Password()
			secrets = append(secrets, password, basicAuth(proxy.User.Username(), password))
		}
	}
	if a.source != nil {
		secrets = append(secrets, a.source.secrets...)
	}
	return secrets
}

// basicAuth is the form in which a user and a password are sent, "" without a
// password.
func basicAuth(user, password string) string {
	if password == "" {
		return ""
	}
	return base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
}
