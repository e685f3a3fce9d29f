package examplestest_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// clusterOf is what the kubeconfig of a test says.
type clusterOf struct{ host, ca, token string }

func accessOf(t *testing.T, k *acctest.Kube) clusterOf {
	t.Helper()
	loaded, err := clientcmd.LoadFromFile(k.KubeconfigPath())
	if err != nil {
		t.Fatal(err)
	}
	context := loaded.Contexts[loaded.CurrentContext]
	cluster := loaded.Clusters[context.Cluster]
	found := clusterOf{host: cluster.Server, ca: filepath.Join(t.TempDir(), "ca.crt"), token: loaded.AuthInfos[context.AuthInfo].Token}
	write(t, found.ca, string(cluster.CertificateAuthorityData))
	return found
}

// reads lets a provider block alone say how a cluster is reached. The pairs are
// places of the example and what is there in the test. It says how many requests
// the test's own user made.
func reads(t *testing.T, k *acctest.Kube, e example, variables map[string]string, pairs ...string) int {
	t.Helper()
	places := strings.NewReplacer(pairs...)
	for i := 0; i < len(pairs); i += 2 {
		if !bytes.Contains(must[[]byte](t)(os.ReadFile(filepath.Join(filepath.FromSlash(e.dir), "main.tf"))), []byte(pairs[i])) {
			t.Errorf("%s is not in the example", pairs[i])
		}
	}
	w := acctest.NewWorkspace(t, acctest.Factories(variables))
	for _, file := range e.configuration {
		w.Write(filepath.Base(file), places.Replace(string(e.read(t, file))))
	}
	w.Write("needs.tf", "data \"kuscia_deployments\" \"none\" {\n  label_selector = \"nobody=has-it\"\n}\n"+
		"output \"found\" {\n  value = length(data.kuscia_deployments.none.deployments)\n}\n")
	w.Init()
	requests := k.CountRequests()
	expectIn(t, w.Run(0, "apply", "-auto-approve"), "found = 0")
	return len(requests.Since())
}

// testKubeconfigAccess takes a context that is not the current one, and belongs
// to another user.
func testKubeconfigAccess(t *testing.T, e example) {
	k := kruiseCluster(t)
	if n := reads(t, k, e, nil, "~/.kube/kuscia", k.KubeconfigPath(), `"terraform"`, `"certificate"`); n > 0 {
		t.Errorf("%d requests of the user of the current context", n)
	}
}

func testTokenAccess(t *testing.T, e example) {
	k := kruiseCluster(t)
	cluster := accessOf(t, k)
	if n := reads(t, k, e, map[string]string{"KUSCIA_KUBE_TOKEN": cluster.token}, "https://kuscia.example:6443", cluster.host, "${path.root}/kuscia-ca.crt", cluster.ca); n == 0 {
		t.Error("no request with the token")
	}
}

// testExecAccess has a program that gives the token if it gets what the example
// says.
func testExecAccess(t *testing.T, e example) {
	k := kruiseCluster(t)
	cluster := accessOf(t, k)
	program := filepath.Join(t.TempDir(), "kuscia-token")
	script := fmt.Sprintf("#!/bin/sh\n[ \"$*\" = \"--service-account cross-domain/terraform\" ] && [ \"$VAULT_ADDR\" = \"https://vault.example:8200\" ] || exit 1\n"+
		"echo '{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\", \"status\": {\"token\": %q}}'\n", cluster.token)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if n := reads(t, k, e, nil, "https://kuscia.example:6443", cluster.host, "${path.root}/kuscia-ca.crt", cluster.ca, `"kuscia-token"`, fmt.Sprintf("%q", program)); n == 0 {
		t.Error("no request with the token of the program")
	}
}
