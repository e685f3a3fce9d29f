// Package examplestest_test applies every example of the folder examples with the real CLI,
// as its README.md says, and what some of them show beyond that.
package examplestest_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// namespace is that of the provider's source address, which the examples name.
// The test framework announces the provider under "hashicorp" otherwise.
const namespace = "terraform-kuscia"

// The folders of this module and of its examples, to which the names of files are relative.
const (
	module   = "../../.."
	examples = module + "/examples"
)

// readExample is a file of the examples.
func readExample(t *testing.T, name string) string {
	t.Helper()
	return testfile.Read(t, filepath.Join(examples, name))
}

func TestMain(m *testing.M) {
	if err := os.Setenv("TF_ACC_PROVIDER_NAMESPACE", namespace); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if dir, err := built(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// TestUnknownKeys: the example knows every attribute of a party.
func TestUnknownKeys(t *testing.T) {
	t.Parallel()
	server := protocol.NewServer(t, provider.NewServer(provider.Build{Version: "test"}, true)())
	for _, parties := range server.Schemas.ResourceSchemas["kuscia_serving"].Block.Attributes {
		if parties.Name != "parties" {
			continue
		}
		var known []string
		for _, attribute := range parties.NestedType.Attributes {
			if attribute.Optional || attribute.Required {
				known = append(known, attribute.Name)
			}
		}
		slices.Sort(known)
		if text := `["` + strings.Join(known, `", "`) + `"]`; !strings.Contains(readExample(t, "unknown-keys/main.tf"), text) {
			t.Errorf("a party has %s, which the example does not say", text)
		}
		return
	}
	t.Error("no parties")
}

// example is the files of a folder.
type example struct {
	dir string
	// configuration are the Terraform files that belong together, and all are also scripts,
	// queries and tests.
	configuration, all []string
}

// named is an example.
func named(t *testing.T, dir string) example {
	t.Helper()
	found := findExamples(t)
	i := slices.IndexFunc(found, func(e example) bool { return e.dir == dir })
	if i < 0 {
		t.Fatalf("there is no example %s", dir)
	}
	return found[i]
}

// findExamples reads the folder examples.
func findExamples(t *testing.T) []example {
	t.Helper()
	byDir := map[string]*example{}
	err := fs.WalkDir(os.DirFS(examples), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		dir, name := path.Split(file)
		if dir == "" || strings.HasPrefix(name, "sandbox.") { // the list of the examples, and what it needs
			return nil
		}
		dir = path.Clean(dir)
		// The tests of a module, blocks that import, and an earlier configuration.
		within := path.Base(dir)
		if slices.Contains([]string{"tests", "import", "before"}, within) {
			dir = path.Dir(dir)
		}
		e := byDir[dir]
		if e == nil {
			e = &example{dir: dir}
			byDir[dir] = e
		}
		e.all = append(e.all, file)
		if path.Ext(name) == ".tf" && within != "import" {
			e.configuration = append(e.configuration, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []example
	for _, e := range byDir {
		found = append(found, *e)
	}
	return found
}

// workspace is a folder with the configuration of an example, in which places are
// replaced, and the provider of factories.
func (e example) workspace(t *testing.T, factories providers, places *strings.Replacer) *acctest.Workspace {
	t.Helper()
	w := acctest.NewWorkspace(t, factories)
	for _, file := range e.configuration {
		w.Write(path.Base(file), places.Replace(readExample(t, file)))
	}
	return w
}

type providers = map[string]func() (tfprotov6.ProviderServer, error)

// expectIn fails when a text is not in an output. Line breaks of the CLI do
// not count.
func expectIn(t *testing.T, output string, texts ...string) {
	t.Helper()
	protocol.Says(t, "the output", acctest.Plain(output), texts...)
}
