package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// kubeBlock is the configured attribute; nil if it is not set.
type kubeBlock map[string]attr.Value

// kubernetes returns the attribute; set reports whether it is configured.
func (b block) kubernetes() (values kubeBlock, set bool) {
	if b.Kubernetes.IsNull() || b.Kubernetes.IsUnknown() {
		return nil, b.Kubernetes.IsUnknown()
	}
	return b.Kubernetes.Attributes(), true
}

// has reports whether a nested attribute is configured, known or not.
func (k kubeBlock) has(name string) bool { return k[name] != nil && !k[name].IsNull() }

// set reports whether a nested attribute has a value: unknown is not set, since
// it may become null.
func (k kubeBlock) set(name string) bool { return k.has(name) && !k[name].IsUnknown() }

// text returns a string attribute, or "".
func (k kubeBlock) text(name string) string {
	text, _ := k[name].(types.String)
	return text.ValueString()
}

// insecure returns the bool attribute.
func (k kubeBlock) insecure() bool {
	truth, _ := k[kubeInsecure].(types.Bool)
	return truth.ValueBool()
}

// unknown lists the unknown attributes.
func (k kubeBlock) unknown() []string {
	var names []string
	for _, name := range append(slices.Clone(kubeTexts), kubeInsecure, kubeExec) {
		if k[name] != nil && containsUnknown(k[name]) {
			names = append(names, attrKubernetes+"."+name)
		}
	}
	return names
}

// containsUnknown reports whether a value, or any part of it, is unknown.
func containsUnknown(v attr.Value) bool {
	if v.IsUnknown() {
		return true
	}
	switch v := v.(type) {
	case types.Object:
		return anyUnknown(v.Attributes()) || slices.ContainsFunc(valuesOf(v.Attributes()), containsUnknown)
	case types.Map:
		return anyUnknown(v.Elements())
	case types.List:
		return slices.ContainsFunc(v.Elements(), containsUnknown)
	}
	return false
}

func valuesOf(values map[string]attr.Value) []attr.Value {
	all := make([]attr.Value, 0, len(values))
	for _, v := range values {
		all = append(all, v)
	}
	return all
}

// execVersions are the API versions of credential plugins.
var execVersions = []string{"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"}

// checkKubernetes validates the attribute itself.
func checkKubernetes(b block) []problem {
	var problems []problem
	fail := func(name, summary, format string, args ...any) {
		problems = append(problems, problem{Attribute: attrKubernetes + "." + name, Summary: summary, Detail: fmt.Sprintf(format, args...)})
	}
	k, _ := b.kubernetes()
	for _, name := range kubeTexts {
		if v, ok := k[name].(types.String); ok && known(v) && strings.TrimSpace(v.ValueString()) == "" {
			fail(name, "Empty value", "kubernetes.%s is an empty string. Set a value, or omit it (or set null) to use %s.", name, kubeVariable(name))
		}
	}
	if k.set(kubeConfigPath) && k.set(kubeHost) {
		fail(kubeHost, "Conflicting attributes", "Both kubernetes.config_path and kubernetes.host are set. Keep one of them: the kubeconfig names its own API server.")
	}
	for _, name := range hostAttributes {
		if k.set(name) && k.set(kubeConfigPath) {
			fail(name, "Setting without effect", "kubernetes.%s has no effect together with kubernetes.config_path, whose context contains the credentials. Remove one of the two.", name)
		}
	}
	if k.set(kubeConfigContext) && k.set(kubeHost) {
		fail(kubeConfigContext, "Setting without effect", "kubernetes.config_context has no effect together with kubernetes.host. Remove one of the two.")
	}
	if exec := execOf(k[kubeExec]); exec != nil && exec.APIVersion != "" && !slices.Contains(execVersions, exec.APIVersion) {
		fail(kubeExec+"."+execAPIVersion, "Value not allowed", "kubernetes.exec.api_version: %s", tfvalue.NotAllowed(exec.APIVersion, execVersions))
	}
	if len(problems) > 0 {
		return problems
	}
	lacks := func(name string) bool { return !k.has(name) }
	if text := combination(k.set, lacks, k.insecure()); text != "" {
		return []problem{{Attribute: attrKubernetes, Summary: "Invalid Kubernetes credentials", Detail: "kubernetes: " + text + "."}}
	}
	return k.checkCertificates()
}

