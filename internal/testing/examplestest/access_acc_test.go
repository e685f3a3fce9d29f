package examplestest_test

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// TestAccProviderBlocks lets the provider block of an example alone say how a Kuscia or a
// cluster is reached. The block does nothing until something needs it.
func TestAccProviderBlocks(t *testing.T) {
	t.Parallel()
	acctest.CLI(t) // skips before anything is made
	for dir, protocol := range short.Sample(t, 1, map[string]string{
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
	for _, dir := range short.Sample(t, 1, map[string]string{"kubeconfig": "cluster-access/kubeconfig", "token": "cluster-access/token", "exec": "cluster-access/exec"}) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			testClusterAccess(t, dir)
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

// testClusterAccess reads a cluster with the token of the current context, from a variable and
// from a program that gives it if it gets what the example says; and with a context that is not
// the current one, and belongs to another user.
func testClusterAccess(t *testing.T, dir string) {
	t.Helper()
	k := acctest.NewKubeServer(t)
	loaded, err := clientcmd.LoadFromFile(k.KubeconfigPath())
	if err != nil {
		t.Fatal(err)
	}
	context := loaded.Contexts[loaded.CurrentContext]
	cluster, token := loaded.Clusters[context.Cluster], loaded.AuthInfos[context.AuthInfo].Token
	ca, program := filepath.Join(t.TempDir(), "ca.crt"), filepath.Join(t.TempDir(), "kuscia-token")
	testfile.Write(t, ca, string(cluster.CertificateAuthorityData))
	script := fmt.Sprintf("#!/bin/sh\n[ \"$*\" = \"--service-account cross-domain/terraform\" ] && [ \"$VAULT_ADDR\" = \"https://vault.example:8200\" ] || exit 1\n"+
		"echo '{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\", \"status\": {\"token\": %q}}'\n", token)
	testfile.Write(t, program, script)
	counted := k.CountRequests()
	needs(t, dir, map[string]string{"KUSCIA_KUBE_TOKEN": map[bool]string{true: token}[path.Base(dir) == "token"]}, "kuscia_deployments", "deployments",
		"~/.kube/kuscia", k.KubeconfigPath(), `"terraform"`, `"certificate"`, "https://kuscia.example:6443", cluster.Server, "${path.root}/kuscia-ca.crt", ca,
		`"kuscia-token"`, fmt.Sprintf("%q", program))
	if n := len(counted.Since()); (n == 0) != (path.Base(dir) == "kubeconfig") {
		t.Errorf("%d requests of the user of the current context", n)
	}
}
