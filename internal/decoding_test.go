package internal_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// decodesOwn are the functions that decode, with the reason why they may: everything else that a
// server has sent is an httpapi.Document, which is bounded.
var decodesOwn = map[string]string{
	"httpapi/document.go Decode":        "it is the one that decodes",
	"httpapi/decode.go keyText":         "one key of a response, to bound it",
	"httpapi/mask.go appendLeaves":      "the strings of a text, one after another, up to a limit",
	"kube/write.go Decode":              "an object that was decoded before",
	"kube/manage.go ManagersOf":         "a part of an object that was decoded before",
	"kube/manage.go manageByApply":      "a part of an object that was decoded before",
	"kube/kubeconfig.go checkExpansion": "the syntax of a bounded file, to bound it",
	"kube/plugin.go parseCredential":    "the bounded output of a credential plugin",
	"kruise/object.go object":           "an object of the configuration",
	"kruise/object.go decode":           "an object that was decoded before",

	"configtemplate/render.go verbatim":           "a text of at most 1 MiB",
	"party/app_image_digests.go withoutZeros":     "an object that was decoded before",
	"party/app_image_from_cluster.go FromCluster": "an object that was decoded before",
	"datasource/info_key.go fits":                 "the few fields of a block; the rest is skipped",
	"edgedeployment/check_template.go template":   "a part of the configuration",
	"edgedeployment/schema.go affinityOf":         "a part of the configuration, or of an object that was decoded before",
	"tfvalue/json.go decodeJSON":                  "a text of at most 2 MiB",
	"secrets/keys.go decodeAny":                   "a text of at most 2 MiB",

	"bounded/secret_lines.go newLines":          "the CLI's configuration",
	"bounded/server.go longLists":               "the CLI's configuration",
	"crud/private_state.go Decodes":             "private state",
	"crud/private_state.go Recall":              "private state",
	"crudtest/compare_responses.go PrivateKeys": "private state, in tests",
	"fastpath/plan.go decodePrivate":            "private state",
	"fastpath/responded.go expectResponses":     "private state",
	"fastpath/upgrade.go noOpUpgrade":           "the CLI's state",
	"movestate/find.go Find":                    "the CLI's state",
	"movestate/find.go object":                  "the CLI's state",
	"movestate/move.go same":                    "the CLI's state",
	"secretflowtest/secretflowtest.go Answers":  "recorded answers, in tests",
	"secretflowtest/secretflowtest.go Commands": "recorded commands, in tests",
	"schemajson/convert.go typ":                 "a type of the schema",
	"provider/kubernetes.go parseExec":          "a text of the environment",
	"provider/resolve.go customHeaders":         "a text of the environment",
}

// TestDecodingIsBounded finds each decoding that goes around httpapi.Document, in the API
// clients and in all that uses what they return. Methods UnmarshalJSON are called by it.
func TestDecodingIsBounded(t *testing.T) {
	t.Parallel()
	decoders := map[string]bool{
		"Unmarshal": true, "UnmarshalJSON": true, "UnmarshalStrict": true, "NewDecoder": true, "NewYAMLOrJSONDecoder": true, "NewYAMLToJSONDecoder": true,
		"UniversalDeserializer": true, "UniversalDecoder": true, "FromUnstructured": true, "DecodeInto": true,
	}
	found := map[string]bool{}
	inspectProvider(t, func(position token.Position, node ast.Node) bool {
		name := "a variable"
		switch n := node.(type) {
		case *ast.FuncDecl:
			name = n.Name.Name
		case *ast.GenDecl:
		default:
			return !strings.HasPrefix(position.Filename, "review/")
		}
		ast.Inspect(node, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok || !decoders[selector.Sel.Name] || name == "UnmarshalJSON" {
				return true
			}
			at := filepath.Base(filepath.Dir(position.Filename)) + "/" + filepath.Base(position.Filename) + " " + name
			if found[at] = true; decodesOwn[at] == "" {
				t.Errorf("%s: %s decodes with %s; a text of a server is decoded with httpapi.Document", position, name, selector.Sel.Name)
			}
			return true
		})
		return false
	})
	for at := range decodesOwn {
		if !found[at] {
			t.Errorf("%s does not decode: remove it from the list", at)
		}
	}
}
