// Package examples_test applies every example of this folder against a Kuscia
// with the real CLI: it has to be formatted and valid, to leave an empty plan
// behind, and to destroy cleanly.
package examplestest_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// namespace is that of the provider's source address, which the examples name.
// The test framework announces the provider under "hashicorp" otherwise.
const namespace = "terraform-kuscia"

// TestMain works in the folder examples, to which the names of files are relative.
func TestMain(m *testing.M) {
	if err := errors.Join(os.Setenv("TF_ACC_PROVIDER_NAMESPACE", namespace), os.Chdir("../../../examples")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if dir, err := built(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// tests has a test for every example, by its folder.
var tests = map[string]func(t *testing.T, e example){
	"provider":                               testProvider,
	"import-servings":                        testImportServings,
	"quickstart":                             testQuickstart,
	"secrets":                                testSecrets,
	"resources/kuscia_app_image":             testAppImage,
	"resources/kuscia_serving":               testServing,
	"resources/kuscia_config":                testConfig,
	"resources/kuscia_domain_route":          testDomainRoute,
	"ephemeral-resources/kuscia_certificate": testCertificate,
	"actions/kuscia_serving_redeploy":        testRedeployAction,
	"guides/moving-from-other-providers":     testMoving,
	"checks":                                 testChecks,
	"fleet":                                  testFleet,
	"autoscaler":                             testAutoscaler,
	"app-images":                             testAppImages,
	"sandbox-faults":                         testSandboxFaults,
	"unknown-keys":                           testUnknownKeys,
	"merge-gate":                             testMergeGate,
	"migrating-from-curl":                    testMigratingFromCurl,
	"modules/serving":                        testModule,
	"p2p":                                    testP2P,
	"protocols/mtls":                         testProtocol(sandbox.ProtocolMTLS),
	"protocols/notls":                        testProtocol(sandbox.ProtocolNOTLS),
	"protocols/tls":                          testProtocol(sandbox.ProtocolTLS),
	"rollouts/digest":                        testRolloutDigest,
	"rollouts/in-place":                      testRolloutInPlace,
	"rollouts/replace":                       testRolloutReplace,
	"rollouts/versioned":                     testRolloutVersioned,
	"several-kuscias":                        testSeveralKuscias,
	"list-resources/kuscia_app_image":        testAppImageList,
	"guides/adopt-existing":                  testAdoptExisting,
	"edge-node":                              testEdgeNode,
	"federation":                             testFederation,
	"modules/federation":                     usedBy("federation"),
	"modules/node":                           usedBy("federation"),
	"modules/shared-data":                    usedBy("modules/federation"),
	"guides/edge-node-without-write-only":    testEdgeNodeWithoutWriteOnly,
	"guides/certificates-and-tokens":         testCertificatesAndTokens,

	"resources/kuscia_rollout":                 asRole,
	"resources/kuscia_traffic_routing":         asRole,
	"resources/kuscia_rollout_approval":        testApproval,
	"data-sources/kuscia_rollout":              testRolloutDataSource,
	"actions/kuscia_rollout_approve":           testApproveAction,
	"gradual-release":                          asRole,
	"resources/kuscia_edge_deployment":         testEdgeDeployment,
	"list-resources/kuscia_edge_deployment":    testEdgeDeploymentList,
	"resources/kuscia_domain_data":             testDomainData,
	"list-resources/kuscia_domain_data":        testDomainDataList,
	"resources/kuscia_domain_data_source":      testDataSource,
	"list-resources/kuscia_domain_data_source": testDataSourceList,
	"resources/kuscia_deployment":              asRole,
	"list-resources/kuscia_deployment":         testDeploymentList,
	"list-resources/kuscia_serving":            testDeploymentList,
	"kuscia-deployment":                        testKusciaDeployment,
	"cluster-access/kubeconfig":                testKubeconfigAccess,
	"cluster-access/token":                     testTokenAccess,
	"cluster-access/exec":                      testExecAccess,
	"cluster-access/role":                      testClusterRole,
	"guides/serving-to-deployment":             testServingToDeployment,
}

// testedBy adds the test of an example from another file.
func testedBy(dir string, test func(t *testing.T, e example)) string { //nolint:unparam // a result lets a declaration call it
	tests[dir] = test
	return dir
}

// withShort are the examples that run with -short, one of each API; TestAccListedExamples
// has a sample of all.
var withShort = []string{"quickstart", "kuscia-deployment"}

// TestAccExamples: each example has a test.
func TestAccExamples(t *testing.T) {
	t.Parallel()
	found := findExamples(t)
	for dir := range tests {
		if !slices.ContainsFunc(found, func(e example) bool { return e.dir == dir }) {
			t.Errorf("%s has a test and no files", dir)
		}
	}
	for _, dir := range missingReadings(found) {
		t.Errorf("%s is to be read and has no files", dir)
	}
	for _, e := range found {
		if isReading(e) {
			continue
		}
		t.Run(e.dir, func(t *testing.T) {
			t.Parallel()
			test, ok := tests[e.dir]
			if !ok {
				t.Fatal("the example has no test")
			}
			if !slices.Contains(withShort, e.dir) {
				acctest.SkipShort(t, "two of these run, and a sample in TestAccListedExamples")
			}
			test(t, e)
			for _, file := range e.others {
				if !t.Skipped() && !e.wasRead[file] {
					t.Errorf("the test of the example does not use %s", file)
				}
			}
		})
	}
}

func TestAccExamplesAreFormatted(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), acctest.CLI(t), "fmt", "-check", "-diff", "-recursive")
	cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: make generate formats the examples\n%s", err, out)
	}
}

