package apiserver

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// TestCleanWhileCreating: what is created during a clean-up does not disturb it, and is
// deleted by the next one.
func TestCleanWhileCreating(t *testing.T) {
	var posted, deleted atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			posted.Add(1)
		case http.MethodDelete:
			deleted.Add(1)
		}
		_, _ = w.Write([]byte("{}"))
	}))
	defer server.Close()
	api := &Objects{connection: &connection{url: server.URL, http: server.Client()}}
	images, clean := objects.Remote[objects.AppImage]{API: api}, api.Record()
	done := make(chan error)
	go func() {
		var err error
		for i := 0; i < 100 && err == nil; i++ {
			err = images.Create(&objects.AppImage{Meta: objects.Meta{Name: fmt.Sprint("image-", i)}})
		}
		done <- err
	}()
	for range 20 {
		if err := clean(); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	before := deleted.Load()
	if err := clean(); err != nil || posted.Load() != 100 || deleted.Load()-before != 100 {
		t.Errorf("%d created, the last clean-up deleted %d: %v", posted.Load(), deleted.Load()-before, err)
	}
}

// TestErrorsAreThoseOfTheServer: a message of the API server is an error as it is, and a
// missing object is none.
func TestErrorsAreThoseOfTheServer(t *testing.T) {
	response, code := `{"kind":"Status","message":"appimages.kuscia.secretflow \"a\" already exists"}`, http.StatusConflict
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = w.Write([]byte(response))
	}))
	defer server.Close()
	images := objects.Remote[objects.AppImage]{API: &connection{url: server.URL, http: server.Client()}}
	if err := images.Create(&objects.AppImage{}); err == nil || err.Error() != `appimages.kuscia.secretflow "a" already exists` {
		t.Errorf("a clash: %v", err)
	}
	response, code = "bad gateway", http.StatusBadGateway
	if err := images.Update(&objects.AppImage{}); err == nil || err.Error() != "HTTP status 502: bad gateway" {
		t.Errorf("a gateway: %v", err)
	}
	response, code = "{}", http.StatusNotFound
	if found, err := images.Get("", "a"); found != nil || err != nil {
		t.Errorf("a missing object: %v, %v", found, err)
	}
	if err := images.Delete("", "a"); objects.ReasonOf(err) != objects.NotFound {
		t.Errorf("deleting a missing object: %v", err)
	}
	response, code = "{}", http.StatusOK
	if found, err := images.Get("", ""); found != nil || err == nil {
		t.Errorf("an object without a name: %v, %v", found, err)
	}
	if err := images.Delete("", ""); err == nil {
		t.Error("all objects are deleted for one without a name")
	}
	response, code = "[", http.StatusOK
	if _, err := images.List("", nil); err == nil {
		t.Error("half a list is no error")
	}
}

// TestKubeconfigOfTheCurrentContext: the others are not used.
func TestKubeconfigOfTheCurrentContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kubeconfig")
	const config = `{"current-context":"b","contexts":[{"name":"a","context":{"cluster":"a","user":"a"}},{"name":"b","context":{"cluster":"c","user":"u"}}],
		"clusters":[{"name":"a","cluster":{"server":"https://a"}},{"name":"c","cluster":{"server":"https://c"}}],
		"users":[{"name":"a","user":{"token":"wrong"}},{"name":"u","user":{"token":"right"}}]}`
	for text, want := range map[string]string{
		config: "", strings.Replace(config, `"b","contexts"`, `"x","contexts"`, 1): "no server", "current-context: b": "invalid character",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := connect(path)
		switch {
		case want == "":
			if err != nil || c.url != "https://c" || c.token != "right" {
				t.Errorf("%+v, %v", c, err)
			}
		case err == nil || !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestProgramThatEnds: it is noticed, and an error unless somebody has interrupted it.
func TestProgramThatEnds(t *testing.T) {
	for code, want := range map[string]string{"0": "", "3": "exit status 3: out of memory"} {
		program := filepath.Join(t.TempDir(), "program")
		script := `#!/bin/sh
echo '{"current-context":"a","contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}],"clusters":[{"name":"a","cluster":{"server":"https://a"}}],"users":[{"name":"a","user":{"token":"t"}}]}' >"$2"
echo ready
echo out of memory >&2
exit ` + code
		if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		s, err := Start(t.Context(), program, filepath.Join(t.TempDir(), "kubeconfig"))
		if err != nil {
			t.Fatal(err)
		}
		<-s.Ended()
		if err := s.Close(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("exit code %s: %v, want %q", code, err, want)
		}
	}
}

// TestProgramThatDoesNotServe: what it says is in the error.
func TestProgramThatDoesNotServe(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho no etcd >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), program, filepath.Join(t.TempDir(), "kubeconfig")); err == nil || !strings.Contains(err.Error(), "no etcd") {
		t.Errorf("%v", err)
	}
}
