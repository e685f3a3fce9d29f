package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubeserver"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// TestKubernetes: what is created through the KusciaAPI is in the cluster of the printed
// kubeconfig, and nothing is left in the end.
func TestKubernetes(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	program, err := kubeserver.Program()
	if err != nil {
		t.Fatal(err)
	}
	text, stop := started(t, "--listen", "127.0.0.1:0", "--protocol", "notls", "--timing", "quick", "--kubernetes", "--kubernetes-program", program)
	kubeconfig := attribute(t, text, "config_path")
	if !strings.Contains(text, "export KUBECONFIG="+kubeconfig+"\n") {
		t.Errorf("printed %s", text)
	}
	response, err := http.Post(attribute(t, text, "endpoint")+"/api/v1/appimage/create", "application/json", strings.NewReader(
		`{"name":"app","image":{"name":"example/app","tag":"v1"},"deploy_templates":[{"name":"t","replicas":1,"containers":[{"name":"main"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	config, err := kubeserver.ConfigOf(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	images := client.Resource(schema.GroupVersionResource{Group: "kuscia.secretflow", Version: "v1alpha1", Resource: "appimages"})
	if _, err := images.Get(t.Context(), "app", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	for path, body := range map[string]string{"advance": `{"by":"1s"}`, "faults": `{"kind":"lag","delay":"1s"}`} {
		response, err := http.Post(attribute(t, text, "endpoint")+"/sandbox/"+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s without an effect: HTTP status %d", path, response.StatusCode)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if _, err := images.Get(t.Context(), "app", metav1.GetOptions{}); err == nil {
		t.Error("the API server still responds")
	}
}

// TestKubernetesThatDoesNotStart: an interrupt during the start ends all of it.
func TestKubernetesThatDoesNotStart(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	program := filepath.Join(t.TempDir(), "slow")
	testfile.Write(t, program, "#!/bin/sh\ncat >/dev/null\n")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := run(ctx, []string{"--kubernetes", "--kubernetes-program", program}, &bytes.Buffer{}, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "before it was ready") {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
