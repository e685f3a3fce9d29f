//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// source is a package with mutants: its path in the module, and a hash of its files, those of its
// tests included.
type source struct{ name, hash string }

// sources are the packages of patterns, without the helpers of tests.
func sources(ctx context.Context, root string, patterns []string) ([]source, error) {
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Dir: root, Mode: packages.NeedName | packages.NeedFiles | packages.NeedModule,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	var all []source
	for _, pkg := range loaded {
		for _, err := range pkg.Errors {
			return nil, err
		}
		if isHelperOfTests(pkg) {
			continue
		}
		hash, err := hashOf(filepath.Dir(pkg.GoFiles[0]))
		if err != nil {
			return nil, err
		}
		all = append(all, source{nameOf(pkg), hash})
	}
	return all, nil
}

func isHelperOfTests(pkg *packages.Package) bool { return strings.HasSuffix(pkg.Name, "test") }

func nameOf(pkg *packages.Package) string { return within(pkg.Module.Path, pkg.PkgPath) }

// within is the path of a package in its module, "." at the root.
func within(module, pkg string) string {
	if pkg == module {
		return "."
	}
	return strings.TrimPrefix(pkg, module+"/")
}

// hashOf has the Go files of a folder, and what its tests read in testdata.
func hashOf(dir string) (string, error) {
	hash, files := sha256.New(), os.DirFS(dir)
	err := fs.WalkDir(files, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inTestdata := strings.HasPrefix(file+"/", "testdata/")
		switch {
		case entry.IsDir() && file != "." && !inTestdata, file == "testdata/rapid": // failed random cases
			return fs.SkipDir
		case entry.IsDir() || !inTestdata && path.Ext(file) != ".go":
			return nil
		}
		content, err := fs.ReadFile(files, file)
		fmt.Fprintf(hash, "%s %x\n", file, sha256.Sum256(content))
		return err
	})
	return fmt.Sprintf("%x", hash.Sum(nil))[:12], err
}
