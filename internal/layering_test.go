// Package internal_test holds the house to its plan: which package may import
// which. The reasons are in internal/README.md.
package internal_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/terraform-kuscia/terraform-provider-kuscia"

// A room is a package by its path from internal/; the plugin's entry is main.
type rule struct {
	// imports are the rooms that this one may use.
	imports []string
	// noTerraform forbids the plugin libraries. Logging (terraform-plugin-log)
	// is allowed: it does nothing outside of a provider.
	noTerraform bool
}

// arrows is the whole plan. A room that is not in it is an error, so that a
// new one takes its place knowingly.
var arrows = map[string]rule{
	"main":                {imports: []string{"provider", "fastpath", "journal"}},
	"provider":            {imports: []string{"serving", "appimage", "clients", "kusciaapi", "journal", "fastpath", "functions"}},
	"fastpath":            {},
	"serving":             {imports: []string{"clients", "foreign", "kusciaapi", "readiness", "tfvalue"}},
	"appimage":            {imports: []string{"clients", "foreign", "kusciaapi", "readiness", "tfvalue"}},
	"clients":             {imports: []string{"kusciaapi", "readiness", "journal"}},
	"foreign":             {},
	"functions":           {imports: []string{"tfvalue"}},
	"journal":             {noTerraform: true},
	"readiness":           {imports: []string{"kusciaapi"}, noTerraform: true},
	"kusciaapi":           {noTerraform: true},
	"tfvalue":             {},
	"sandbox":             {imports: []string{"kusciaapi"}, noTerraform: true},
	"cmd/kuscia-sandbox":  {imports: []string{"sandbox"}, noTerraform: true},
	"cmd/provider-schema": {imports: []string{"provider", "schemajson"}},
	"schemajson":          {},
	"acctest":             {imports: []string{"provider", "kusciaapi", "sandbox"}},
	"faulttest":           {}, // tests only
	"compat":              {}, // tests only
	"../examples":         {}, // a test of the example files, no code
}

// Tests may use more: every test the sandbox, and tests in a package of their
// own (package x_test) the provider and its helpers.
var (
	forTests         = []string{"sandbox"}
	forExternalTests = []string{"sandbox", "acctest", "provider", "kusciaapi"}
)

// goPackage is a package with the imports of its code, of its tests and of the
// tests in a package of their own.
type goPackage struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// violations lists the imports that the plan does not allow.
func violations(packages []goPackage) []string {
	var found []string
	for _, p := range packages {
		from, _ := room(p.ImportPath)
		if from == "" { // this package, which has only this test
			continue
		}
		r, planned := arrows[from]
		if !planned {
			found = append(found, from+" has no place in the plan")
			continue
		}
		found = append(found, violationsIn(from, r, p.Imports, r.imports)...)
		found = append(found, violationsIn(from+" (tests)", rule{}, p.TestImports, slices.Concat(r.imports, forTests))...)
		found = append(found, violationsIn(from+" (external tests)", rule{}, p.XTestImports, slices.Concat(r.imports, forExternalTests, []string{from}))...)
	}
	return found
}

func violationsIn(from string, r rule, imports, allowed []string) []string {
	var found []string
	for _, path := range imports {
		if to, own := room(path); own {
			if !slices.Contains(allowed, to) {
				found = append(found, from+" -> "+to)
			}
		} else if r.noTerraform && isTerraform(path) {
			found = append(found, from+" -> "+path)
		}
	}
	return found
}

// room is the place of an import path in the house; own is false for packages
// of others.
func room(path string) (name string, own bool) {
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
		!strings.HasPrefix(path, "github.com/hashicorp/terraform-plugin-log")
}

// TestLayering fails when an arrow of the house is reversed.
func TestLayering(t *testing.T) {
	packages := readPackages(t)
	seen := map[string]bool{}
	for _, p := range packages {
		name, _ := room(p.ImportPath)
		seen[name] = true
	}
	for name := range arrows {
		if !seen[name] {
			t.Errorf("%s is in the plan but there is no such package", name)
		}
	}
	for _, violation := range violations(packages) {
		t.Errorf("not allowed: %s", violation)
	}
}

// readPackages reads the imports of every package of the module. It parses the
// files itself, of whatever platform, so that the test cache sees them change.
func readPackages(t *testing.T) []goPackage {
	t.Helper()
	const root = ".."
	packages := map[string]*goPackage{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipDir(file, entry.Name(), file == root)
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		below, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		path := strings.TrimSuffix(module+"/"+filepath.ToSlash(below), "/.")
		if packages[path] == nil {
			packages[path] = &goPackage{ImportPath: path}
		}
		return packages[path].add(file)
	})
	if err != nil {
		t.Fatal(err)
	}

	var all []goPackage
	for _, path := range slices.Sorted(maps.Keys(packages)) {
		all = append(all, *packages[path])
	}
	return all
}