// TestExamplesNameTheProvider: each folder says where the provider comes from.
// Who copies one without that gets a search for hashicorp/kuscia.
func TestExamplesNameTheProvider(t *testing.T) {
	t.Parallel()
	for _, e := range findExamples(t) {
		if len(e.configuration) == 0 {
			continue
		}
		sources := map[string]int{}
		for _, file := range e.configuration {
			if source := sourceOf(t, file); source != "" {
				sources[source]++
			}
		}
		if len(sources) != 1 || sources[namespace+"/kuscia"] == 0 {
			t.Errorf("%s has the provider from %v, want %s/kuscia", e.dir, sources, namespace)
		}
	}
}

// sourceOf is the source of the provider in a file's required_providers, "" if
// there is none.
func sourceOf(t *testing.T, file string) string {
	t.Helper()
	parsed, diags := hclparse.NewParser().ParseHCLFile(file)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		t.Fatalf("%s is not in HCL's own syntax", file)
	}
	for _, terraform := range body.Blocks {
		if terraform.Type != "terraform" {
			continue
		}
		for _, required := range terraform.Body.Blocks {
			if attribute := required.Body.Attributes["kuscia"]; required.Type == "required_providers" && attribute != nil {
				value, diags := attribute.Expr.Value(nil)
				if diags.HasErrors() {
					t.Fatal(diags)
				}
				return value.GetAttr("source").AsString()
			}
		}
	}
	return ""
}

// example is the files of a folder, by what they are for.
type example struct {
	dir string
	// configuration are the Terraform files that belong together.
	configuration []string
	// queries are the files of terraform query.
	queries []string
	// importCommand, importBlock and importIdentity are the ways to import.
	importCommand, importBlock, importIdentity string
	// others are scripts, requests, policies, objects of Kubernetes and tests of
	// modules, which the example's test has to read.
	others  []string
	wasRead map[string]bool
}

// all are the files that make up the example.
func (e example) all() []string { return slices.Concat(e.configuration, e.queries, e.others) }

// read reads a file of the example.
func (e example) read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e.wasRead[file] = true
	return content
}

// named is another example, for those that use it.
func named(t *testing.T, dir string) example {
	t.Helper()
	found := findExamples(t)
	i := slices.IndexFunc(found, func(e example) bool { return e.dir == dir })
	if i < 0 {
		t.Fatalf("there is no example %s", dir)
	}
	return found[i]
}

