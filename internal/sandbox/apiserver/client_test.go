package apiserver

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

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
