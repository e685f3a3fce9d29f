package internal_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// codeName matches an exported name with its package, or a method or field with its type: wait.Poll,
// Object.creation, kruise.Progress.Overwritten.
var codeName = regexp.MustCompile(`^(?:\w+\.)?(?:\w+\.[A-Z]\w*|[A-Z]\w*\.\w+)$`)

// TestDocumentsNameCode: a function, method, type or field that inline code of a document below
// internal/ names with its package or type exists. In steps.md, so does every other name, in the
// packages of which it tells.
func TestDocumentsNameCode(t *testing.T) {
	t.Parallel()
	const ofTheCLI = "states.Resource.DeepCopy"
	declared, checked := declaredNames(t), 0
	for _, document := range documents(t) {
		for _, span := range codeSpan.FindAllStringSubmatch(withoutBlocks(testfile.Read(t, document)), -1) {
			name := span[1]
			exists := declared[name] || name == ofTheCLI
			switch {
			case file.MatchString(name):
				continue
			case codeName.MatchString(name):
			case filepath.Base(document) == "steps.md" && token.IsIdentifier(name) && !strings.Contains(name, "_"):
				exists = declared["serving."+name] || declared["rules."+name] || declared["fastpath."+name]
			default:
				continue
			}
			if checked++; !exists {
				t.Errorf("%s names %s, which does not exist", document, name)
			}
		}
	}
	if checked < 150 {
		t.Errorf("only %d names were found", checked)
	}
}

// declaredNames are the names that are declared below internal/, each also with its type, and both
// with their package.
func declaredNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	inspectCode(t, []string{"testdata", "tools"}, func(at token.Position, node ast.Node) bool {
		of := filepath.Base(filepath.Dir(at.Filename))
		add := func(name string) { names[name], names[of+"."+name] = true, true }
		switch n := node.(type) {
		case *ast.FuncDecl:
			name := n.Name.Name
			add(name)
			if n.Recv != nil {
				add(receiver(n.Recv.List[0].Type) + "." + name)
			}
		case *ast.TypeSpec:
			add(n.Name.Name)
			var fields *ast.FieldList
			switch is := n.Type.(type) {
			case *ast.StructType:
				fields = is.Fields
			case *ast.InterfaceType:
				fields = is.Methods
			default:
				return true
			}
			for _, field := range fields.List {
				for _, name := range field.Names {
					add(name.Name)
					add(n.Name.Name + "." + name.Name)
				}
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				add(name.Name)
			}
		}
		return true
	})
	return names
}

// receiver is the name of the type of a method.
func receiver(of ast.Expr) string {
	switch is := of.(type) {
	case *ast.StarExpr:
		return receiver(is.X)
	case *ast.IndexExpr:
		return receiver(is.X)
	case *ast.Ident:
		return is.Name
	}
	return ""
}
