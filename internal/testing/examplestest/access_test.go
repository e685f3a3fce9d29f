package examplestest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccProviderBlocks lets the provider block of an example alone say how a Kuscia or a
// cluster is reached. The block does nothing until something needs it.
func TestAccProviderBlocks(t *testing.T) {
	t.Parallel()
	acctest.CLI(t) // skips before anything is made
	for dir, protocol := range acctest.Sample(t, 1, map[string]string{
		"provider":        sandbox.ProtocolMTLS,
		"protocols/mtls":  sandbox.ProtocolMTLS,
		"protocols/notls": sandbox.ProtocolNOTLS,
		"protocols/tls":   sandbox.ProtocolTLS,
	}) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewSandbox(t, sandbox.Options{Protocol: protocol}).Sandbox
			needs(t, dir, nil, "kuscia_app_images", "app_images",
				"http://kuscia.example:8082", s.Endpoint(), "https://kuscia.example:8082", s.Endpoint(), "/etc/kuscia/certs", s.CertsDir())
		})
	}
	for dir, access := range acctest.Sample(t, 1, map[string]func(t *testing.T, k *acctest.Kube, dir string){
		"cluster-access/kubeconfig": testKubeconfigAccess,
		"cluster-access/token":      testTokenAccess,
		"cluster-access/exec":       testExecAccess,
	}) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			access(t, acctest.NewKubeServer(t), dir)
		})
	}
}

// needs reads a data source of which there is nothing, with the provider block of an example.
// The pairs are places of the example and what is there in the test.
func needs(t *testing.T, dir string, variables map[string]string, dataSource, list string, pairs ...string) {
	t.Helper()
	w := named(t, dir).workspace(t, acctest.Factories(variables), strings.NewReplacer(pairs...))
	w.Write("needs.tf", fmt.Sprintf("data %q \"all\" {}\n\noutput \"found\" {\n  value = length(data.%[1]s.all.%s)\n}\n", dataSource, list))
	w.Init()
	expectIn(t, w.Run(0, "apply", "-auto-approve"), "found = 0")
}

// requests reads a cluster with the provider block of an example. It says how many requests
// the user of the current context made.
func requests(t *testing.T, k *acctest.Kube, dir string, variables map[string]string, pairs ...string) int {
	t.Helper()
	counted := k.CountRequests()
	needs(t, dir, variables, "kuscia_deployments", "deployments", pairs...)
	return len(counted.Since())
}

// testKubeconfigAccess takes a context that is not the current one, and belongs
// to another user.
func testKubeconfigAccess(t *testing.T, k *acctest.Kube, dir string) {
	if n := requests(t, k, dir, nil, "~/.kube/kuscia", k.KubeconfigPath(), `"terraform"`, `"certificate"`); n > 0 {
		t.Errorf("%d requests of the user of the current context", n)
	}
}

func testTokenAccess(t *testing.T, k *acctest.Kube, dir string) {
	places, token := hostOf(t, k)
	if n := requests(t, k, dir, map[string]string{"KUSCIA_KUBE_TOKEN": token}, places...); n == 0 {
		t.Error("no request with the token")
	}
}

// testExecAccess has a program that gives the token if it gets what the example
// says.
func testExecAccess(t *testing.T, k *acctest.Kube, dir string) {
	places, token := hostOf(t, k)
	program := filepath.Join(t.TempDir(), "kuscia-token")
	script := fmt.Sprintf("#!/bin/sh\n[ \"$*\" = \"--service-account cross-domain/terraform\" ] && [ \"$VAULT_ADDR\" = \"https://vault.example:8200\" ] || exit 1\n"+
		"echo '{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\", \"status\": {\"token\": %q}}'\n", token)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if n := requests(t, k, dir, nil, append(places, `"kuscia-token"`, fmt.Sprintf("%q", program))...); n == 0 {
		t.Error("no request with the token of the program")
	}
}

// hostOf is what the kubeconfig of a test says, in the places of the examples.
func hostOf(t *testing.T, k *acctest.Kube) (places []string, token string) {
	t.Helper()
	loaded, err := clientcmd.LoadFromFile(k.KubeconfigPath())
	if err != nil {
		t.Fatal(err)
	}
	context := loaded.Contexts[loaded.CurrentContext]
	cluster := loaded.Clusters[context.Cluster]
	ca := filepath.Join(t.TempDir(), "ca.crt")
	write(t, ca, string(cluster.CertificateAuthorityData))
	return []string{"https://kuscia.example:6443", cluster.Server, "${path.root}/kuscia-ca.crt", ca}, loaded.AuthInfos[context.AuthInfo].Token
}
