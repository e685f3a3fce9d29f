package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
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

// TestKubernetesOfAnOldKuscia: the KusciaDeployments of v0.5 belong to no namespace, and a route
// without a token configuration ends their controller.
func TestKubernetesOfAnOldKuscia(t *testing.T) {
	program, err := kubeserver.Program()
	if err != nil {
		t.Fatal(err)
	}
	text, stop := started(t, "--listen", "127.0.0.1:0", "--protocol", "notls", "--timing", "quick", "--version", "v0.5.0b0", "--kubernetes", "--kubernetes-program", program)
	config, err := kubeserver.ConfigOf(attribute(t, text, "config_path"))
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	group := schema.GroupVersion{Group: "kuscia.secretflow", Version: "v1alpha1"}
	image := map[string]any{
		"apiVersion": group.String(), "kind": "AppImage", "metadata": map[string]any{"name": "app"}, "spec": map[string]any{
			"image": map[string]any{"name": "example/app", "tag": "v1"},
			"deployTemplates": []any{map[string]any{"name": "t", "replicas": int64(1), "spec": map[string]any{"containers": []any{map[string]any{
				"name": "main", "workingDir": "/", "ports": []any{map[string]any{"name": "http", "port": int64(8080), "protocol": "HTTP", "scope": "Cluster"}},
			}}}}},
		},
	}
	if _, err := client.Resource(group.WithResource("appimages")).Create(t.Context(), &unstructured.Unstructured{Object: image}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	send := func(op, body string) string {
		t.Helper()
		response, err := http.Post(attribute(t, text, "endpoint")+"/api/v1/"+op, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		answer, err := io.ReadAll(response.Body)
		if err != nil || !strings.Contains(string(answer), `"code":0`) {
			t.Fatalf("%s: %s, %v", op, answer, err)
		}
		return string(answer)
	}
	create := func(id string) {
		t.Helper()
		send("serving/create", `{"serving_id":"`+id+`","initiator":"alice","serving_input_config":"c","parties":[{"domain_id":"alice","app_image":"app"}]}`)
	}
	runs := func(id string) bool {
		t.Helper()
		return strings.Contains(send("serving/status/batchQuery", `{"serving_ids":["`+id+`"]}`), `"state":"Available"`)
	}
	create("before")
	for began := time.Now(); !runs("before"); time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("the serving does not run")
		}
	}
	deployments := client.Resource(group.WithResource("kusciadeployments"))
	if _, err := deployments.Get(t.Context(), "before", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := deployments.Namespace("cross-domain").Get(t.Context(), "before", metav1.GetOptions{}); err == nil {
		t.Error("the cluster has KusciaDeployments in a namespace")
	}
	send("route/create", `{"authentication_type":"None","source":"alice","destination":"bob","endpoint":{"host":"h","ports":[{"name":"http","port":1080,"protocol":"HTTP"}]}}`)
	time.Sleep(time.Second)
	create("after")
	time.Sleep(2 * time.Second)
	if kd, err := deployments.Get(t.Context(), "after", metav1.GetOptions{}); err != nil || kd.Object["status"] != nil {
		t.Errorf("the controllers have not ended: %v, %v", kd, err)
	}
	if err := stop(); err != nil {
		t.Error(err)
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
