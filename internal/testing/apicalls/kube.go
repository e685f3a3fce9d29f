package apicalls

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// write writes a file, which may be run.
func write(dir, name, content string) string {
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
		panic(err) // the folder is one of a test
	}
	return path
}

// kubeconfig writes a kubeconfig with one cluster and one user.
func kubeconfig(dir, name, cluster, user string) kube.Config {
	return kube.Config{ConfigPath: write(dir, name, "current-context: x\nclusters: [{name: c, cluster: {"+cluster+"}}]\nusers: [{name: u, user: {"+user+"}}]\n"+
		"contexts: [{name: x, context: {cluster: c, user: u}}]\n")}
}

// plugin is a user of a kubeconfig with a credential plugin.
func plugin(command, argument, variable string) string {
	return `exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: "` + command + `", args: ["` + argument +
		`"], env: [{name: K, value: "` + variable + `"}]}`
}

// kubeCalls are made with each credential of a kubeconfig.
func kubeCalls(dir string) map[string]Call {
	calls := map[string]Call{}
	add := func(name string, config func(address string) kube.Config, sent, known []string, call func(context.Context, *kube.Client) error) {
		calls["kube: "+name] = Call{API: "kube", Sent: sent, Known: known, Do: func(ctx context.Context, server Server) error {
			config := config(server.Address)
			config.RequestTimeout, config.MaxRetries = server.Timeout, server.MaxRetries
			client, err := kube.New(config)
			if err != nil {
				return err
			}
			client.SetBackoff(backoff)
			return call(ctx, client)
		}}
	}
	get := func(ctx context.Context, c *kube.Client) error {
		return only(c.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, "kd"))
	}
	withUser := func(name, user string, sent, known []string) {
		add(name, func(address string) kube.Config { return kubeconfig(dir, name, `server: "`+address+`"`, user) }, sent, known, get)
	}
	token, file, password, returned := plainSecret("kubeconfig"), plainSecret("file"), plainSecret("password"), plainSecret("exec")
	withUser("token of a kubeconfig", `token: "`+token+`"`, []string{token}, nil)
	withUser("token file", `tokenFile: "`+write(dir, "token", file+"\n")+`"`, []string{file}, nil)
	withUser("password", `username: u, password: "`+password+`"`, []string{password}, nil)
	credential := write(dir, "credential", `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"`+returned+`"}}`)
	withUser("plugin", plugin("cat", credential, plainSecret("env")), []string{returned}, []string{plainSecret("env")})
	failing := write(dir, "failing", "#!/bin/sh\nprintf '%s' \"$K $*\" | tee /dev/stderr\nexit 1\n")
	argument, variable, path := plainSecret("argument"), plainSecret("variable"), plainSecret("path")
	withUser("plugin that fails", plugin(failing, argument, variable), nil, []string{argument, variable})
	withUser("text as a file of a kubeconfig", `tokenFile: "`+path+`"`, nil, []string{path})
	proxied := Mark + "proxy-quote"
	add("password of a proxy", func(address string) kube.Config {
		return kubeconfig(dir, "proxy", `server: "http://127.0.0.1:1", proxy-url: "`+strings.Replace(address, "://", "://u:"+proxied+"@", 1)+`"`, "")
	}, []string{proxied}, nil, get)
	withToken := func(name string, call func(context.Context, *kube.Client) error, secrets ...string) {
		token := Secret("token")
		add(name, func(address string) kube.Config { return kube.Config{Host: address, Token: token} }, append(secrets, token), nil, call)
	}
	withToken("query", get)
	text := Secret("text")
	withToken("create", func(ctx context.Context, c *kube.Client) error {
		return only(c.Create(httpapi.WithMaskedText(ctx, text), kube.KusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
			"metadata": map[string]any{"name": "kd", "namespace": kube.CrossDomain}, "spec": map[string]any{"inputConfig": text},
		}}))
	}, text)
	withToken("list", func(ctx context.Context, c *kube.Client) error {
		return only(c.List(ctx, kube.Deployments, kube.ListOptions{}))
	})
	withToken("list as", func(ctx context.Context, c *kube.Client) error {
		return only(kube.ListAs[kube.Deployment](ctx, c, kube.Deployments, kube.ListOptions{}))
	})
	withToken("discovery", func(ctx context.Context, c *kube.Client) error { return only(c.Serves(ctx, kube.Deployments)) })
	return calls
}
