package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// output collects what the program prints and signals when it is complete.
type output struct {
	mu    sync.Mutex
	text  bytes.Buffer
	ready chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer close(o.ready)
	return o.text.Write(p)
}

// started runs the program until stop is called, which returns its error.
func started(t *testing.T, args ...string) (printed string, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, ended := &output{ready: make(chan struct{})}, make(chan error, 1)
	go func() { ended <- run(ctx, args, out, &bytes.Buffer{}) }()
	select {
	case <-out.ready:
	case err := <-ended:
		cancel()
		t.Fatalf("ended at once: %v", err)
	case <-time.After(time.Minute):
		cancel()
		t.Fatal("prints nothing")
	}
	printed = out.text.String()
	blocks := []byte(printed[strings.Index(printed, "provider ") : strings.LastIndex(printed, "}\n")+2])
	if formatted := hclwrite.Format(blocks); !bytes.Equal(formatted, blocks) {
		t.Errorf("printed\n%s\nformatted\n%s", blocks, formatted)
	}
	return printed, func() error {
		cancel()
		return <-ended
	}
}

func attribute(t *testing.T, text, name string) string {
	t.Helper()
	found := regexp.MustCompile(name + `\s*= "([^"]+)"`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in %s", name, text)
	}
	return found[1]
}

// TestPrintedConfigurationWorks: the master, each node beside it and the simulated IEF respond as the
// printed configurations say, each with credentials of its own.
func TestPrintedConfigurationWorks(t *testing.T) {
	t.Parallel()
	for _, certs := range [][]string{nil, {"--certs-dir", t.TempDir()}} {
		text, stop := started(t, append(certs, "--listen", "127.0.0.1:0", "--timing", "quick", "--domains", "alice", "--ief", "127.0.0.1:0", "--ief-offline", "node-9",
			"--node", "alice@127.0.0.1:0", "--node", "carol@127.0.0.1:0")...)
		dir := attribute(t, text, "certs_dir")
		if waits := "waits for its domain and a deploy token"; !strings.Contains(text, `The node of "carol" `+waits) || strings.Count(text, waits) != 1 {
			t.Errorf("printed %s", text)
		}
		if answer := ask(t, dir, attribute(t, text, "endpoint"), "/healthZ", "{}"); !strings.Contains(answer, `"ready":true`) {
			t.Errorf("the master: %s", answer)
		}
		_, node, _ := strings.Cut(text, `= "alice"`)
		answer := ask(t, attribute(t, node, "certs_dir"), attribute(t, node, "endpoint"), "/api/v1/domaindatasource/list", `{"domain_id":"alice"}`)
		if !strings.Contains(answer, `"localfs":{"path":`) {
			t.Errorf("data sources of alice at its node: %s", answer)
		}
		_, edge, _ := strings.Cut(text, "ief = {")
		client, err := ief.New(ief.Config{
			Endpoint: attribute(t, edge, "endpoint"), ProjectID: attribute(t, edge, "project_id"),
			AccessKey: attribute(t, edge, "access_key"), SecretKey: attribute(t, edge, "secret_key"),
		})
		if err != nil {
			t.Fatal(err)
		}
		if all, err := client.List(t.Context(), ief.Scope{Version: ief.V3}, ief.Filter{}, 0); err != nil || len(all) != 0 {
			t.Errorf("%d deployments, %v", len(all), err)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
		for _, file := range []string{"token", "carol/ca.crt"} { // temporary ones are removed
			if _, err := os.Stat(filepath.Join(dir, file)); (err == nil) != (certs != nil) {
				t.Errorf("%s in %s: %v", file, dir, err)
			}
		}
	}
}

// ask sends a request with the certificates and the token of a folder.
func ask(t *testing.T, dir, endpoint, path, body string) string {
	t.Helper()
	read := func(name string) []byte { return []byte(testfile.Read(t, filepath.Join(dir, name))) }
	pair, err := tls.X509KeyPair(read("kusciaapi-server.crt"), read("kusciaapi-server.key"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(read("ca.crt"))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{
		MinVersion: tls.VersionTLS12, RootCAs: pool, Certificates: []tls.Certificate{pair},
	}}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Token", string(read("token")))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestInvalidOptions(t *testing.T) {
	node := func(text string) []string {
		return []string{"--listen", "127.0.0.1:0", "--protocol", "notls", "--certs-dir", t.TempDir(), "--node", text}
	}
	for want, args := range map[string][]string{
		"protocol \"SSL\"":    {"--protocol", "ssl"},
		"timing \"slow\"":     {"--timing", "slow"},
		"not on loopback":     {"--listen", "0.0.0.0:0"},
		"unexpected argument": {"extra"},
		"flags: ":             {"--nonsense"},
		"does not look like":  {"--version", "x", "--listen", "127.0.0.1:0"},
		"has no servings, which need Kuscia v0.4 or later": {"--version", "v0.3.0b0", "--listen", "127.0.0.1:0"},
		"missing port in address":                          {"--listen", "127.0.0.1"},
		"reading the state":                                {"--listen", "127.0.0.1:0", "--state-file", "main.go"},
		`the address "0.0.0.0:0" is not on loopback`:       {"--listen", "127.0.0.1:0", "--ief", "0.0.0.0:0"},
		"is not of the form domain@address":                node("alice"),
		"is not on loopback":                               node("alice@0.0.0.0:0"),
		`"../alice" is not the name of a domain`:           node("../alice@127.0.0.1:0"),
		"making the certificates folder":                   node("token@127.0.0.1:0"),
		"make sandbox builds and starts both":              {"--kubernetes"},
		"kubernetes-program: stat /nowhere":                {"--kubernetes", "--kubernetes-program", "/nowhere"},
		"has no effect without --kubernetes":               {"--kubernetes-program", "/nowhere"},
		"--autonomy cannot be combined":                    {"--kubernetes", "--autonomy", "alice"},
		"--lag cannot be combined with --kubernetes":       {"--kubernetes", "--lag", "30s"},
		"--state-file cannot be combined":                  {"--kubernetes", "--state-file", "state.json"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		err := run(ctx, args, &bytes.Buffer{}, &bytes.Buffer{})
		cancel()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
	var usage bytes.Buffer
	if err := run(t.Context(), []string{"--help"}, &bytes.Buffer{}, &usage); err != nil || !strings.Contains(usage.String(), "-certs-dir folder") {
		t.Errorf("help: %v, %s", err, usage.String())
	}
}