// checkCertificates checks the certificates of the block.
func (k kubeBlock) checkCertificates() []problem {
	fail := func(name, text string) []problem {
		return []problem{{Attribute: attrKubernetes + "." + name, Summary: "Invalid Kubernetes credentials", Detail: "kubernetes." + name + ": " + text + ". It expects the content of a PEM file, for example file(\"client.pem\")."}}
	}
	if k.set(kubeClusterCACertificate) {
		if err := httpapi.CheckCertificates([]byte(k.text(kubeClusterCACertificate))); err != nil {
			return fail(kubeClusterCACertificate, err.Error())
		}
	}
	if !k.set(kubeClientCertificate) || !k.set(kubeClientKey) {
		return nil
	}
	var invalid *httpapi.ConfigError
	err := httpapi.CheckClientCertificate([]byte(k.text(kubeClientCertificate)), []byte(k.text(kubeClientKey)))
	switch {
	case !errors.As(err, &invalid):
		return nil
	case invalid.Field == "ClientKey":
		return fail(kubeClientKey, invalid.Problem)
	}
	return fail(kubeClientCertificate, invalid.Problem)
}

// combination returns what is wrong with a combination of settings, or "".
func combination(set, lacks func(name string) bool, insecure bool) string {
	switch {
	case set(kubeToken) && set(kubeExec):
		return "both token and exec are set; keep one of them"
	case set(kubeClientCertificate) && lacks(kubeClientKey):
		return "client_certificate is set and client_key is not; set both or none"
	case set(kubeClientKey) && lacks(kubeClientCertificate):
		return "client_key is set and client_certificate is not; set both or none"
	case set(kubeClusterCACertificate) && insecure:
		return "insecure disables the verification that cluster_ca_certificate is for; set only one of them"
	}
	return ""
}

// kubernetesAccess returns the access to the cluster from the block and the
// environment. Missing settings are not an error here, but in a resource that
// needs the cluster; a kubeconfig is not read before that.
func kubernetesAccess(b block, getenv func(string) string, shared requests) (clients.Kubernetes, []problem) {
	k, set := b.kubernetes()
	if set && k == nil {
		return clients.Kubernetes{Unknown: []string{attrKubernetes}}, nil
	}
	if unknown := k.unknown(); len(unknown) > 0 {
		return clients.Kubernetes{Unknown: unknown}, nil
	}
	config, missing, err := kubeConfig(k, set, getenv)
	switch {
	case err != nil:
		return clients.Kubernetes{}, []problem{{Attribute: attrKubernetes, Summary: "Kubernetes settings cannot be used", Detail: err.Error()}}
	case missing != "":
		return clients.Kubernetes{Missing: missing}, nil
	case looksLikeContent(config.ConfigPath) && !exists(config.ConfigPath):
		// Not on the attribute: the CLI would show its line.
		return clients.Kubernetes{}, []problem{{Summary: "Invalid path", Detail: fmt.Sprintf("kubernetes.config_path (%s) expects the path of a kubeconfig. Its value looks like the content itself and is not shown; write it to a file.", kubeVariable(kubeConfigPath))}}
	}
	config.UserAgent, config.RequestTimeout, config.MaxRetries = shared.userAgent, shared.timeout, shared.retries
	return clients.Kubernetes{Open: sync.OnceValues(func() (*kube.Client, error) {
		client, err := kube.New(config)
		if hint := tildeHint(config.ConfigPath); err != nil && hint != "" {
			return nil, fmt.Errorf("%w.%s", err, hint)
		}
		return client, err
	})}, nil
}

// kubeConfig resolves the settings. The kubeconfig or the host is that of the
// block, or else of the environment. Other settings that the block does not have
// are those of the environment, credentials only as a whole (see hostConfig).
func kubeConfig(k kubeBlock, set bool, getenv func(string) string) (config kube.Config, missing string, err error) {
	env := func(name string) string { return getenv(kubeVariable(name)) }
	switch {
	case k.has(kubeConfigPath):
		config.ConfigPath = k.text(kubeConfigPath)
	case k.has(kubeHost):
		return hostConfig(k, env)
	case env(kubeConfigPath) != "" && env(kubeHost) != "":
		return config, "", fmt.Errorf("both %s and %s are set; keep one of them", kubeVariable(kubeConfigPath), kubeVariable(kubeHost))
	case env(kubeConfigPath) != "":
		if name := firstOf(k, hostAttributes); name != "" {
			return config, "", fmt.Errorf("kubernetes.%s has no effect together with the kubeconfig of %s; set kubernetes.host, or remove one of the two", name, kubeVariable(kubeConfigPath))
		}
		config.ConfigPath = env(kubeConfigPath)
	case env(kubeHost) != "":
		return hostConfig(k, env)
	case set && firstOf(k, hostAttributes) == "" && getenv("KUBERNETES_SERVICE_HOST") != "":
		return config, "", nil // as a pod
	case set && firstOf(k, hostAttributes) != "":
		return config, fmt.Sprintf("kubernetes.%s is set, but not kubernetes.host, the address of the API server that it is for. Set host in the provider \"kuscia\" block, or the environment variable %s.", firstOf(k, hostAttributes), kubeVariable(kubeHost)), nil
	default:
		return config, kubernetesMissing, nil
	}
	config.ConfigContext = k.text(kubeConfigContext)
	if config.ConfigContext == "" {
		config.ConfigContext = env(kubeConfigContext)
	}
	return config, "", nil
}

