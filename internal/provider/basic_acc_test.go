package provider_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const dataStatus = "data.kuscia_serving_status.test"

// status makes the plan send one request to Kuscia.
var status = acctest.DataBlock("kuscia_serving_status", "test", object{"serving_ids": []string{"no-such-serving"}})

// oneCall is status with a provider block.
func oneCall(settings object) string { return acctest.ProviderBlock(settings) + status }

// answered checks that Kuscia has responded.
func answered() []statecheck.StateCheck {
	return []statecheck.StateCheck{
		statecheck.ExpectKnownValue(dataStatus, tfjsonpath.New("missing_serving_ids"),
			knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("no-such-serving")})),
	}
}

func works(t *testing.T, environment map[string]string, configuration string) {
	t.Helper()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(environment),
		Steps:                    []resource.TestStep{{Config: configuration, ConfigStateChecks: answered()}},
	})
}

func fails(t *testing.T, environment map[string]string, configuration string, want acctest.Failure) {
	t.Helper()
	w := acctest.NewWorkspace(t, acctest.Factories(environment))
	w.Write("main.tf", configuration)
	w.Fails(want)
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// without copies a certificates directory without some files.
func without(t *testing.T, dir string, names ...string) string {
	t.Helper()
	left := t.TempDir()
	for _, name := range []string{"token", "ca.crt", "kusciaapi-server.crt", "kusciaapi-server.key"} {
		drop := false
		for _, n := range names {
			drop = drop || n == name
		}
		if drop {
			continue
		}
		if err := os.WriteFile(filepath.Join(left, name), []byte(read(t, dir, name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return left
}

// TestAccProvider_certsDir: two lines are sufficient for each protocol of the
// KusciaAPI, in the block and in the environment.
func TestAccProvider_certsDir(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestResolveTakes"))
	t.Parallel()
	for _, protocol := range []string{sandbox.ProtocolNOTLS, sandbox.ProtocolTLS, sandbox.ProtocolMTLS} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewSandbox(t, sandbox.Options{Protocol: protocol}).Sandbox
			works(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": s.CertsDir()}))
			works(t, map[string]string{"KUSCIA_ENDPOINT": s.Endpoint(), "KUSCIA_CERTS_DIR": s.CertsDir()}, oneCall(nil))
		})
	}
}

// TestAccProvider_noBlock: the environment alone is sufficient. It runs against
// a real Kuscia too.
func TestAccProvider_noBlock(t *testing.T) {
	t.Parallel()
	env := acctest.New(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.ProtoV6ProviderFactories(),
		Steps: []resource.TestStep{{
			ConfigFile:        acctest.File("status.tf"),
			ConfigVariables:   config.Variables{"serving_ids": config.ListVariable(config.StringVariable("no-such-serving"))},
			ConfigStateChecks: answered(),
		}},
	})
}

// TestAccProvider_tlsWithoutClientCertificate: protocol TLS needs only the
// token and the authority.
func TestAccProvider_tlsWithoutClientCertificate(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestResolveTakes"))
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS}).Sandbox
	dir := without(t, s.CertsDir(), "kusciaapi-server.crt", "kusciaapi-server.key")
	works(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": dir}))
}

// TestAccProvider_singleAttributes sets each credential separately, as value
// and as file, in the block and in the environment.
func TestAccProvider_singleAttributes(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestResolveTakes"))
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS}).Sandbox
	file := func(name string) string { return filepath.Join(s.CertsDir(), name) }
	value := func(name string) string { return read(t, s.CertsDir(), name) }
	noted := filepath.Join(t.TempDir(), "token-with-line-end")
	if err := os.WriteFile(noted, []byte(s.Token()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	t.Run("files in the block", func(t *testing.T) {
		t.Parallel()
		works(t, nil, oneCall(object{"endpoint": s.Endpoint() + "/", "token_file": noted, "ca_certificate_file": file("ca.crt"),
			"client_certificate_file": file("kusciaapi-server.crt"), "client_key_file": file("kusciaapi-server.key")}))
	})
	t.Run("values in the block", func(t *testing.T) {
		t.Parallel()
		works(t, nil, oneCall(object{"endpoint": s.Endpoint(), "token": s.Token(), "ca_certificate": value("ca.crt"),
			"client_certificate": value("kusciaapi-server.crt"), "client_key": value("kusciaapi-server.key"),
			"tls_server_name": "localhost", "request_timeout": "20s", "max_retries": 1}))
	})
	t.Run("values in the environment", func(t *testing.T) {
		t.Parallel()
		works(t, map[string]string{
			"KUSCIA_ENDPOINT": s.Endpoint(), "KUSCIA_TOKEN": s.Token(), "KUSCIA_CA_CERTIFICATE": value("ca.crt"),
			"KUSCIA_CLIENT_CERTIFICATE": value("kusciaapi-server.crt"), "KUSCIA_CLIENT_KEY": value("kusciaapi-server.key"),
		}, oneCall(nil))
	})
	t.Run("the block wins over a wrong environment", func(t *testing.T) {
		t.Parallel()
		works(t, map[string]string{
			"KUSCIA_ENDPOINT": "https://127.0.0.1:1", "KUSCIA_TOKEN": "wrong", "KUSCIA_TOKEN_FILE": "/wrong", "KUSCIA_CERTS_DIR": "/wrong",
		}, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": s.CertsDir()}))
	})
	t.Run("any server certificate", func(t *testing.T) {
		t.Parallel()
		works(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": without(t, s.CertsDir(), "ca.crt"), "insecure_skip_verify": true}))
	})
}

// TestAccProvider_wrongToken and the following tests check the errors for
// credentials that Kuscia does not accept; they never contain the token.
func TestAccProvider_wrongToken(t *testing.T) {
	t.Parallel()
	const wrong = "WrongTokenWrongTokenWrongToken00"
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS}).Sandbox
	fails(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": s.CertsDir(), "token": wrong}), acctest.Failure{
		Messages: []string{`HTTP 401`, `(?i)token`, `certs_dir|token_file`},
		Never:    []string{wrong, s.Token()},
	})
}

