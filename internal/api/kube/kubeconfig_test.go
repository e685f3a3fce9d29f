package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testcert"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

const planted = "hidden-secret"

// kubeconfigOf is a kubeconfig whose context has a cluster and a user.
func kubeconfigOf(cluster, user string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: main
clusters: [{name: c, cluster: {%s}}]
users: [{name: u, user: {%s}}]
contexts: [{name: main, context: {cluster: c, user: u}}, {name: other, context: {cluster: c, user: u}}]
`, cluster, user)
}

// folder writes files for a test.
type folder struct {
	t   *testing.T
	dir string
}

func newFolder(t *testing.T) folder {
	t.Helper()
	return folder{t, t.TempDir()}
}

func (f folder) write(name, content string) string {
	f.t.Helper()
	path := filepath.Join(f.dir, name)
	testfile.Write(f.t, path, content)
	return path
}

// program writes a plugin that prints a credential with a token.
func (f folder) program(name, token string) string {
	f.t.Helper()
	return f.write(name, "#!/bin/sh\necho '"+execCredential(`"token":"`+token+`"`)+"'\n")
}

func execCredential(status string) string {
	return `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{` + status + `}}`
}

// get makes a call with a configuration.
func get(ctx context.Context, config Config) error {
	client, err := New(config)
	if err != nil {
		return err
	}
	client.SetBackoff(fastBackoff)
	return second(client.Get(ctx, KusciaDeployments, CrossDomain, "kd"))
}

// seenBy starts an API server that keeps the header of its last request.
func seenBy(t *testing.T, header string) (address string, sent *string) {
	t.Helper()
	sent = new(string)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*sent = r.Header.Get(header)
		answer(w, http.StatusOK, storedDeployment)
	}))
	t.Cleanup(server.Close)
	return server.URL, sent
}

// TestKubeconfig: what a kubeconfig may have, each with the header that follows.
func TestKubeconfig(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	address, sent := seenBy(t, "Authorization")
	f.write("token", "of-the-file\n")
	f.program("login", "of-the-program")
	f.write("about", "#!/bin/sh\nprintf %s \"$KUBERNETES_EXEC_INFO\" > \"$0.info\"\necho '"+execCredential(`"token":"x"`)+"'\n")
	// What a plugin starts may go on with its output, as the agent of a login.
	f.write("leaving.out", execCredential(`"token":"of-a-plugin"`))
	f.write("leaving", "#!/bin/sh\nsleep 30 &\ncat \"$0.out\"\n")
	cluster := `server: "` + address + `", insecure-skip-tls-verify: true`
	program := func(name string) string {
		return `exec: {apiVersion: client.authentication.k8s.io/v1, command: "` + name + `", interactiveMode: IfAvailable, provideClusterInfo: true}`
	}
	for user, want := range map[string]string{
		"token: of-the-text":                     "Bearer of-the-text",
		"tokenFile: token":                       "Bearer of-the-file", // from the folder of the kubeconfig
		"token: of-the-text, tokenFile: ./token": "Bearer of-the-file",
		"username: u, password: p":               "Basic dTpw",
		program("./login"):                       "Bearer of-the-program",
		program("./about"):                       "Bearer x",
		program("./leaving"):                     "Bearer of-a-plugin",
		"token: of-the-text, " + program("none"): "Bearer of-the-text",
		"":                                       "",
	} {
		if err := get(t.Context(), Config{ConfigPath: f.write("config", kubeconfigOf(cluster, user))}); err != nil || *sent != want {
			t.Errorf("%s: sent %q, want %q: %v", user, *sent, want, err)
		}
	}
	if info, err := os.ReadFile(filepath.Join(f.dir, "about.info")); err != nil || !strings.Contains(string(info), `"server":"`+address+`"`) || !strings.Contains(string(info), `"kind":"ExecCredential"`) {
		t.Errorf("the plugin is told %s: %v", info, err)
	}
	if err := get(t.Context(), Config{Host: address, Insecure: true, Exec: &Exec{APIVersion: "client.authentication.k8s.io/v1", Command: filepath.Join(f.dir, "login")}}); err != nil || *sent != "Bearer of-the-program" {
		t.Errorf("exec of the provider block: sent %q, %v", *sent, err)
	}
	asked, impersonated := seenBy(t, "Impersonate-User")
	path := f.write("config", kubeconfigOf(`server: "`+asked+`", insecure-skip-tls-verify: true`, "token: t, as: somebody"))
	if err := get(t.Context(), Config{ConfigPath: path, ConfigContext: "other"}); err != nil || *impersonated != "somebody" {
		t.Errorf("impersonation: %q, %v", *impersonated, err)
	}
}

// TestLargeFiles: what a kubeconfig is or names is read as every file with credentials, of which
// TestBlockingFiles of the provider shows the rules.
func TestLargeFiles(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	certificate, key := testcert.Pair(t, "one")
	f.write("cert", certificate)
	f.write("key", key)
	large := f.write("large", strings.Repeat("x", 2<<20))
	const server = `server: "https://127.0.0.1:1"`
	for where, config := range map[string]Config{
		"kubeconfig":  {ConfigPath: large},
		"tokenFile":   {ConfigPath: f.write("config-t", kubeconfigOf(server, "tokenFile: large"))},
		"authority":   {ConfigPath: f.write("config-a", kubeconfigOf(server+", certificate-authority: large", ""))},
		"certificate": {ConfigPath: f.write("config-c", kubeconfigOf(server, "client-key: key, client-certificate: large"))},
		"key":         {ConfigPath: f.write("config-k", kubeconfigOf(server, "client-certificate: cert, client-key: large"))},
	} {
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
			t.Errorf("%s: %v", where, err)
		}
	}
}

// TestProxyIsBlamed: a proxy that refuses to connect is the cause, and not the API server.
func TestProxyIsBlamed(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	t.Cleanup(refusing.Close)
	err := get(t.Context(), Config{ConfigPath: newFolder(t).write("config", kubeconfigOf(`server: "https://api.example:6443", proxy-url: "`+refusing.URL+`"`, "token: t"))})
	var e *apierror.Error
	if !errors.As(err, &e) || e.Cause != httpapi.CauseProxy {
		t.Errorf("%+v", err)
	}
}

// TestBadKubeconfigs: each mistake has its own text, which quotes nothing of the
// file.
func TestBadKubeconfigs(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	certificate, key := testcert.Pair(t, "one")
	_, otherKey := testcert.Pair(t, "two")
	f.write("cert", certificate)
	f.write("key", key)
	f.write("encrypted", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n")
	f.write("other", otherKey)
	f.write("empty", "")
	const server = `server: "https://127.0.0.1:1"`
	file := kubeconfigOf
	for name, test := range map[string]struct{ content, want string }{
		"not YAML":               {"kind: Config\nclusters: []\ntoken: " + planted + ": [", "this is not a kubeconfig (line 3)"},
		"no current context":     {strings.Replace(file(server, ""), "current-context: main", "", 1), `no current context; set config_context to one of its contexts: "main", "other"`},
		"another file":           {"a: " + planted, "it has no clusters"},
		"UTF-16":                 {"\xff\xfea\x00", "byte order mark (UTF-16)"},
		"no such user":           {strings.ReplaceAll(file(server, ""), "user: u}", "user: "+planted+"}"), "the user of the context is not among its users"},
		"no server":              {file("", ""), "it has no server"},
		"wrong current context":  {strings.Replace(file(server, ""), "current-context: main", "current-context: "+planted, 1), `its current context is not among its contexts, which are: "main", "other"`},
		"no such cluster":        {strings.ReplaceAll(file(server, ""), "cluster: c,", "cluster: "+planted+","), "the cluster of the context is not among its clusters"},
		"server":                 {file(`server: "https://u:`+planted+`@%zz"`, ""), "the address of the API server is invalid"},
		"server with a password": {file(`server: "https://u:`+planted+`@h"`, ""), "must not contain a user or password"},
		"proxy":                  {file(server+`, proxy-url: "http://u:`+planted+`@%zz"`, ""), "proxy-url is no address"},
		"proxy without a host":   {file(server+`, proxy-url: "socks5:`+planted+`"`, ""), "proxy-url is no address"},
		"proxy of another kind":  {file(server+`, proxy-url: "ftp://u:`+planted+`@h"`, ""), "proxy-url is no address"},
		"plain http of a plugin": {file(`server: "http://kuscia.example:6443"`, "exec: {apiVersion: client.authentication.k8s.io/v1, command: cat, interactiveMode: Never}"), "use https://"},
		"CA file":                {file(server+", certificate-authority: "+planted, ""), "the file of certificate-authority: there is no such file"},
		"CA text":                {file(server+", certificate-authority-data: "+planted, ""), "certificate-authority-data, client-certificate-data and client-key-data in it is not base64"},
		"CA that is not used":    {file(server+", certificate-authority: cert, insecure-skip-tls-verify: true", ""), "keep one of the two"},
		"token file":             {file(server, "tokenFile: "+planted), "tokenFile: there is no such file"},
		"certificate file":       {file(server, "client-certificate: "+planted+", client-key: key"), "client-certificate: there is no such file"},
		"certificate alone":      {file(server, "client-certificate: cert"), "its key is not"},
		"key alone":              {file(server, "client-key: key"), "its certificate is not"},
		"empty key":              {file(server, "client-certificate: cert, client-key: empty"), "the file of client-key: the file is empty"},
		"token":                  {file(server, "token: "+planted+" x"), "the token contains spaces"},
		"empty token file":       {file(server, "tokenFile: empty"), "tokenFile: the file is empty"},
		"encrypted key":          {file(server, "client-certificate: cert, client-key: encrypted"), "encrypted with a passphrase"},
		"other key":              {file(server, "client-certificate: cert, client-key: other"), "does not belong to the client certificate"},
		"two ways":               {file(server, "token: "+planted+", username: u, password: "+planted), "keep one of them"},
		"old plugin":             {file(server, "auth-provider: {name: "+planted+"}"), "no longer supports"},
		"a plugin's arguments":   {file(server, `exec: {apiVersion: client.authentication.k8s.io/v1, command: "false --key `+planted+`", args: [`+planted+`], interactiveMode: Never}`), `the credential plugin "false" is not installed`},
	} {
		err := get(t.Context(), Config{ConfigPath: f.write("config", test.content)})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), planted) || len(err.Error()) > 500 {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	for name, test := range map[string]struct {
		config Config
		want   string
	}{
		"no file":         {Config{ConfigPath: filepath.Join(f.dir, "none")}, "there is no such file"},
		"unknown context": {Config{ConfigPath: f.write("config", file(server, "")), ConfigContext: "three"}, `no context "three"; its contexts are: "main", "other"`},
		"plain http":      {Config{Host: "http://kuscia.example:6443", Token: planted}, "use https://"},
		"bad certificate": {Config{Host: "https://kuscia.example:6443", ClusterCACertificate: planted}, "the CA certificate of the cluster: it contains no certificate"},
		"not a pod":       {Config{}, "not a pod with a service account"},
	} {
		if err := get(t.Context(), test.config); err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), planted) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// TestExpandedKubeconfig: aliases of YAML, which are expanded when it is parsed, make a kubeconfig
// no larger than any other. Ordinary ones keep their meaning.
func TestExpandedKubeconfig(t *testing.T) {
	f := newFolder(t)
	address, sent := seenBy(t, "Authorization")
	shared := `x: &user {token: shared}` + "\n" + strings.Replace(kubeconfigOf(`server: "`+address+`", insecure-skip-tls-verify: true`, ""), "user: {}", "user: *user", 1)
	if err := get(t.Context(), Config{ConfigPath: f.write("shared", shared)}); err != nil || *sent != "Bearer shared" {
		t.Errorf("sent %q: %v", *sent, err)
	}
	list := func(alias string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(alias+",", 20_000), ",") + "]\n"
	}
	for content, want := range map[string]string{
		"x: &a " + strings.Repeat("x", 20_000) + "\ny: " + list("*a"):       "the aliases (*name) in it",
		"a: &a " + list("[]") + "b: [" + strings.Repeat("*a,", 300) + "]\n": "the aliases (*name) in it",
		"a: &a [*a, *a]\n": "the aliases (*name) in it",
		"x: " + strings.Repeat("[", 200) + strings.Repeat("]", 200): "nested more than 100 levels deep",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := get(t.Context(), Config{ConfigPath: f.write("config", content)})
		runtime.ReadMemStats(&after)
		if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || !strings.Contains(err.Error(), want) || grown > 200 {
			t.Errorf("%.30s: %d MiB: %.300v", content, grown, err)
		}
	}
}

// TestBadPlugins: the error of a plugin names it, and nothing that it was given or
// returns.
func TestBadPlugins(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	address, _ := seenBy(t, "Authorization")
	certificate, _ := testcert.Pair(t, "one")
	prints := func(name, output string) string {
		f.write(name+".out", output)
		return f.write(name, "#!/bin/sh\ncat \"$0.out\"\necho "+planted+" >&2\n")
	}
	f.write("plain", "")
	if err := os.Chmod(filepath.Join(f.dir, "plain"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, command := range map[string]string{
		`is not installed`:                  "no-such-program-of-ours",
		`was killed by a signal`:            f.write("killed", "#!/bin/sh\nkill -9 $$\n"),
		`byte order mark`:                   prints("marked", "\xef\xbb\xbf"+execCredential(`"token":"x"`)),
		`the token contains spaces`:         prints("spaces", execCredential(`"token":"`+planted+` x"`)),
		`cannot be run`:                     filepath.Join(f.dir, "plain"),
		`failed with exit code 3`:           f.write("failing", "#!/bin/sh\necho "+planted+"\nexit 3\n"),
		`is not a JSON object`:              prints("text", planted),
		`of another version`:                prints("version", strings.Replace(execCredential(`"token":"`+planted+`"`), "/v1", "/v1beta1", 1)),
		`neither a token nor a client`:      prints("nothing", execCredential("")),
		`contains no private key`:           prints("half", execCredential(`"clientCertificateData":`+fmt.Sprintf("%q", certificate))),
		`returned more than 1 MiB`:          f.write("endless", "#!/bin/sh\nexec cat /dev/zero\n"),
		`returned an invalid credential: C`: prints("cert", execCredential(`"clientCertificateData":"`+planted+`","clientKeyData":"`+planted+`"`)),
	} {
		exec := &Exec{APIVersion: "client.authentication.k8s.io/v1", Command: command, Args: []string{planted}, Env: map[string]string{"KEY": planted}}
		err := get(t.Context(), Config{Host: address, Insecure: true, Exec: exec})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.Base(command)) || strings.Contains(err.Error(), planted) {
			t.Errorf("%v, want %q", err, want)
		}
		if !errors.Is(err, apierror.ErrUnauthorized) || !strings.Contains(apierror.Hint(err), "Run it manually") {
			t.Errorf("%v: hint %q", err, apierror.Hint(err))
		}
	}
}
