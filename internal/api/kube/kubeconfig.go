package kube

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/runtime"
	clientauthentication "k8s.io/client-go/pkg/apis/clientauthentication/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// fromFile is the access by a kubeconfig, with the meaning that kubectl gives to
// its fields. The errors of client-go would quote values.
func (c Config) fromFile() (*access, error) {
	loaded, err := readKubeconfig(c.ConfigPath)
	if err != nil {
		return nil, err
	}
	switch {
	case c.ConfigContext == "" && loaded.CurrentContext == "":
		return nil, fmt.Errorf("it has no current context; set config_context to one of its contexts: %s", contexts(loaded))
	case c.ConfigContext == "" && loaded.Contexts[loaded.CurrentContext] == nil:
		return nil, fmt.Errorf("its current context is not among its contexts, which are: %s", contexts(loaded))
	case c.ConfigContext == "":
		return contextAccess(loaded, loaded.Contexts[loaded.CurrentContext])
	case loaded.Contexts[c.ConfigContext] == nil:
		return nil, fmt.Errorf("it has no context %s; its contexts are: %s", httpapi.QuoteAll([]string{c.ConfigContext}), contexts(loaded))
	}
	return contextAccess(loaded, loaded.Contexts[c.ConfigContext])
}

func readKubeconfig(path string) (*clientcmdapi.Config, error) {
	content, err := httpapi.ReadCredentialFile(path)
	if err != nil {
		return nil, err
	}
	if err := checkExpansion(content); err != nil {
		return nil, err
	}
	loaded, err := clientcmd.Load(content)
	if err != nil {
		return nil, parseProblem(content, err)
	}
	if len(loaded.Clusters) == 0 {
		return nil, errors.New("it has no clusters; a kubeconfig has clusters, users and contexts")
	}
	// Relative paths in it start from its folder.
	for _, cluster := range loaded.Clusters {
		cluster.LocationOfOrigin = path
	}
	for _, user := range loaded.AuthInfos {
		user.LocationOfOrigin = path
	}
	if clientcmd.ResolveLocalPaths(loaded) != nil {
		return nil, errors.New("the folder of the kubeconfig, where relative paths in it start, cannot be found")
	}
	return loaded, nil
}

// checkExpansion refuses a file that is deeply nested, and aliases that make much of a small one:
// client-go expands them without any limit, a file of 60 KB to gigabytes.
func checkExpansion(content []byte) error {
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		return parseProblem(content, err)
	}
	return (&expansion{left: 4 * httpapi.MaxCredentialFile}).add(&document, maxYAMLDepth+1, false)
}

// maxYAMLDepth limits how deep a kubeconfig is nested; real ones stay below 10.
const maxYAMLDepth = 100

var (
	errAliases = errors.New("the aliases (*name) in it repeat more than any kubeconfig has; write it without them")
	errDepth   = fmt.Errorf("it is nested more than %d levels deep, and a kubeconfig less than 10", maxYAMLDepth)
)

// expansion measures a document with all its aliases; left are the bytes that it may still have.
type expansion struct{ left int }

// add adds a node; repeated is set if an alias repeats it.
func (e *expansion) add(node *yaml.Node, depth int, repeated bool) error {
	switch e.left -= 1 + len(node.Value); {
	case e.left < 0 || depth == 0 && repeated:
		return errAliases
	case depth == 0:
		return errDepth
	case node.Kind == yaml.AliasNode:
		return e.add(node.Alias, depth-1, true)
	}
	for _, part := range node.Content {
		if err := e.add(part, depth-1, repeated); err != nil {
			return err
		}
	}
	return nil
}

var lineNumber = regexp.MustCompile(`\bline (\d+)`)

// parseProblem describes why a kubeconfig cannot be parsed. The parser would
// quote what it cannot parse, which may be a token.
func parseProblem(content []byte, err error) error {
	if encoding := httpapi.CheckEncoding(content); encoding != nil {
		return encoding
	}
	if strings.Contains(err.Error(), "illegal base64") {
		return errors.New("one of certificate-authority-data, client-certificate-data and client-key-data in it is not base64; it has to be the base64 form of the whole PEM file")
	}
	at := ""
	if found := lineNumber.FindStringSubmatch(err.Error()); found != nil {
		at = " (line " + found[1] + ")"
	}
	return fmt.Errorf("this is not a kubeconfig%s, which is a YAML file with clusters, users and contexts, such as Kuscia's /home/kuscia/etc/kubeconfig", at)
}