func TestAccProvider_noToken(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestResolveRefuses", "TestHints"))
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS}).Sandbox
	t.Run("none at all", func(t *testing.T) {
		t.Parallel()
		fails(t, nil, oneCall(object{"endpoint": s.Endpoint(), "ca_certificate_file": filepath.Join(s.CertsDir(), "ca.crt")}),
			acctest.Failure{Messages: []string{`HTTP 401`, `(?i)token`}, Never: []string{s.Token()}})
	})
	t.Run("none in certs_dir", func(t *testing.T) {
		t.Parallel()
		fails(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": without(t, s.CertsDir(), "token")}),
			acctest.Failure{Messages: []string{`Error: Missing token`, `certs_dir = "`, `no file named token`, `KUSCIA_TOKEN`}, Never: []string{s.Token()}})
	})
}

func TestAccProvider_httpToTLS(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPlainHTTPOnTLSPortAndReset"))
	t.Parallel()
	for _, protocol := range []string{sandbox.ProtocolTLS, sandbox.ProtocolMTLS} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewSandbox(t, sandbox.Options{Protocol: protocol}).Sandbox
			endpoint := strings.Replace(s.Endpoint(), "https://", "http://", 1)
			fails(t, nil, oneCall(object{"endpoint": endpoint, "certs_dir": s.CertsDir()}), acctest.Failure{
				Messages: []string{`https://`, `(?i)TLS`},
				Never:    []string{s.Token()},
			})
		})
	}
}

func TestAccProvider_httpsToPlain(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestTLSHints"))
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{}).Sandbox
	endpoint := strings.Replace(s.Endpoint(), "http://", "https://", 1)
	fails(t, nil, oneCall(object{"endpoint": endpoint, "certs_dir": s.CertsDir(), "max_retries": 0}), acctest.Failure{
		Messages: []string{`http://`, `NOTLS`},
		Never:    []string{s.Token()},
	})
}

func TestAccProvider_clientCertificateMissing(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestTLSHints", "TestResolveRefuses"))
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS}).Sandbox
	t.Run("both files", func(t *testing.T) {
		t.Parallel()
		dir := without(t, s.CertsDir(), "kusciaapi-server.crt", "kusciaapi-server.key")
		fails(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": dir, "max_retries": 0}), acctest.Failure{
			Messages: []string{`client_certificate`, `MTLS`},
			Never:    []string{s.Token()},
		})
	})
	t.Run("the key", func(t *testing.T) {
		t.Parallel()
		dir := without(t, s.CertsDir(), "kusciaapi-server.key")
		fails(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": dir}), acctest.Failure{
			Messages: []string{`Error: Missing client key`, `kusciaapi-server.crt\), but there is no key`, `client_key_file`},
			Never:    []string{s.Token()},
		})
	})
}

