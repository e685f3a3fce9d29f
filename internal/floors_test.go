package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	pathpkg "path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFloors fails if a file of a package with floors uses what a file of a higher floor declares, or
// if files use each other in a circle.
func TestFloors(t *testing.T) {
	for _, folder := range slices.Sorted(maps.Keys(floors)) {
		uses := fileUses(t, folder)
		for _, from := range slices.Sorted(maps.Keys(uses)) {
			own := floorOf(folder, from)
			if own < 0 {
				t.Errorf("%s/%s is on no floor", folder, from)
			}
			for _, to := range slices.Sorted(maps.Keys(uses[from])) {
				if floorOf(folder, to) < own {
					t.Errorf("%s: an arrow up: %s -> %s (%s)", folder, from, to, uses[from][to])
				}
			}
			if circle := wayBack(uses, from); circle != nil {
				t.Errorf("%s: a circle: %s", folder, strings.Join(circle, " -> "))
			}
		}
	}
}

// floorOf is the floor of a file, counted from the top: that of the longest prefix.
func floorOf(folder, file string) int {
	floor, longest := -1, -1
	for i, prefixes := range floors[folder] {
		for _, prefix := range prefixes {
			if len(prefix) > longest && strings.HasPrefix(file, prefix) {
				floor, longest = i, len(prefix)
			}
		}
	}
	return floor
}

// fileUses returns which file of a package uses which other one, with a name of it. Packages that it
// imports are not read: what their names are is of no interest.
func fileUses(t *testing.T, folder string) map[string]map[string]string {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	fset, files, uses := token.NewFileSet(), []*ast.File{}, map[string]map[string]string{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files, uses[filepath.Base(path)] = append(files, file), map[string]string{}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: emptyPackages{}, Error: func(error) {}}
	own, _ := config.Check(folder, fset, files, info) // its errors are about what is imported
	for name, object := range info.Uses {
		if object.Pkg() != own {
			continue
		}
		from, to := filepath.Base(fset.Position(name.Pos()).Filename), filepath.Base(fset.Position(object.Pos()).Filename)
		if from != to && (uses[from][to] == "" || name.Name < uses[from][to]) {
			uses[from][to] = name.Name
		}
	}
	return uses
}

// emptyPackages imports packages without their names.
type emptyPackages struct{}

func (emptyPackages) Import(path string) (*types.Package, error) {
	empty := types.NewPackage(path, pathpkg.Base(path))
	empty.MarkComplete()
	return empty, nil
}

// wayBack is a shortest way from a file to itself, nil if there is none.
func wayBack(uses map[string]map[string]string, start string) []string {
	for ways, seen := [][]string{{start}}, map[string]bool{}; len(ways) > 0; ways = ways[1:] {
		way := ways[0]
		for _, next := range slices.Sorted(maps.Keys(uses[way[len(way)-1]])) {
			if next == start {
				return append(slices.Clip(way), next)
			}
			if !seen[next] {
				seen[next] = true
				ways = append(ways, append(slices.Clip(way), next))
			}
		}
	}
	return nil
}
