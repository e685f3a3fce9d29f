package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
)

// kubeValue is the attribute with some values set.
func kubeValue(t *testing.T, values map[string]attr.Value) types.Object {
	t.Helper()
	object, ok := kubernetesSchema().GetType().(types.ObjectType)
	if !ok {
		t.Fatal("not an object")
	}
	all := map[string]attr.Value{}
	for name, attrType := range object.AttrTypes {
		all[name] = nullOf(t, attrType)
		if v, ok := values[name]; ok {
			all[name] = v
		}
	}
	return types.ObjectValueMust(object.AttrTypes, all)
}

// execValue is a credential plugin in the block.
func execValue(version, command string) attr.Value {
	of := map[string]attr.Type{
		execAPIVersion: types.StringType, execCommand: types.StringType,
		execArgs: types.ListType{ElemType: types.StringType}, execEnv: types.MapType{ElemType: types.StringType},
	}
	return types.ObjectValueMust(of, map[string]attr.Value{
		execAPIVersion: types.StringValue(version), execCommand: types.StringValue(command),
		execArgs: types.ListNull(types.StringType), execEnv: types.MapNull(types.StringType),
	})
}

func nullOf(t *testing.T, attrType attr.Type) attr.Value {
	t.Helper()
	v, err := attrType.ValueFromTerraform(t.Context(), tftypes.NewValue(attrType.TerraformType(t.Context()), nil))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestKubernetesAccess covers combinations of the block and the environment.
// The kubeconfig is not read: it does not exist.
func TestKubernetesAccess(t *testing.T) {
	t.Parallel()
	str := func(s string) attr.Value { return types.StringValue(s) }
	exec := types.ObjectValueMust(execSchema("").GetType().(types.ObjectType).AttrTypes, map[string]attr.Value{
		execAPIVersion: str("client.authentication.k8s.io/v1"), execCommand: str("login"),
		execArgs: types.ListValueMust(types.StringType, []attr.Value{str("a")}), execEnv: types.MapValueMust(types.StringType, map[string]attr.Value{"K": types.StringUnknown()}),
	})
	tests := map[string]struct {
		block   map[string]attr.Value // nil: not set
		env     map[string]string
		ready   bool
		missing bool
		unknown string
		problem string
		want    string // the resulting configuration
	}{
		"nothing":                         {missing: true},
		"a pod":                           {block: map[string]attr.Value{}, env: map[string]string{"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, ready: true, want: "{ConfigPath: ConfigContext: Host: Token:"},
		"a pod that says nothing":         {env: map[string]string{"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, missing: true},
		"a kubeconfig":                    {block: map[string]attr.Value{kubeConfigPath: str("/none"), kubeConfigContext: str("c")}, ready: true, want: "ConfigPath:/none ConfigContext:c"},
		"the environment":                 {env: map[string]string{"KUSCIA_KUBE_CONFIG_PATH": "/env"}, ready: true, want: "ConfigPath:/env"},
		"a host and its token from there": {block: map[string]attr.Value{kubeHost: str("https://h")}, env: map[string]string{"KUSCIA_KUBE_TOKEN": "T"}, ready: true, want: "Host:https://h Token:T"},
		"a host keeps its own credentials": {
			block: map[string]attr.Value{kubeHost: str("https://h"), kubeClientCertificate: str("C"), kubeClientKey: str("K")},
			env:   map[string]string{"KUSCIA_KUBE_TOKEN": "T"}, ready: true, want: "Host:https://h Token: ",
		},
		"a kubeconfig takes no token":                    {block: map[string]attr.Value{kubeConfigPath: str("/none")}, env: map[string]string{"KUSCIA_KUBE_TOKEN": "T", "KUSCIA_KUBE_HOST": "h"}, ready: true, want: "Host: Token: "},
		"a token beside a kubeconfig of the environment": {block: map[string]attr.Value{kubeToken: str("T")}, env: map[string]string{"KUSCIA_KUBE_CONFIG_PATH": "/env"}, problem: "kubernetes.token has no effect"},
		"two ways in the environment":                    {env: map[string]string{"KUSCIA_KUBE_CONFIG_PATH": "/env", "KUSCIA_KUBE_HOST": "h"}, problem: "both KUSCIA_KUBE_CONFIG_PATH and KUSCIA_KUBE_HOST"},
		"a program of the environment": {
			env:   map[string]string{"KUSCIA_KUBE_HOST": "h", "KUSCIA_KUBE_EXEC": `{"api_version": "v", "command": "login", "args": ["x"]}`},
			ready: true, want: "Host:h",
		},
		"a token and a program": {
			env:     map[string]string{"KUSCIA_KUBE_HOST": "h", "KUSCIA_KUBE_TOKEN": "T", "KUSCIA_KUBE_EXEC": `{"api_version": "v", "command": "login"}`},
			problem: "both token and exec",
		},
		"a kubeconfig as its path": {env: map[string]string{"KUSCIA_KUBE_CONFIG_PATH": `{"kind": "Config", "users": ["hidden-secret"]}`}, problem: "expects the path of a kubeconfig"},
		"a bad program":            {env: map[string]string{"KUSCIA_KUBE_HOST": "h", "KUSCIA_KUBE_EXEC": `{"hidden-secret`}, problem: "give a JSON object"},
		"a bad truth value":        {env: map[string]string{"KUSCIA_KUBE_HOST": "h", "KUSCIA_KUBE_INSECURE": "maybe"}, problem: "true or false"},
		"half a pair":              {env: map[string]string{"KUSCIA_KUBE_HOST": "h", "KUSCIA_KUBE_CLIENT_KEY": "K"}, problem: "client_certificate is not"},
		"a token not known yet":    {block: map[string]attr.Value{kubeHost: str("h"), kubeToken: types.StringUnknown()}, unknown: "kubernetes.token"},
		"within exec":              {block: map[string]attr.Value{kubeHost: str("h"), kubeExec: exec}, unknown: "kubernetes.exec"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			value := types.ObjectNull(map[string]attr.Type{})
			if test.block != nil {
				value = kubeValue(t, test.block)
			}
			getenv := func(name string) string { return test.env[name] }
			got, problems := kubernetesAccess(block{Kubernetes: value}, getenv, requests{})
			if (got.Open != nil) != test.ready || (got.Missing != "") != test.missing || !strings.Contains(strings.Join(got.Unknown, ","), test.unknown) ||
				(len(got.Unknown) > 0) != (test.unknown != "") || (len(problems) > 0) != (test.problem != "") {
				t.Fatalf("%+v %v", got, problems)
			}
			if test.problem != "" && (!strings.Contains(problems[0].Detail, test.problem) || strings.Contains(problems[0].Detail, "hidden-secret")) {
				t.Errorf("%s, want %s", problems[0].Detail, test.problem)
			}
			if test.want != "" {
				k, set := block{Kubernetes: value}.kubernetes()
				config, _, _ := kubeConfig(k, set, getenv)
				if text := fmt.Sprintf("%+v", config); !strings.Contains(text, test.want) {
					t.Errorf("%s, want %s", text, test.want)
				}
			}
		})
	}
}

func TestCheckKubernetes(t *testing.T) {
	t.Parallel()
	str := func(s string) attr.Value { return types.StringValue(s) }
	a, b := twoPairs(t)
	unknown := types.StringUnknown()
	for name, test := range map[string]struct {
		block map[string]attr.Value
		want  string
	}{
		"nothing":  {nil, ""},
		"empty":    {map[string]attr.Value{kubeHost: str("")}, "empty string"},
		"two ways": {map[string]attr.Value{kubeHost: str("h"), kubeConfigPath: str("/k")}, "Keep one"},
		"all unknown": {map[string]attr.Value{
			kubeHost: unknown, kubeConfigPath: unknown, kubeConfigContext: unknown, kubeToken: unknown, kubeClusterCACertificate: unknown,
			kubeClientCertificate: unknown, kubeClientKey: unknown, kubeInsecure: types.BoolUnknown(),
		}, ""},
		"another key":       {map[string]attr.Value{kubeHost: str("h"), kubeClientCertificate: str(a.cert), kubeClientKey: str(b.key)}, "kubernetes.client_key: the key does not belong"},
		"not a certificate": {map[string]attr.Value{kubeHost: str("h"), kubeClusterCACertificate: str("/ca.crt")}, "kubernetes.cluster_ca_certificate: it contains no certificate in PEM form"},
		"not a client certificate": {
			map[string]attr.Value{kubeHost: str("h"), kubeClientCertificate: str("\ufeff" + a.cert), kubeClientKey: str(a.key)}, "kubernetes.client_certificate: it begins with a byte order mark",
		},
		"an old plugin": {
			map[string]attr.Value{kubeHost: str("h"), kubeExec: execValue("client.authentication.k8s.io/v1alpha1", "aws")},
			`kubernetes.exec.api_version: "client.authentication.k8s.io/v1alpha1" is not allowed`,
		},
		"a context beside": {map[string]attr.Value{kubeHost: str("h"), kubeConfigContext: str("c")}, "no effect together with"},
		"half a pair":      {map[string]attr.Value{kubeHost: str("h"), kubeClientCertificate: str("C")}, "client_key is not"},
		"insecure and CA":  {map[string]attr.Value{kubeHost: str("h"), kubeClusterCACertificate: str("C"), kubeInsecure: types.BoolValue(true)}, "set only one of them"},
		"a token beside":   {map[string]attr.Value{kubeConfigPath: str("/k"), kubeToken: str("T")}, "no effect together with"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all string
			for _, p := range checkKubernetes(block{Kubernetes: kubeValue(t, test.block)}) {
				all += p.Detail
				if !strings.HasPrefix(p.Attribute, attrKubernetes) {
					t.Errorf("on %q: %s", p.Attribute, p.Detail)
				}
			}
			if !strings.Contains(all, test.want) || (all == "") != (test.want == "") {
				t.Errorf("%q, want %q", all, test.want)
			}
		})
	}
}

// TestConfigureKubernetes: a cluster needs no KusciaAPI and vice versa; a
// missing one is an error only of resources that need it.
func TestConfigureKubernetes(t *testing.T) {
	t.Parallel()
	get := func(environment map[string]string) (c *run.Run) {
		resp := configure(t, newTestProvider(environment), nil, false)
		if resp.Diagnostics.HasError() {
			t.Fatal(resp.Diagnostics)
		}
		return run.FromProviderData(resp.ResourceData, &resp.Diagnostics)
	}
	var diags diag.Diagnostics
	c := get(map[string]string{"KUSCIA_KUBE_HOST": "http://127.0.0.1:1"})
	if client, ok := c.ReadyKubernetes(&diags); !ok || client == nil || !c.HasKubernetes() || diags.HasError() {
		t.Fatal(diags)
	}
	if c.ReadyKuscia(&diags) || !strings.Contains(diags[0].Summary(), "Missing Kuscia endpoint") {
		t.Error(diags)
	}
	for name, test := range map[string]struct {
		environment map[string]string
		want        string
	}{
		"not configured": {map[string]string{"KUSCIA_ENDPOINT": "http://127.0.0.1:1"}, "KUSCIA_KUBE_CONFIG_PATH"},
		"no file":        {map[string]string{"KUSCIA_KUBE_CONFIG_PATH": "/nowhere/config"}, "/nowhere/config: there is no such file"},
	} {
		var diags diag.Diagnostics
		if _, ok := get(test.environment).ReadyKubernetes(&diags); ok || !strings.Contains(diags[0].Detail(), test.want) {
			t.Errorf("%s: %v", name, diags)
		}
	}
}