func TestAccProvider_unknownAuthority(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestTLSHints"))
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS}).Sandbox
	other := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS}).Sandbox
	t.Run("none given", func(t *testing.T) {
		t.Parallel()
		dir := without(t, s.CertsDir(), "ca.crt")
		fails(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": dir, "max_retries": 0}), acctest.Failure{
			Messages: []string{`ca_certificate`, `ca\.crt`},
			Never:    []string{s.Token()},
		})
	})
	t.Run("another one given", func(t *testing.T) {
		t.Parallel()
		fails(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": s.CertsDir(),
			"ca_certificate_file": filepath.Join(other.CertsDir(), "ca.crt"), "max_retries": 0}), acctest.Failure{
			Messages: []string{`ca_certificate`},
			Never:    []string{s.Token()},
		})
	})
}

func TestAccProvider_serverName(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestTLSHints"))
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS}).Sandbox
	named := func(name string) string {
		return oneCall(object{"endpoint": s.Endpoint(), "certs_dir": s.CertsDir(), "max_retries": 0, "tls_server_name": name})
	}
	t.Run("in the certificate", func(t *testing.T) {
		t.Parallel()
		works(t, nil, named("kusciaapi"))
	})
	t.Run("not in the certificate", func(t *testing.T) {
		t.Parallel()
		fails(t, nil, named("elsewhere.test"), acctest.Failure{
			Messages: []string{`tls_server_name`},
			Never:    []string{s.Token()},
		})
	})
}

func TestAccProvider_maxRetriesFraction(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestWholeNumberMessage"))
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS}).Sandbox
	fails(t, nil, oneCall(object{"endpoint": s.Endpoint(), "certs_dir": s.CertsDir(), "max_retries": 1.5}), acctest.Failure{
		Messages: []string{`max_retries: 1\.5 is not a whole number\. Use a whole number from 0 to 100\.`},
		Never:    []string{"always an error in the provider", s.Token()},
	})
}

func TestAccProvider_unreachable(t *testing.T) {
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolTLS}).Sandbox
	fails(t, nil, oneCall(object{"endpoint": "https://" + closedPort(t), "certs_dir": s.CertsDir(), "max_retries": 0}), acctest.Failure{
		Messages: []string{`refused`, `endpoint|KUSCIA_ENDPOINT`},
		Never:    []string{s.Token()},
	})
}

func TestAccProvider_unknownHost(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestHintUnknownHost"))
	t.Parallel()
	fails(t, nil, oneCall(object{"endpoint": "http://no-such-host.invalid:8082", "max_retries": 0}), acctest.Failure{
		Messages: []string{`no-such-host\.invalid`, `endpoint`},
		Never:    []string{"panic"},
	})
}

// closedPort is a local address without a listener.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return address
}

