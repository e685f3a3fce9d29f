package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNodesBesideTheMaster: each node has its own endpoint, which serves its
// domain.
func TestNodesBesideTheMaster(t *testing.T) {
	text, stop := started(t, "--listen", "127.0.0.1:0", "--protocol", "notls", "--timing", "quick", "--node", "alice@127.0.0.1:0", "--node", "bob@127.0.0.1:0")
	endpoints := regexp.MustCompile(`endpoint\s*= "([^"]+)"`).FindAllStringSubmatch(text, -1)
	if len(endpoints) != 3 || !strings.Contains(text, `alias    = "alice"`) || !strings.Contains(text, `alias    = "bob"`) {
		t.Fatalf("printed %s", text)
	}
	for i, domain := range []string{"alice", "bob"} {
		response, err := http.Post(endpoints[i+1][1]+"/api/v1/domaindatasource/list", "application/json", strings.NewReader(`{"domain_id":"`+domain+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || !strings.Contains(string(answer), `"localfs":{"path":`) {
			t.Errorf("data sources of %s at its node: %s, %v", domain, answer, err)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// TestCertificatesOfNodes: each node has a folder below that of the master, also one whose
// domain does not exist yet.
func TestCertificatesOfNodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text, stop := started(t, "--listen", "127.0.0.1:0", "--domains=bob", "--certs-dir", dir, "--node", "alice@127.0.0.1:0", "--node", "bob@127.0.0.1:0")
	if waits := "waits for its domain and a deploy token"; !strings.Contains(text, `The node of "alice" `+waits) || strings.Count(text, waits) != 1 {
		t.Errorf("printed %s", text)
	}
	for _, file := range []string{"token", "alice/token", "alice/ca.crt", "alice/kusciaapi-server.key"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
