package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// decodesOwn are the functions that decode, with the reason why they may: everything else that a
// server has sent is an httpapi.Document, which is bounded.
var decodesOwn = map[string]string{
	"httpapi/document.go Decode":      "it is the one that decodes",
	"httpapi/decode.go keyText":       "one key of a response, to bound it",
	"httpapi/mask.go appendLeaves":    "the strings of a text, one after another, up to a limit",
	"kube/write.go Decode":            "an object that was decoded before",
	"kube/manage.go ManagersOf":       "a part of an object that was decoded before",
	"kube/manage.go manageByApply":    "a part of an object that was decoded before",
	"kube/kubeconfig.go checkAliases": "the syntax of a bounded file, to bound it",
	"kube/plugin.go parseCredential":  "the bounded output of a credential plugin",
	"kruise/object.go object":         "an object of the configuration",
	"kruise/object.go decode":         "an object that was decoded before",
}

// TestDecodingIsBounded finds each decoding in the API clients that goes around
// httpapi.Document. Methods UnmarshalJSON are called by it.
func TestDecodingIsBounded(t *testing.T) {
	t.Parallel()
	decoders := map[string]bool{
		"Unmarshal": true, "UnmarshalJSON": true, "UnmarshalStrict": true, "NewDecoder": true, "NewYAMLOrJSONDecoder": true, "NewYAMLToJSONDecoder": true,
		"UniversalDeserializer": true, "UniversalDecoder": true, "FromUnstructured": true, "DecodeInto": true,
	}
	found := 0
	err := filepath.WalkDir("api", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		for _, declaration := range parsed.Decls {
			function, _ := declaration.(*ast.FuncDecl)
			name := "a variable"
			if function != nil {
				name = function.Name.Name
			}
			if name == "UnmarshalJSON" {
				continue
			}
			ast.Inspect(declaration, func(node ast.Node) bool {
				selector, ok := node.(*ast.SelectorExpr)
				if !ok || !decoders[selector.Sel.Name] {
					return true
				}
				found++
				if decodesOwn[strings.TrimPrefix(filepath.ToSlash(path), "api/")+" "+name] == "" {
					t.Errorf("%s: %s decodes with %s; a text of a server is decoded with httpapi.Document", files.Position(selector.Pos()), name, selector.Sel.Name)
				}
				return true
			})
		}
		return nil
	})
	if err != nil || found < 5 {
		t.Errorf("%d decodings found: %v", found, err)
	}
}