// TestAccProvider_badBlock checks the errors for an invalid block: the line of
// the block, what is wrong and what to do. Nothing is sent, so no Kuscia is
// needed.
func TestAccProvider_badBlock(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestResolveRefuses", "TestConfigureProblems"))
	t.Parallel()
	const secret = "PlantedTokenPlantedTokenPlanted0"
	tests := map[string]struct {
		environment map[string]string
		block       object
		want        []string
	}{
		"no endpoint": {
			nil, nil, []string{`Error: Missing Kuscia endpoint`, `KUSCIA_ENDPOINT`},
		},
		"bad endpoint": {
			nil, object{"endpoint": "127.0.0.1:8082"}, []string{`Error: Invalid Kuscia endpoint`, `endpoint = "127\.0\.0\.1:8082"`, `does not begin with http:// or https://`},
		},
		"token and token_file": {
			nil, object{"endpoint": "https://127.0.0.1:1", "token": secret, "token_file": "/t"},
			[]string{`Error: Conflicting attributes`, `token_file = "/t"`, `Both token and token_file`},
		},
		"KUSCIA_TOKEN and KUSCIA_TOKEN_FILE": {
			map[string]string{"KUSCIA_TOKEN": secret, "KUSCIA_TOKEN_FILE": "/t"}, object{"endpoint": "https://127.0.0.1:1"},
			[]string{`Error: Conflicting environment variables`, `KUSCIA_TOKEN and KUSCIA_TOKEN_FILE`},
		},
		"http with insecure_skip_verify": {
			nil, object{"endpoint": "http://127.0.0.1:1", "insecure_skip_verify": true},
			[]string{`Error: TLS setting with an HTTP endpoint`, `remove insecure_skip_verify`},
		},
		"a token as token_file": {
			nil, object{"endpoint": "https://127.0.0.1:1", "token_file": "/" + secret},
			[]string{`Error: Unable to read file`, `token_file: there is no such file`, `not shown`},
		},
		"insecure_skip_verify with an authority": {
			nil, object{"endpoint": "https://127.0.0.1:1", "ca_certificate_file": "/ca.crt", "insecure_skip_verify": true},
			[]string{`Error: Conflicting TLS settings`, `insecure_skip_verify = true`, `Remove insecure_skip_verify`},
		},
		"missing file": {
			map[string]string{"KUSCIA_TOKEN": secret}, object{"endpoint": "https://127.0.0.1:1", "ca_certificate_file": "/no/such/ca.crt"},
			[]string{`Error: Unable to read file`, `/no/such/ca\.crt: there is no such file`},
		},
		"certs_dir does not exist": {
			nil, object{"endpoint": "https://127.0.0.1:1", "certs_dir": "/no/such/dir"},
			[]string{`Error: Certificates directory does not exist`, `/home/kuscia/var/certs`},
		},
		"retries": {
			nil, object{"endpoint": "https://127.0.0.1:1", "max_retries": -1}, []string{`max_retries is -1; use a whole number`},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fails(t, test.environment, oneCall(test.block), acctest.Failure{
				Messages: append(test.want, `in provider "kuscia"`),
				Never:    []string{secret},
			})
		})
	}
}

// appImage can be planned without a request.
func appImage(name string) string { return acctest.AppImageBlock{Name: name}.String() }

// unknownEndpoint is a provider whose endpoint is an attribute of a resource; a
// change of trigger replaces the resource, so that the endpoint is unknown in
// that plan.
func unknownEndpoint(endpoint, trigger string) string {
	return acctest.Block("terraform_data", "kuscia", object{"input": endpoint, "triggers_replace": trigger}) +
		acctest.ProviderBlock(object{"endpoint": acctest.Reference("terraform_data.kuscia.output")})
}

// TestAccProvider_unknownEndpoint: the endpoint may depend on a resource of the
// same apply, if the plan needs no request.
func TestAccProvider_unknownEndpoint(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestConfigureUnknown", "TestPlanOfUnknownEndpoint"))
	t.Parallel()
	env := acctest.NewSandbox(t, sandbox.Options{})
	name := env.Name("late")
	image := appImage(name)

	requests := env.CountRequests()
	acctest.ExpectFailure(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(nil),
		CheckDestroy:             env.CheckAppImageDestroyed(name),
		Steps: []resource.TestStep{
			{ // the plan of a create needs no request
				Config:             unknownEndpoint(env.Sandbox.Endpoint(), "1") + image,
				PlanOnly:           true,
				ExpectNonEmptyPlan: true,
			},
			{ // the apply knows the endpoint
				PreConfig: func() {
					if err := requests.ExpectNoRequests()(nil); err != nil {
						t.Error(err)
					}
				},
				Config: unknownEndpoint(env.Sandbox.Endpoint(), "1") + image,
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						plancheck.ExpectResourceAction("kuscia_app_image.test", plancheck.ResourceActionCreate),
					},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
			{ // an existing object has to be read
				Config: unknownEndpoint(env.Sandbox.Endpoint(), "2") + image,
			},
		},
	}, acctest.Failure{
		Messages: []string{`Error: Provider block not known yet`, `endpoint in the provider "kuscia" block`, `known only after apply`, `-target`},
		Never:    []string{"panic"},
	})
}

// TestAccProvider_unknownEndpointDataSource: a data source with known arguments
// is read in the plan, which fails.
func TestAccProvider_unknownEndpointDataSource(t *testing.T) {
	t.Parallel()
	env := acctest.NewSandbox(t, sandbox.Options{})
	fails(t, nil, unknownEndpoint(env.Sandbox.Endpoint(), "1")+status, acctest.Failure{
		Messages: []string{`Error: Provider block not known yet`, `endpoint in the provider "kuscia" block`},
		Never:    []string{"panic"},
	})
}