// contexts lists the names of the contexts.
func contexts(config *clientcmdapi.Config) string {
	const longest = 100
	var names []string
	for name := range config.Contexts {
		if len(name) <= longest {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "none"
	}
	return httpapi.QuoteAll(names)
}

// contextAccess is the access by a context.
func contextAccess(loaded *clientcmdapi.Config, context *clientcmdapi.Context) (*access, error) {
	cluster, user := loaded.Clusters[context.Cluster], loaded.AuthInfos[context.AuthInfo]
	switch {
	case cluster == nil:
		return nil, errors.New("the cluster of the context is not among its clusters")
	case user == nil && context.AuthInfo != "":
		return nil, errors.New("the user of the context is not among its users, so that there are no credentials; correct the user of the context, or add it to users")
	case user == nil:
		user = &clientcmdapi.AuthInfo{}
	}
	found := &access{rest: &rest.Config{}}
	if err := found.addCluster(cluster); err != nil {
		return nil, fmt.Errorf("the cluster of the context: %w", err)
	}
	if err := found.addUser(user, cluster); err != nil {
		return nil, fmt.Errorf("the user of the context: %w", err)
	}
	return found, nil
}

func (a *access) addCluster(cluster *clientcmdapi.Cluster) error {
	if cluster.Server == "" {
		return errors.New("it has no server")
	}
	a.rest.Host, a.rest.DisableCompression = cluster.Server, cluster.DisableCompression
	a.rest.ServerName, a.rest.Insecure = cluster.TLSServerName, cluster.InsecureSkipTLSVerify
	if cluster.ProxyURL != "" {
		proxy, err := url.Parse(cluster.ProxyURL)
		if err != nil || proxy.Host == "" || !slices.Contains([]string{"http", "https", "socks5"}, proxy.Scheme) {
			return errors.New("proxy-url is no address; use http://, https:// or socks5:// with host and port")
		}
		a.rest.Proxy = http.ProxyURL(proxy)
	}
	var err error
	a.rest.CAData, err = dataOrFile(cluster.CertificateAuthorityData, cluster.CertificateAuthority, "certificate-authority")
	return err
}

func (a *access) addUser(user *clientcmdapi.AuthInfo, cluster *clientcmdapi.Cluster) error {
	if user.AuthProvider != nil {
		return errors.New("it uses auth-provider, which Kubernetes no longer supports; use exec or a token")
	}
	a.rest.BearerToken, a.rest.Username, a.rest.Password = user.Token, user.Username, user.Password
	a.rest.Impersonate = rest.ImpersonationConfig{
		UserName: user.Impersonate, UID: user.ImpersonateUID, Groups: user.ImpersonateGroups, Extra: user.ImpersonateUserExtra,
	}
	if user.Username != "" && (user.Token != "" || user.TokenFile != "") {
		return errors.New("it has both a token and a user name with a password; keep one of them")
	}
	var err error
	if user.TokenFile != "" {
		if a.source, err = tokenFile(user.TokenFile); err != nil {
			return fmt.Errorf("tokenFile: %w", err)
		}
		a.rest.BearerToken = "" // the file precedes it
	}
	if a.rest.CertData, err = dataOrFile(user.ClientCertificateData, user.ClientCertificate, "client-certificate"); err != nil {
		return err
	}
	if a.rest.KeyData, err = dataOrFile(user.ClientKeyData, user.ClientKey, "client-key"); err != nil {
		return err
	}
	if user.Exec != nil {
		a.runs(execOf(user.Exec, cluster, a.rest.CAData))
	}
	return nil
}

// dataOrFile is a certificate or a key. Its data precedes its file.
func dataOrFile(data []byte, path, field string) ([]byte, error) {
	if len(data) > 0 || path == "" {
		return data, nil
	}
	content, err := httpapi.ReadCredentialFile(path)
	if err == nil && len(content) == 0 {
		err = errors.New("the file is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("the file of %s: %w", field, err)
	}
	return content, nil
}

// execExtension is the extension of a cluster that its credential plugins get.
const execExtension = "client.authentication.k8s.io/exec"

func execOf(config *clientcmdapi.ExecConfig, cluster *clientcmdapi.Cluster, authority []byte) *Exec {
	exec := &Exec{APIVersion: config.APIVersion, Command: config.Command, Args: config.Args, Env: map[string]string{}}
	for _, variable := range config.Env {
		exec.Env[variable.Name] = variable.Value
	}
	if config.ProvideClusterInfo {
		exec.cluster = &clientauthentication.Cluster{
			Server: cluster.Server, TLSServerName: cluster.TLSServerName, InsecureSkipTLSVerify: cluster.InsecureSkipTLSVerify,
			CertificateAuthorityData: authority, ProxyURL: cluster.ProxyURL, DisableCompression: cluster.DisableCompression,
		}
		if extension, ok := cluster.Extensions[execExtension].(*runtime.Unknown); ok {
			exec.cluster.Config = runtime.RawExtension{Raw: extension.Raw}
		}
	}
	return exec
}
