//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // the package that mutated code calls
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	runtime "github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/cmd/mutate/mutant"
)

//go:embed mutant/mutant.go
var mutantSource []byte

// build is the product with all mutants, as files that replace those of the checkout when
// the go command compiles.
type build struct {
	root, overlay, module string
	mutants               []mutant // by their numbers, which begin with 1
}

// mutate writes the build of packages into a folder.
func mutate(ctx context.Context, root, folder string, patterns []string) (*build, error) {
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Dir: root,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedModule,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	b := &build{root: root, overlay: filepath.Join(folder, "overlay.json"), mutants: make([]mutant, 1)}
	replaced := map[string]string{}
	replace := func(file string, content []byte) error {
		replaced[file] = filepath.Join(folder, fmt.Sprintf("%d.go", len(replaced)))
		return os.WriteFile(replaced[file], content, 0o644)
	}
	var module *packages.Module
	for _, pkg := range loaded {
		for _, err := range pkg.Errors {
			return nil, err
		}
		module, b.module = pkg.Module, pkg.Module.Path
		if isHelperOfTests(pkg) { // they are no product
			continue
		}
		for _, file := range pkg.Syntax {
			if ast.IsGenerated(file) {
				continue
			}
			name := pkg.Fset.File(file.FileStart).Name()
			content, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			if text, changed := b.mutateFile(pkg, file, string(content)); changed {
				if err := replace(name, []byte(text)); err != nil {
					return nil, err
				}
			}
		}
	}
	if len(b.mutants) > runtime.Limit {
		return nil, fmt.Errorf("%d mutants in %v, want at most %d", len(b.mutants)-1, patterns, runtime.Limit)
	}
	if err := replace(filepath.Join(module.Dir, filepath.FromSlash(mutantFolder), "mutant.go"), mutantSource); err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, err
	}
	return b, os.WriteFile(b.overlay, overlay, 0o644)
}

// mutantFolder is where the package that mutated code calls seems to be in its module.
const mutantFolder = "internal/mutant__"

func (b *build) mutateFile(pkg *packages.Package, file *ast.File, text string) (mutated string, changed bool) {
	f := finder{pkg: pkg, text: text, base: file.FileStart}
	f.add = func(at token.Pos, change string) int {
		position := pkg.Fset.Position(at)
		name, _ := filepath.Rel(pkg.Module.Dir, position.Filename) // both are absolute
		b.mutants = append(b.mutants, mutant{
			ID: len(b.mutants), Package: nameOf(pkg),
			File: filepath.ToSlash(name), Line: position.Line, Change: strings.Join(strings.Fields(change), " "),
		})
		return len(b.mutants) - 1
	}
	ast.PreorderStack(file, nil, f.visit)
	end := int(file.Name.End() - file.FileStart)
	imported := wrap{end, end, fmt.Sprintf("; import mutant__ %q", pkg.Module.Path+"/"+mutantFolder), ""}
	return wrapped(text, append(f.wraps, imported)), len(f.wraps) > 0
}

// testProgram is the compiled tests of a package.
type testProgram struct {
	pkg, dir, file string
	// hash identifies the program: results of another one are not used.
	hash string
	// tests are its tests, fuzz tests and examples.
	tests []string
}

// compile compiles the tests of packages, of those that use a mutated package.
func (b *build) compile(ctx context.Context, folder string, patterns []string) ([]testProgram, error) {
	listed, err := b.goCommand(ctx, append([]string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var programs []testProgram
	for line := range strings.Lines(listed) {
		path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		p := testProgram{pkg: path, dir: dir, file: filepath.Join(folder, strings.ReplaceAll(path, "/", "_")+".test")}
		uses, err := b.goCommand(ctx, "list", "-overlay", b.overlay, "-test", "-deps", path)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(strings.Fields(uses), func(used string) bool { return strings.HasSuffix(used, "/"+mutantFolder) }) {
			continue
		}
		if _, err := b.goCommand(ctx, "test", "-c", "-vet=off", "-ldflags=-w", "-overlay", b.overlay, "-o", p.file, path); err != nil {
			return nil, err
		}
		content, err := os.ReadFile(p.file)
		if err != nil {
			return nil, err
		}
		p.hash = fmt.Sprintf("%x", sha256.Sum256(content))[:16]
		list := exec.CommandContext(ctx, p.file, "-test.list", "^(Test|Fuzz|Example)")
		list.Dir = dir
		names, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: list the tests: %w", path, err)
		}
		p.tests = strings.Fields(string(names))
		programs = append(programs, p)
	}
	return programs, nil
}

func (b *build) goCommand(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.root
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), errors.Join(err, ctx.Err()), &errs)
	}
	return string(out), nil
}
