package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// objectUses finds the lines of Go files that refer to one object of the
// KusciaAPI.
type objectUses struct {
	names
	root string
	// declared are the names at package level that the files of the object
	// declare, and methods those of methods, both by folder.
	declared, methods map[string]map[string]bool
}

// owns reports whether a file exists only because of the object: everything
// that newresource writes, and other files with the same names.
func (u *objectUses) owns(file string) bool {
	for _, folder := range []string{"internal/resource/", "internal/sandbox/kuscia/"} {
		if strings.HasPrefix(file, folder+u.Package+"/") {
			return true
		}
	}
	name := strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".go"), "_test")
	return slices.Contains([]string{u.Type, "kind_" + u.Type, "conformance_" + u.Type}, name)
}

// goFiles calls a function with each Go file of the repository.
func (u *objectUses) goFiles(t *testing.T, visit func(file string, parsed *ast.File, positions *token.FileSet)) {
	t.Helper()
	err := filepath.WalkDir(u.root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && name != u.root || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		positions := token.NewFileSet()
		parsed, err := parser.ParseFile(positions, name, nil, 0)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(u.root, name)
		visit(filepath.ToSlash(relative), parsed, positions)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// declare records what a file of the object declares.
func (u *objectUses) declare(file string, parsed *ast.File) {
	folder := path.Dir(file)
	if u.declared[folder] == nil {
		u.declared[folder], u.methods[folder] = map[string]bool{}, map[string]bool{}
	}
	for _, decl := range parsed.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				u.declared[folder][decl.Name.Name] = true
			} else {
				u.methods[folder][decl.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					u.declared[folder][spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						u.declared[folder][name.Name] = true
					}
				}
			}
		}
	}
	delete(u.declared[folder], "_")
}

// otherObject matches the other objects in the folder of the domain, whose lines
// are not those of the domain.
var otherObject = regexp.MustCompile(`^[A-Z]\w+Object$`)

// in returns the lines of a file that refer to the object, in order.
func (u *objectUses) in(file string, parsed *ast.File, positions *token.FileSet) []int {
	lines := map[int]bool{}
	add := func(node ast.Node) { lines[positions.Position(node.Pos()).Line] = true }
	imported := map[string]string{} // folders by the name of the import
	for _, spec := range parsed.Imports {
		full, _ := strconv.Unquote(spec.Path.Value) // it was parsed
		folder, inside := strings.CutPrefix(full, modulePath)
		if !inside {
			continue
		}
		name := path.Base(folder)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = folder
		if u.owns(folder + "/") {
			add(spec)
		}
	}
	text := regexp.MustCompile(`^"(([a-z-]+/)?kuscia_` + u.Type + `(s|_deploy_token)?|` + u.Package + `/\w+)"$`)
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.SelectorExpr:
			of, _ := node.X.(*ast.Ident)
			if of != nil && of.Obj == nil /* not a local variable */ && u.owns(imported[of.Name]+"/") && !otherObject.MatchString(node.Sel.Name) {
				add(node.Sel)
			}
		case *ast.CallExpr:
			if method, is := node.Fun.(*ast.SelectorExpr); is && u.methods[path.Dir(file)][method.Sel.Name] {
				add(method.Sel)
			}
		case *ast.BasicLit:
			if node.Kind == token.STRING && text.MatchString(node.Value) {
				add(node)
			}
		}
		return true
	})
	// Names that are not declared in the file.
	for _, name := range parsed.Unresolved {
		if u.declared[path.Dir(file)][name.Name] {
			add(name)
		}
	}
	return slices.Sorted(maps.Keys(lines))
}

// find returns the lines outside of the files of the object, by file.
func (u *objectUses) find(t *testing.T) map[string][]int {
	t.Helper()
	u.goFiles(t, func(file string, parsed *ast.File, _ *token.FileSet) {
		if u.owns(file) {
			u.declare(file, parsed)
		}
	})
	found := map[string][]int{}
	u.goFiles(t, func(file string, parsed *ast.File, positions *token.FileSet) {
		if lines := u.in(file, parsed, positions); len(lines) > 0 && !u.owns(file) {
			found[file] = lines
		}
	})
	return found
}