// skipDir leaves out what is no package of this module.
func skipDir(dir, name string, isRoot bool) error {
	if isRoot {
		return nil
	}
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

// add takes in the imports of one file.
func (p *goPackage) add(file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	imports := &p.Imports
	switch {
	case strings.HasSuffix(parsed.Name.Name, "_test"):
		imports = &p.XTestImports
	case strings.HasSuffix(file, "_test.go"):
		imports = &p.TestImports
	}
	for _, spec := range parsed.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if !slices.Contains(*imports, path) {
			*imports = append(*imports, path)
		}
	}
	return nil
}

// path is the import path of a room.
func path(name string) string {
	if name == "main" {
		return module
	}
	if beside, ok := strings.CutPrefix(name, "../"); ok {
		return module + "/" + beside
	}
	return module + "/internal/" + name
}

// TestCheckerSeesEveryReversedArrow plants each arrow that the plan does not
// have, in the code and in both kinds of tests, and wants it reported; and each
// one that it has, and wants silence.
func TestCheckerSeesEveryReversedArrow(t *testing.T) {
	rooms := slices.Sorted(maps.Keys(arrows))
	for _, from := range rooms {
		for _, to := range rooms {
			if from == to {
				continue
			}
			r := arrows[from]
			inCode := slices.Contains(r.imports, to)
			inTests := inCode || to == "sandbox"
			inExternalTests := inTests || to == "acctest" || to == "provider" || to == "kusciaapi"

			for _, c := range []struct {
				place   string
				p       goPackage
				allowed bool
			}{
				{"code", goPackage{ImportPath: path(from), Imports: []string{path(to)}}, inCode},
				{"tests", goPackage{ImportPath: path(from), TestImports: []string{path(to)}}, inTests},
				{"external tests", goPackage{ImportPath: path(from), XTestImports: []string{path(from), path(to)}}, inExternalTests},
			} {
				got := violations([]goPackage{c.p})
				if (len(got) == 0) != c.allowed {
					t.Errorf("%s -> %s in %s: reported %v, allowed %t", from, to, c.place, got, c.allowed)
				}
			}
		}
	}
}

// TestCheckerKnowsTheRules is the same for single arrows by name, so that a
// mistake in the plan itself shows.
func TestCheckerKnowsTheRules(t *testing.T) {
	const (
		framework = "github.com/hashicorp/terraform-plugin-framework/types"
		tflog     = "github.com/hashicorp/terraform-plugin-log/tflog"
		retry     = "github.com/hashicorp/go-retryablehttp"
	)
	tests := map[string]struct {
		from, to string
		allowed  bool
	}{
		"resources do not know each other":           {"serving", path("appimage"), false},
		"nor the other way round":                    {"appimage", path("serving"), false},
		"a resource does not know the provider":      {"serving", path("provider"), false},
		"the client does not know the waiter":        {"kusciaapi", path("readiness"), false},
		"the waiter does not know the clients value": {"readiness", path("clients"), false},
		"custom types know no Kuscia":                {"tfvalue", path("kusciaapi"), false},
		"the provider does not use the sandbox":      {"provider", path("sandbox"), false},
		"a resource does not use the sandbox":        {"serving", path("sandbox"), false},
		"the sandbox shares nothing but wire types":  {"sandbox", path("readiness"), false},
		"nothing uses test helpers":                  {"provider", path("acctest"), false},
		"main only starts the provider":              {"main", path("kusciaapi"), false},
		"the client knows no Terraform":              {"kusciaapi", framework, false},
		"the waiter knows no Terraform":              {"readiness", framework, false},
		"the sandbox knows no Terraform":             {"sandbox", framework, false},
		"the client may log":                         {"kusciaapi", tflog, true},
		"the client may use other libraries":         {"kusciaapi", retry, true},
		"custom types are Terraform's":               {"tfvalue", framework, true},
		"a resource waits":                           {"serving", path("readiness"), true},
		"an unplanned package":                       {"utils", retry, false},
		"a package beside internal":                  {"main", module + "/pkg/x", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := violations([]goPackage{{ImportPath: path(test.from), Imports: []string{"fmt", test.to}}})
			if (len(got) == 0) != test.allowed {
				t.Errorf("reported %v, allowed %t", got, test.allowed)
			}
		})
	}
}

// TestPlanHasNoCycle shows that the arrows go one way.
func TestPlanHasNoCycle(t *testing.T) {
	var visit func(name string, trail []string) error
	visit = func(name string, trail []string) error {
		if slices.Contains(trail, name) {
			return fmt.Errorf("cycle: %s", strings.Join(append(trail, name), " -> "))
		}
		for _, to := range arrows[name].imports {
			if err := visit(to, append(slices.Clone(trail), name)); err != nil {
				return err
			}
		}
		return nil
	}
	for name := range arrows {
		if err := visit(name, nil); err != nil {
			t.Fatal(err)
		}
	}
}