// findExamples reads the folder examples. A file whose purpose is not known fails the
// test, so that none stays untested.
func findExamples(t *testing.T) []example {
	t.Helper()
	byDir := map[string]*example{}
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		dir, name := path.Split(file)
		if dir == "" || strings.HasPrefix(name, "sandbox.") { // the list of the examples, and what it needs
			return nil
		}
		dir = path.Clean(dir)
		// The tests of a module, blocks that import, and an earlier configuration.
		if slices.Contains([]string{"tests", "import", "before"}, path.Base(dir)) {
			dir = path.Dir(dir)
		}
		e := byDir[dir]
		if e == nil {
			e = &example{dir: dir, wasRead: map[string]bool{}}
			byDir[dir] = e
		}
		switch {
		case name == "import.sh":
			e.importCommand = file
		case strings.HasSuffix(file, "/import/by-id.tf"):
			e.importBlock = file
		case strings.HasSuffix(file, "/import/by-identity.tf"):
			e.importIdentity = file
		case strings.HasSuffix(name, ".tfquery.hcl"):
			e.queries = append(e.queries, file)
		case path.Ext(name) == ".tf":
			e.configuration = append(e.configuration, file)
		case slices.Contains([]string{".hcl", ".jq", ".json", ".sh", ".yaml"}, path.Ext(name)):
			e.others = append(e.others, file)
		default:
			return fmt.Errorf("%s: no test knows this kind of file", file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []example
	for _, e := range byDir {
		if len(e.all()) == 0 {
			t.Errorf("%s has no files but those that import", e.dir)
		}
		found = append(found, *e)
	}
	return found
}

// folder copies files of the example into a folder of its own, with the
// provider's source where they do not name it. rewrite changes what cannot
// hold in a test, such as an address.
func (e example) folder(t *testing.T, files []string, rewrite func(string) string) string {
	t.Helper()
	dir := t.TempDir()
	named := false
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(content)
		if rewrite != nil {
			text = rewrite(text)
		}
		named = named || strings.Contains(text, "required_providers")
		write(t, filepath.Join(dir, filepath.Base(file)), text)
	}
	if !named {
		write(t, filepath.Join(dir, "versions.tf"), versions)
	}
	return dir
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// apply is a step that applies the whole example and finds nothing left to do.
func (e example) apply(t *testing.T) resource.TestStep {
	t.Helper()
	return resource.TestStep{
		ConfigDirectory: config.StaticDirectory(e.folder(t, e.configuration, nil)),
		ConfigPlanChecks: resource.ConfigPlanChecks{
			PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
		},
	}
}

// commandID is the id in the example's import command.
func (e example) commandID(t *testing.T, address string) string {
	t.Helper()
	content, err := os.ReadFile(e.importCommand)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		words := strings.Fields(line)
		if n := len(words); n >= 4 && words[0] == "terraform" && words[1] == "import" {
			if to := strings.Trim(words[n-2], "'"); to != address {
				t.Errorf("%s imports %s, not the example's %s", e.importCommand, to, address)
			}
			return words[n-1]
		}
	}
	t.Fatalf("%s has no line \"terraform import [OPTIONS] ADDRESS ID\"", e.importCommand)
	return ""
}

// run runs a test case whose configurations may hold a provider block: the
// framework then wants the provider at the steps.
func run(t *testing.T, providers providers, testCase resource.TestCase) {
	t.Helper()
	for i := range testCase.Steps {
		testCase.Steps[i].ProtoV6ProviderFactories = providers
	}
	resource.Test(t, testCase)
}

type providers = map[string]func() (tfprotov6.ProviderServer, error)

// fixedNames ends a test on a real Kuscia, where the names that examples have
// could be in use.
func fixedNames(t *testing.T) *acctest.Env {
	t.Helper()
	env := acctest.New(t)
	env.RequireSandbox(t, "the example has fixed names")
	return env
}
