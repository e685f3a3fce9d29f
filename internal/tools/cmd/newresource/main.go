// Command newresource generates the skeleton of a resource for an object of the
// KusciaAPI: client, simulated object, resource, tests and examples. The
// skeleton compiles, and tests fail until it is registered and filled in.
package main

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed skeleton
var skeleton embed.FS

// names are the names of the resource in the skeleton.
type names struct {
	// Type is the resource type without the provider's name, Package the Go
	// package and the path of the API, Title the name in a sentence, Variable
	// and Name those in code.
	Type, Package, Title, Variable, Name string
}

var validType = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

func main() {
	root := flag.String("root", ".", "folder of the repository")
	name := flag.String("name", "", "resource type without kuscia_, for example domain_route")
	flag.Parse()
	log.SetFlags(0)
	files, err := generate(*name)
	if err != nil {
		log.Fatal(err)
	}
	if err := write(*root, files); err != nil {
		log.Fatal(err)
	}
	fmt.Print(report(namesOf(*name), len(files)))
}

// report says what is to be done with the skeleton.
func report(n names, files int) string {
	registrations := n.Registrations()
	text := fmt.Sprintf("%d new files for kuscia_%s. Insert %d lines into existing Go files:\n\n", files, n.Type, len(registrations))
	for _, r := range registrations {
		text += r.String() + "\n"
	}
	return text + fmt.Sprintf("\nThen fill in what \"go test ./internal/resource/%s ./internal/api/kuscia\" lists; the steps are in CONTRIBUTING.md, \"A new resource\".\n", n.Package)
}

func namesOf(resourceType string) names {
	parts := strings.Split(resourceType, "_")
	return names{
		Type: resourceType, Package: strings.Join(parts, ""), Title: strings.Join(parts, " "),
		Variable: parts[0] + capitalized(parts[1:]), Name: capitalized(parts),
	}
}

func capitalized(words []string) string {
	name := ""
	for _, word := range words {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// modulePath begins the import paths of the provider.
const modulePath = "github.com/terraform-kuscia/terraform-provider-kuscia/"

// registration is a line that registers the resource in an existing file.
type registration struct{ File, After, Line string }

// String shows the line with its place.
func (r registration) String() string {
	return fmt.Sprintf("%s, after %s\n\t%s", r.File, strings.TrimSpace(r.After), strings.TrimSpace(r.Line))
}

// Registrations are all lines of existing Go files that a new resource takes.
func (n names) Registrations() []registration {
	const (
		types   = "internal/provider/provided_types.go"
		objects = "internal/sandbox/kuscia/registry.go"
	)
	imported := func(folder, name string) string {
		return "\t\"" + modulePath + "internal/" + folder + "/" + name + "\""
	}
	return []registration{
		{types, imported("resource", "serving"), imported("resource", n.Package)},
		{types, "\tserving.Types,", "\t" + n.Package + ".Types,"},
		{objects, imported("sandbox/kuscia", "serving"), imported("sandbox/kuscia", n.Package)},
		{objects, "\t&serving.Object,", "\t&" + n.Package + ".Object,"},
	}
}

// generate returns the files by their path in the repository.
func generate(resourceType string) (map[string][]byte, error) {
	if !validType.MatchString(resourceType) {
		return nil, fmt.Errorf("%q is no resource type: lower-case words with _ between them, without kuscia_", resourceType)
	}
	n, files := namesOf(resourceType), map[string][]byte{}
	err := fs.WalkDir(skeleton, "skeleton", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		t, err := template.ParseFS(skeleton, file)
		if err != nil {
			return fmt.Errorf("read the skeleton: %w", err)
		}
		var text bytes.Buffer
		if err := t.Execute(&text, n); err != nil {
			return fmt.Errorf("fill %s: %w", file, err)
		}
		content, name := text.Bytes(), strings.TrimSuffix(strings.TrimPrefix(file, "skeleton/"), ".tmpl")
		if path.Ext(name) == ".go" {
			if content, err = format.Source(content); err != nil {
				return fmt.Errorf("format %s: %w", file, err)
			}
		}
		files[strings.NewReplacer("PACKAGE", n.Package, "TYPE", n.Type).Replace(name)] = content
		return nil
	})
	return files, err
}

// write writes the files into the repository. It changes none that exists.
func write(root string, files map[string][]byte) error {
	for name := range files {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			return fmt.Errorf("%s already exists; no file was written", name)
		}
	}
	for name, content := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			return fmt.Errorf("make the folder of %s: %w", name, err)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}
