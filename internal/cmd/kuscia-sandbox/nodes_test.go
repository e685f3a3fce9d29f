package main

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestNodesBesideTheMaster: each node has its own endpoint, which serves its
// domain.
func TestNodesBesideTheMaster(t *testing.T) {
	text, stop := started(t, "--listen", "127.0.0.1:0", "--protocol", "notls", "--timing", "quick", "--node", "alice@127.0.0.1:0", "--node", "bob@127.0.0.1:0")
	endpoints := regexp.MustCompile(`endpoint\s*= "([^"]+)"`).FindAllStringSubmatch(text, -1)
	if len(endpoints) != 3 || !strings.Contains(text, `alias     = "alice"`) || !strings.Contains(text, `alias     = "bob"`) {
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

func TestMistakesInNodesAreTold(t *testing.T) {
	for want, text := range map[string]string{
		"is not of the form domain@address": "alice",
		`node of nobody: `:                  "nobody@127.0.0.1:0",
		"is not on loopback":                "alice@0.0.0.0:0",
	} {
		err := run(t.Context(), []string{"--listen", "127.0.0.1:0", "--protocol", "notls", "--node", text}, &bytes.Buffer{}, &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