const kubernetesMissing = "This needs access to the Kubernetes API of the Kuscia master or autonomy node, but its address is not configured. " +
	"Set kubernetes = { config_path = ... } or kubernetes = { host = ..., ... } in the provider \"kuscia\" block, or an environment variable such as KUSCIA_KUBE_CONFIG_PATH. " +
	"In a Kuscia container the kubeconfig is /home/kuscia/etc/kubeconfig. kubernetes = {} works only in a pod of the cluster, where KUBERNETES_SERVICE_HOST is set."

// firstOf returns the first configured attribute, or "".
func firstOf(k kubeBlock, names []string) string {
	for _, name := range names {
		if k.has(name) {
			return name
		}
	}
	return ""
}

// hostConfig is the access by an address. Credentials in the block are not
// combined with those of the environment; those of the environment are used for
// a host in the block only as a whole.
func hostConfig(k kubeBlock, env func(string) string) (kube.Config, string, error) {
	config := kube.Config{Host: k.text(kubeHost), ClusterCACertificate: k.text(kubeClusterCACertificate)}
	if config.Host == "" {
		config.Host = env(kubeHost)
	}
	if config.ClusterCACertificate == "" {
		config.ClusterCACertificate = env(kubeClusterCACertificate)
	}
	config.Insecure = k.insecure()
	if text := env(kubeInsecure); !k.has(kubeInsecure) && text != "" {
		insecure, err := strconv.ParseBool(text)
		if err != nil {
			return config, "", fmt.Errorf("%s is %q; use true or false", kubeVariable(kubeInsecure), text)
		}
		config.Insecure = insecure
	}
	if firstOf(k, []string{kubeToken, kubeClientCertificate, kubeClientKey, kubeExec}) != "" {
		config.Token, config.ClientCertificate, config.ClientKey = k.text(kubeToken), k.text(kubeClientCertificate), k.text(kubeClientKey)
		config.Exec = execOf(k[kubeExec])
	} else {
		config.Token, config.ClientCertificate, config.ClientKey = env(kubeToken), env(kubeClientCertificate), env(kubeClientKey)
		if text := env(kubeExec); text != "" {
			exec, err := parseExec(text)
			if err != nil {
				return config, "", fmt.Errorf("%s: %w", kubeVariable(kubeExec), err)
			}
			config.Exec = exec
		}
	}
	set := func(name string) bool {
		return map[string]bool{
			kubeToken: config.Token != "", kubeExec: config.Exec != nil, kubeClientCertificate: config.ClientCertificate != "",
			kubeClientKey: config.ClientKey != "", kubeClusterCACertificate: config.ClusterCACertificate != "",
		}[name]
	}
	problem := combination(set, func(name string) bool { return !set(name) }, config.Insecure)
	if problem != "" {
		return config, "", errors.New("kubernetes, with values from environment variables (KUSCIA_KUBE_...): " + problem)
	}
	return config, "", nil
}

// exists reports whether there is something at a path.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// execOf returns the attribute exec; nil if it is not set.
func execOf(v attr.Value) *kube.Exec {
	object, ok := v.(types.Object)
	if !ok || object.IsNull() {
		return nil
	}
	text := func(v attr.Value) string {
		s, _ := v.(types.String)
		return s.ValueString()
	}
	values := object.Attributes()
	exec := &kube.Exec{APIVersion: text(values[execAPIVersion]), Command: text(values[execCommand]), Env: map[string]string{}}
	if args, ok := values[execArgs].(types.List); ok {
		for _, arg := range args.Elements() {
			exec.Args = append(exec.Args, text(arg))
		}
	}
	if env, ok := values[execEnv].(types.Map); ok {
		for name, value := range env.Elements() {
			exec.Env[name] = text(value)
		}
	}
	return exec
}

// parseExec parses the environment variable. The parser's message might quote a
// secret.
func parseExec(text string) (*kube.Exec, error) {
	var exec struct {
		APIVersion string            `json:"api_version"`
		Command    string            `json:"command"`
		Args       []string          `json:"args"`
		Env        map[string]string `json:"env"`
	}
	if err := json.Unmarshal([]byte(text), &exec); err != nil || exec.APIVersion == "" || exec.Command == "" {
		return nil, errors.New(`give a JSON object such as {"api_version": "client.authentication.k8s.io/v1", "command": "aws", "args": ["eks", "get-token"], "env": {}}`)
	}
	return &kube.Exec{APIVersion: exec.APIVersion, Command: exec.Command, Args: exec.Args, Env: exec.Env}, nil
}
