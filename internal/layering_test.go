// Package internal_test checks which package imports which, and what the documents below internal/
// say. README.md has the reasons.
package internal_test

import (
	"errors"
	"go/build"
	"io/fs"
	"os"
	pathpkg "path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/terraform-kuscia/terraform-provider-kuscia"

// rule is what the packages with a prefix may import.
type rule struct {
	// imports are prefixes of packages of this module. A package may always
	// import the folders below its own.
	imports []string
	// tests are additional ones, for the tests of the package.
	tests []string
	// noTerraform forbids the plugin libraries. Logging (terraform-plugin-log)
	// is allowed: it does nothing outside of a provider. So are the types of the
	// CLI's output (terraform-json).
	noTerraform bool
}

// importRules are all rules: packages by the prefix of their path from
// internal/. The longest prefix applies. "*" matches one folder, so that
// sibling packages cannot import each other. A package without a rule is an
// error, so that every new package needs a decision about its layer.
var importRules = map[string]rule{
	"main":                         {imports: []string{"provider", "tfkit/fastpath", "tfkit/parentprocess"}},
	"provider":                     {imports: []string{"resource", "run", "clients", "functions", "tfkit", "api"}},
	"resource/*":                   {imports: []string{"secrets", "party", "tfkit", "lifecycle", "wait", "judge", "run", "clients", "message", "api"}},
	"party":                        {imports: []string{"secrets", "tfkit/tfvalue", "tfkit/check", "tfkit/definition", "tfkit/manifest", "secretflow", "judge", "rollingupdate", "api"}},
	"party/podstatus":              {imports: []string{"secrets", "tfkit/tfvalue", "wait", "api", "printable"}, noTerraform: true},
	"party/rolloutstatus":          {imports: []string{"party", "judge", "run", "message", "wait", "api"}, tests: []string{"clients"}},
	"party/servingstatus":          {imports: []string{"party/podstatus", "judge", "wait", "api"}, noTerraform: true},
	"resource/serving/application": {imports: []string{"resource/serving/rules", "party"}, tests: []string{"resource/serving/servingtest"}},
	"resource/serving/rules":       {imports: []string{"party", "judge", "tfkit", "wait", "api"}, tests: []string{"resource/serving/servingtest"}},
	"resource/serving/servingtest": {imports: []string{"party", "resource/serving/rules", "tfkit", "api"}},

	"judge":          {noTerraform: true},
	"rollingupdate":  {noTerraform: true},
	"configtemplate": {noTerraform: true},
	"secrets":        {noTerraform: true},
	"secretflow":     {imports: []string{"configtemplate"}, noTerraform: true, tests: []string{"api/kuscia"}},
	"secretflow/secretflowtest": {
		imports:     []string{"secretflow", "api/kuscia"},
		noTerraform: true,
	},
	"functions":                {imports: []string{"tfkit/tfvalue"}},
	"tfkit/*":                  {imports: []string{"tfkit"}},
	"tfkit/manifest":           {imports: []string{"tfkit/definition", "tfkit/tfvalue", "api/apierror", "api/httpapi", "api/kube", "api/kuscia/versions"}},
	"tfkit/definition":         {imports: []string{"tfkit", "api/kuscia/versions"}},
	"tfkit/bounded":            {imports: []string{"secrets", "tfkit", "api/httpapi"}},
	"tfkit/crud":               {imports: []string{"tfkit", "lifecycle", "wait", "run", "clients", "message", "api/apierror", "api/httpapi", "api/kube", "api/kuscia/versions"}},
	"lifecycle":                {imports: []string{"wait", "api/apierror"}, noTerraform: true},
	"wait":                     {imports: []string{"api/apierror"}, noTerraform: true},
	"run":                      {imports: []string{"clients", "message", "lifecycle", "wait", "api"}},
	"clients":                  {imports: []string{"lifecycle", "wait", "api"}},
	"message":                  {imports: []string{"lifecycle", "wait", "api/apierror", "api/kuscia"}},
	"api/apierror":             {noTerraform: true},
	"printable":                {noTerraform: true},
	"api/httpapi":              {imports: []string{"api/apierror", "printable"}, noTerraform: true},
	"api/*":                    {imports: []string{"api/httpapi", "api/apierror", "printable"}, noTerraform: true},
	"api/kuscia/versions":      {noTerraform: true},
	"api/kube":                 {imports: []string{"api/httpapi", "api/apierror", "api/kuscia/versions", "printable"}, noTerraform: true},
	"sandbox":                  {imports: []string{"api/kuscia"}, tests: []string{"testing/kubeserver", "secretflow/secretflowtest"}, noTerraform: true},
	"sandbox/engine":           {noTerraform: true},
	"sandbox/faults":           {noTerraform: true},
	"sandbox/objects":          {noTerraform: true},
	"sandbox/apiserver":        {imports: []string{"sandbox/objects"}, noTerraform: true},
	"sandbox/validation":       {imports: []string{"sandbox/objects"}, noTerraform: true},
	"sandbox/workload":         {imports: []string{"sandbox/objects"}, noTerraform: true},
	"sandbox/agent":            {imports: []string{"sandbox/workload", "sandbox/objects", "secretflow", "configtemplate", "api/kuscia/versions"}, noTerraform: true},
	"sandbox/kusciadeployment": {imports: []string{"sandbox/objects", "api/kuscia/versions"}, noTerraform: true},
	"sandbox/cluster":          {imports: []string{"sandbox/workload", "sandbox/validation", "sandbox/objects", "sandbox/engine"}, noTerraform: true},
	"sandbox/kuscia":           {noTerraform: true},
	"sandbox/kuscia/*":         {imports: []string{"sandbox/kuscia/server", "sandbox/kusciadeployment", "sandbox/cluster", "sandbox/objects", "sandbox/engine", "api/kuscia"}, noTerraform: true},
	"sandbox/kuscia/serving": {
		imports:     []string{"sandbox/agent", "sandbox/kuscia/domain", "sandbox/kuscia/appimage", "sandbox/kuscia/server", "sandbox/kusciadeployment", "sandbox/cluster", "sandbox/objects", "api/kuscia"},
		noTerraform: true,
	},
	"sandbox/ief":         {imports: []string{"api/ief", "sandbox/faults"}, noTerraform: true},
	"sandbox/ief/ieftest": {imports: []string{"sandbox/ief"}},
	"sandbox/sandboxtest": {imports: []string{"sandbox", "run", "clients", "tfkit", "api/kuscia"}},
	"tfkit/crud/crudtest": {imports: []string{"tfkit", "lifecycle", "run", "api/apierror", "testing/protocol"}},
	"testing/protocol":    {},
	"testing":             {imports: []string{"provider", "api", "sandbox", "testing"}},
	"testing/pagestest":   {tests: []string{"review/phrase"}},
	"testing/compat":      {imports: []string{"provider", "sandbox", "testing", "tfkit/schemajson"}},
	"testing/kubeserver":  {imports: []string{"sandbox/apiserver"}},
	"testing/kubetest":    {imports: []string{"testing/kubetest", "api/kuscia/versions", "sandbox/agent", "sandbox/kusciadeployment", "sandbox/workload", "sandbox/validation", "sandbox/objects"}, noTerraform: true},
	"review":              {imports: []string{"secrets", "secretflow", "printable"}, tests: []string{"tfkit/schemajson", "tfkit/definition"}, noTerraform: true},
	"review/phrase":       {imports: []string{"printable", "secrets"}, noTerraform: true},
	"review/planconfig":   {noTerraform: true},
	"review/category":     {imports: []string{"review/phrase"}, noTerraform: true},
	"review/plan":         {imports: []string{"review/phrase", "review/category", "review/planconfig"}, noTerraform: true},
	"review/appconfig":    {imports: []string{"review/plan", "secretflow"}, noTerraform: true},
	"review/graph":        {imports: []string{"review/phrase"}, noTerraform: true},
	"review/grantlimit":   {imports: []string{"review/phrase", "review/plan"}, noTerraform: true},
	"review/quantity":     {noTerraform: true},
	"review/strategy":     {imports: []string{"review/plan", "rollingupdate"}, noTerraform: true},
	"review/warnings":     {imports: []string{"review/phrase"}, noTerraform: true},
	"review/owners":       {noTerraform: true},
	"review/launch":       {noTerraform: true},
	"review/place":        {noTerraform: true},
	"cmd/kuscia-review":   {imports: []string{"review"}, noTerraform: true},
	"cmd/kuscia-sandbox":  {imports: []string{"sandbox", "api/ief", "api/kuscia/versions"}, tests: []string{"testing/kubeserver"}, noTerraform: true},
	"cmd/provider-schema": {imports: []string{"provider", "api/kuscia/versions", "tfkit/schemajson"}},
}

// floors are the files of packages whose inside has an order, which the compiler does not check: by
// prefixes of their names, from the top. A file uses files of its own floor and of lower ones, and no
// files use each other in a circle (TestFloors).
var floors = map[string][][]string{
	"tfkit/crud": {
		{"new", "plan", "read", "create", "update", "delete", "import", "listing"},   // what Terraform requests
		{"declared", "finish", "changes", "check", "fields", "bulk_read", "rollout"}, // what these have in common
		{"object"},
		{"spec", "wait", "steps"}, // what a resource declares
		{"base", "identity", "private_state", "references", "doc"},
	},
	"resource/deployment": {
		{"provided_types", "list_resource", "data_source"},
		{"resource"},
		{"plan", "preflight", "update", "delete", "wait", "check"}, // what its steps do
		{"application", "app_image", "name_clashes", "pod_revision", "check_resources", "retry"},
		{"cluster_objects", "observe", "object"},
		{"request", "response"},
		{"schema", "parties", "doc"},
	},
	"resource/rollout": {
		{"provided_types", "action", "resource_approval", "rollout", "traffic_routing"},
		{"guard", "approval", "check", "promote", "references"},
		{"guard_run", "workload", "objects"},
		{"wire", "schema", "doc"},
	},
	"resource/serving": {
		{"provided_types", "list_resource", "data_source", "action"},
		{"plan", "prepare", "update", "refresh"}, // what its steps do
		{"resource"},
		{"watch", "redeploy", "refresh_digest"},
		{"warnings", "planned_changes", "party_names", "app_images", "preflight"},
		{"object", "status"},
		{"deployment_observer", "live_serving"},
		{"missing", "versions", "doc"},
	},
	"resource/serving/rules": {
		{"plan", "request", "refresh", "validate", "check", "differences"}, // what a step of a serving asks
		{"target", "pending_rollout", "spelling", "image_check"},
		{"pod_revision", "images", "follow", "triggers"}, // what an update does to pods
		{"party_change", "deployed"},
		{"origin"},
		{"wire", "resources_wire", "private"},
		{"serving", "party", "resources"}, // views of the value
		{"schema", "doc"},
	},
}

// Tests may import more: every test the sandbox, the plugin protocol and the
// rules for plans, and external tests (package x_test) the provider and its
// helpers.
var (
	forTests         = []string{"sandbox", "testing/protocol", "testing/short", "testing/testfile", "testing/testjson", "testing/testcert", "testing/fakecluster", "tfkit/definitiontest"}
	forExternalTests = []string{"sandbox", "tfkit/definitiontest", "testing", "provider", "api"}
)

// ruleOf returns the rule with the longest prefix of a package.
func ruleOf(name string) (rule, bool) {
	for prefix := name; ; {
		if r, ok := importRules[prefix]; ok {
			return r, true
		}
		parent := pathpkg.Dir(prefix)
		if r, ok := importRules[parent+"/*"]; ok {
			return r, true
		}
		if parent == "." || parent == ".." {
			return rule{}, false
		}
		prefix = parent
	}
}

// below reports whether a package is the package of a prefix or in a folder
// below it.
func below(name, prefix string) bool {
	return name == prefix || strings.HasPrefix(name, prefix+"/")
}

// goPackage is a package with the imports of its code, of its tests and of its
// external tests.
type goPackage struct {
	ImportPath string
	// CodeFiles is the number of files without tests.
	CodeFiles    int
	Imports      []string
	TestImports  []string
	XTestImports []string
}

func violationsIn(from, place string, r rule, imports, allowed []string) (found []string) {
	for _, path := range imports {
		if to, own := packageName(path); own {
			if !below(to, from) && !slices.ContainsFunc(allowed, func(prefix string) bool { return below(to, prefix) }) {
				found = append(found, from+place+" -> "+to)
			}
		} else if r.noTerraform && isTerraform(path) {
			found = append(found, from+place+" -> "+path)
		}
	}
	return found
}

// packageName is the name of a package of this module; own is false for
// packages of other modules.
func packageName(path string) (name string, own bool) {
	switch {
	case path == module:
		return "main", true
	case path == module+"/internal":
		return "", true
	case strings.HasPrefix(path, module+"/internal/"):
		return strings.TrimPrefix(path, module+"/internal/"), true
	case strings.HasPrefix(path, module+"/"):
		return "../" + strings.TrimPrefix(path, module+"/"), true
	default:
		return "", false
	}
}

func isTerraform(path string) bool {
	return strings.HasPrefix(path, "github.com/hashicorp/terraform-") &&
		!strings.HasPrefix(path, "github.com/hashicorp/terraform-plugin-log") &&
		path != "github.com/hashicorp/terraform-json"
}

// TestLayering fails if an import violates the rules, or a folder has more than maxFiles files of code.
func TestLayering(t *testing.T) {
	packages := readPackages(t)
	for prefix := range importRules {
		if !slices.ContainsFunc(packages, func(p goPackage) bool {
			name, _ := packageName(p.ImportPath)
			return below(name, strings.TrimSuffix(prefix, "/*"))
		}) {
			t.Errorf("%s has a rule and does not exist", prefix)
		}
	}
	for _, p := range packages {
		from, _ := packageName(p.ImportPath)
		r, ok := ruleOf(from)
		if !ok && from != "" { // this package has only this test
			t.Errorf("%s has no rule", from)
		}
		for _, violation := range slices.Concat(
			violationsIn(from, "", r, p.Imports, r.imports),
			violationsIn(from, " (tests)", rule{}, p.TestImports, slices.Concat(r.imports, r.tests, forTests)),
			violationsIn(from, " (external tests)", rule{}, p.XTestImports, slices.Concat(r.imports, r.tests, forExternalTests)),
		) {
			t.Errorf("not allowed: %s", violation)
		}
		if p.CodeFiles > maxFiles {
			t.Errorf("%s has %d files of code, want at most %d: move those of one subject into a package", p.ImportPath, p.CodeFiles, maxFiles)
		}
	}
}

// readPackages reads the imports of every package of the module, for every platform, in this
// process, so that the test cache detects changes.
func readPackages(t *testing.T) (all []goPackage) {
	t.Helper()
	const root = ".."
	every := build.Default
	every.UseAllFiles = true
	err := filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		name := entry.Name()
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); dir != root && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || err == nil && name != "kubetest") {
			return filepath.SkipDir // no package of this module, or of one that uses it
		}
		found, err := every.ImportDir(dir, 0)
		if noGo := (*build.NoGoError)(nil); errors.As(err, &noGo) {
			return nil
		}
		below := filepath.ToSlash(strings.TrimPrefix(dir, root))
		all = append(all, goPackage{module + below, len(found.GoFiles), found.Imports, found.TestImports, found.XTestImports})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// maxFiles is the maximum number of code files in a folder: with more, a reader no
// longer finds the one for a change by its name.
const maxFiles = 25
