// Command newresource generates the skeleton of a resource: a package that
// compiles and whose tests fail until it is filled in.
package main

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"go/format"
	"log"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed skeleton/*.tmpl
var skeleton embed.FS

// names are the names of the resource in the skeleton.
type names struct {
	// Type is the resource type without the provider's name, Package the Go
	// package, Title the name in a sentence, and Variable the name in code.
	Type, Package, Title, Variable string
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
	dir := filepath.Join(*root, "internal", "resource", namesOf(*name).Package)
	if err := write(dir, files); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: the steps to fill it in are in CONTRIBUTING.md, \"A new resource\".\n", dir)
}

func namesOf(resourceType string) names {
	parts := strings.Split(resourceType, "_")
	variable := parts[0]
	for _, part := range parts[1:] {
		variable += strings.ToUpper(part[:1]) + part[1:]
	}
	return names{Type: resourceType, Package: strings.Join(parts, ""), Title: strings.Join(parts, " "), Variable: variable}
}

// generate returns the files, keyed by name.
func generate(resourceType string) (map[string][]byte, error) {
	if !validType.MatchString(resourceType) {
		return nil, fmt.Errorf("%q is no resource type: lower-case words with _ between them, without kuscia_", resourceType)
	}
	all, err := template.ParseFS(skeleton, "skeleton/*.tmpl")
	if err != nil {
		return nil, fmt.Errorf("read the skeleton: %w", err)
	}
	files := map[string][]byte{}
	for _, t := range all.Templates() {
		var text bytes.Buffer
		if err := t.Execute(&text, namesOf(resourceType)); err != nil {
			return nil, fmt.Errorf("fill %s: %w", t.Name(), err)
		}
		formatted, err := format.Source(text.Bytes())
		if err != nil {
			return nil, fmt.Errorf("format %s: %w", t.Name(), err)
		}
		files[strings.TrimSuffix(path.Base(t.Name()), ".tmpl")] = formatted
	}
	return files, nil
}

// write writes the files to a directory that must not exist yet.
func write(dir string, files map[string][]byte) error {
	if err := os.Mkdir(dir, 0o750); err != nil {
		return fmt.Errorf("make the folder of the resource: %w", err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}