// usesOfDomains are the files, by the beginning of their name, whose lines about
// domains are there for a feature of their own.
var usesOfDomains = map[string]string{
	"internal/api/kuscia/domain_":                  "routes, data sources and grants belong to domains, and share errors and messages with them",
	"internal/api/kuscia/error_rules_test.go":      "tests the rules with any errors",
	"internal/api/kuscia/object_conflicts_test.go": "tests conflicts with some objects",
	"internal/api/kuscia/retry_test.go":            "tests which answers say that an object does not exist",
	"internal/clients/":                            "what other objects refer to, and users of a deleted domain",
	"internal/resource/domainroute/":               "routes refer to domains",
	"internal/testing/faulttest/references_test":   "what refers to domains",
	"internal/testing/faulttest/users_test":        "users of a deleted domain",
	"internal/testing/faulttest/objects_test.go":   "the requests by which plans look up domains",
	"internal/resource/serving/":                   "parties of servings are domains; another resource in a provider block",
	"internal/sandbox/kuscia/serving/":             "servings run on the nodes of domains",
	"internal/sandbox/kuscia/store.go":             "access to servings and what they use; other objects are not added to it",
	"internal/sandbox/conformance_":                "the recordings of other objects use existing domains",
	"internal/sandbox/objects_test.go":             "tests of the objects of domains",
	"internal/sandbox/state_test.go":               "tests the state file with a domain",
	"internal/testing/compat/rules_test.go":        "an invented schema",
	"internal/testing/faulttest/kind_":             "grants and routes refer to domains",
	"internal/testing/faulttest/testbed_test.go":   "servings run in existing domains",
	"internal/tools/cmd/bench/":                    "measures domains, of which there are many",
	"examples/guides_test.go":                      "a guide with requests of curl",
}

// TestDomainIsFourLines counts the lines of existing Go files that kuscia_domain
// takes. The files of the object (owns) do not count. In all other files these
// lines count:
//   - imports of resource/domain and sandbox/kuscia/domain, and names of these
//     packages, except for the other objects in the latter;
//   - names that the files of the object declare at package level, and calls of
//     methods that they declare, in the other files of their package: the client,
//     tests of faults, examples;
//   - texts that are a type of the object, with or without the folder of its
//     examples, or one of its operations.
//
// Not counted are uses, for example of the client by servings and grants, which
// check that a domain exists (clients/domains.go): they belong to the feature
// that uses domains, as a configuration belongs to the user. Of the lines above,
// those of uses are in the files in usesOfDomains. That no object has to be in
// these files is shown by TestNewObjectIsFourLines, whose object is complete
// without them.
func TestDomainIsFourLines(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	object := &objectUses{names: namesOf("domain"), root: root, declared: map[string]map[string]bool{}, methods: map[string]map[string]bool{}}
	found, uses := object.find(t), map[string]int{}
	var counted []string
	for _, file := range slices.Sorted(maps.Keys(found)) {
		use := ""
		for beginning := range usesOfDomains {
			if strings.HasPrefix(file, beginning) {
				use = beginning
			}
		}
		if use != "" {
			uses[use] += len(found[file])
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for _, line := range found[file] {
			counted = append(counted, fmt.Sprintf("%s:%d: %s", file, line, strings.TrimSpace(lines[line-1])))
		}
	}
	t.Logf("kuscia_domain takes %d lines of existing Go files:\n%s", len(counted), strings.Join(counted, "\n"))
	if len(counted) > mostLines {
		t.Errorf("at most %d lines are allowed: declare the others in a file of the object, or say in usesOfDomains which feature uses it", mostLines)
	}
	for _, r := range object.Registrations() {
		if !slices.ContainsFunc(counted, func(line string) bool {
			return strings.HasPrefix(line, r.File+":") && strings.HasSuffix(line, ": "+strings.TrimSpace(r.Line))
		}) {
			t.Errorf("%s is not among the lines, so they are not counted as they should", r)
		}
	}
	for _, beginning := range slices.Sorted(maps.Keys(usesOfDomains)) {
		t.Logf("not counted: %d lines in %s: %s", uses[beginning], beginning, usesOfDomains[beginning])
		if uses[beginning] == 0 {
			t.Errorf("%s has no such line any more: remove it from usesOfDomains", beginning)
		}
	}
}
