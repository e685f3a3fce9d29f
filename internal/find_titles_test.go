package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// title is a title of a diagnostic, with KIND and NAME for the kind of an object and the name of
// an attribute.
type title struct {
	at   token.Position
	text string
}

// titleArguments are the functions of the framework that make diagnostics, with the index of
// the title among their arguments.
var titleArguments = map[string]int{
	"AddError": 0, "AddWarning": 0, "NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0,
	"AddAttributeError": 1, "AddAttributeWarning": 1, "NewAttributeErrorDiagnostic": 1, "NewAttributeWarningDiagnostic": 1,
}

// placeholders are the fields that may be a part of a title.
var placeholders = map[string]string{"Title": "KIND", "Name": "NAME", "name": "NAME"}

const (
	// argument stands, followed by its index and itself, for an argument of a function.
	argument = "\x01"
	// capital stands before a text whose first letter becomes a capital letter.
	capital = "\x02"
)

// source is the code of a package.
type source struct {
	name      string
	files     []*ast.File
	functions map[string][]*function
	bodies    map[*ast.BlockStmt]*function
	constants map[string]ast.Expr
	// fields are the names of the fields of each struct.
	fields map[string][]string
}

// function is a function, a method or a closure with a name.
type function struct {
	in       *source
	isMethod bool
	params   []string
	body     *ast.BlockStmt
	// titles are the titles that are made of an argument.
	titles []string
}

// finder finds titles: from the calls of the framework back to the constants.
type finder struct {
	files   *token.FileSet
	sources map[string]*source
	found   map[title]bool
	changed bool
}

// findTitles returns the titles of all diagnostics of the provider.
func findTitles(t *testing.T) []title {
	t.Helper()
	f := &finder{files: token.NewFileSet(), sources: map[string]*source{}, found: map[title]bool{}}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains([]string{"sandbox", "testing", "tools", "functions", "testdata", "cmd", "api"}, entry.Name()) {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		return f.add(path)
	})
	if err != nil {
		t.Fatal(err)
	}
	for f.changed = true; f.changed; { // until no further function is known to make titles
		f.changed = false
		for _, s := range f.sources {
			for _, file := range s.files {
				f.search(s, file)
			}
		}
	}
	var all []title
	for found := range f.found {
		all = append(all, found)
	}
	return all
}

// add parses a file.
func (f *finder) add(path string) error {
	parsed, err := parser.ParseFile(f.files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	s := f.sources[parsed.Name.Name]
	if s == nil {
		s = &source{name: parsed.Name.Name, functions: map[string][]*function{}, bodies: map[*ast.BlockStmt]*function{}, constants: map[string]ast.Expr{}, fields: map[string][]string{}}
		f.sources[s.name] = s
	}
	s.files = append(s.files, parsed)
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncDecl:
			s.addFunction(n.Name.Name, n.Recv != nil, n.Type, n.Body)
		case *ast.AssignStmt:
			if closure, ok := n.Rhs[0].(*ast.FuncLit); ok {
				if name, ok := n.Lhs[0].(*ast.Ident); ok {
					s.addFunction(name.Name, false, closure.Type, closure.Body)
				}
			}
		case *ast.Field: // an argument that is a function
			if signature, ok := n.Type.(*ast.FuncType); ok && len(n.Names) == 1 {
				if i := slices.Index(fieldNames(signature.Params), "summary"); i >= 0 {
					s.addFunction(n.Names[0].Name, false, signature, nil).titles = []string{argument + strconv.Itoa(i) + argument}
				}
			}
		case *ast.GenDecl:
			s.addDeclarations(n)
		}
		return true
	})
	return nil
}

func (s *source) addFunction(name string, isMethod bool, signature *ast.FuncType, body *ast.BlockStmt) *function {
	made := &function{in: s, isMethod: isMethod, params: fieldNames(signature.Params), body: body}
	s.functions[name] = append(s.functions[name], made)
	if body != nil {
		s.bodies[body] = made
	}
	return made
}

func (s *source) addDeclarations(group *ast.GenDecl) {
	for _, spec := range group.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for i, value := range spec.Values {
				if group.Tok == token.CONST {
					s.constants[spec.Names[i].Name] = value
				}
			}
		case *ast.TypeSpec:
			if fields, ok := spec.Type.(*ast.StructType); ok {
				s.fields[spec.Name.Name] = fieldNames(fields.Fields)
			}
		}
	}
}

// fieldNames returns the names of parameters or fields.
func fieldNames(list *ast.FieldList) (names []string) {
	for _, field := range list.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
		if len(field.Names) == 0 {
			names = append(names, "_")
		}
	}
	return names
}

// search records the titles in a file.
func (f *finder) search(s *source, file *ast.File) {
	var within []*function
	var visit func(node ast.Node) bool
	visit = func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			in := s.functionOf(n)
			within = append(within, in)
			ast.Inspect(in.body, visit)
			within = within[:len(within)-1]
			return false
		case *ast.CallExpr:
			f.call(s, n, within)
		case *ast.CompositeLit:
			for _, value := range s.valuesOf(f, n, "Summary", "summary") {
				f.record(value, f.texts(s, value, within, 0), within)
			}
		}
		return true
	}
	ast.Inspect(file, visit)
}

// functionOf returns the function that a node declares; a closure without a name only hides
// the arguments of the functions around it.
func (s *source) functionOf(node ast.Node) *function {
	var body *ast.BlockStmt
	var signature *ast.FuncType
	switch n := node.(type) {
	case *ast.FuncDecl:
		body, signature = n.Body, n.Type
	case *ast.FuncLit:
		body, signature = n.Body, n.Type
	}
	if named := s.bodies[body]; named != nil {
		return named
	}
	return &function{in: s, params: fieldNames(signature.Params), body: body}
}

// call records the title of a call that makes a diagnostic.
func (f *finder) call(s *source, call *ast.CallExpr, within []*function) {
	name, callees := f.callees(s, call)
	for _, callee := range callees {
		for _, made := range callee.titles {
			f.record(call, f.withArguments(made, call, s, within, 0), within)
		}
	}
	if i, ok := titleArguments[name]; ok && len(callees) == 0 && i < len(call.Args) {
		f.record(call.Args[i], f.texts(s, call.Args[i], within, 0), within)
	}
}

// callees returns the functions that a call may mean.
func (f *finder) callees(s *source, call *ast.CallExpr) (name string, found []*function) {
	in, isMethod := []*source{s}, false
	switch called := call.Fun.(type) {
	case *ast.Ident:
		name = called.Name
	case *ast.SelectorExpr:
		name = called.Sel.Name
		if of, ok := called.X.(*ast.Ident); ok && f.sources[of.Name] != nil {
			in = []*source{f.sources[of.Name]}
			break
		}
		isMethod = true
		if len(s.functions[name]) == 0 {
			for _, other := range f.sources {
				in = append(in, other)
			}
		}
	}
	for _, s := range in {
		for _, one := range s.functions[name] {
			if one.isMethod == isMethod && len(call.Args) >= len(one.params)-1 {
				found = append(found, one)
			}
		}
	}
	return name, found
}

// record records titles; one that is made of an argument is a title of every call.
func (f *finder) record(node ast.Node, texts []string, within []*function) {
	for _, text := range texts {
		if !strings.Contains(text, argument) {
			before, after, _ := strings.Cut(text, capital)
			if after != "" {
				text = before + strings.ToUpper(after[:1]) + after[1:]
			}
			f.found[title{f.files.Position(node.Pos()), text}] = true
			continue
		}
		if in := within[len(within)-1]; !slices.Contains(in.titles, text) {
			in.titles, f.changed = append(in.titles, text), true
		}
	}
}

// maxDepth bounds the search for the value of an expression.
const maxDepth = 8

// texts returns the values that an expression may have.
func (f *finder) texts(s *source, expression ast.Expr, within []*function, depth int) []string {
	if depth > maxDepth {
		return []string{variable}
	}
	switch e := expression.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return []string{text}
	case *ast.ParenExpr:
		return f.texts(s, e.X, within, depth+1)
	case *ast.BinaryExpr:
		var joined []string
		for _, left := range f.texts(s, e.X, within, depth+1) {
			for _, right := range f.texts(s, e.Y, within, depth+1) {
				joined = append(joined, left+right)
			}
		}
		return joined
	case *ast.Ident:
		return f.named(s, e.Name, within, depth)
	case *ast.SelectorExpr:
		return f.selected(s, e, within, depth)
	case *ast.CallExpr:
		return f.returned(s, e, within, depth)
	}
	return []string{variable}
}

// named returns the values of a constant, of an argument or of a variable.
func (f *finder) named(s *source, name string, within []*function, depth int) []string {
	for i := len(within) - 1; i >= 0; i-- {
		in := within[i]
		if at := slices.Index(in.params, name); at >= 0 {
			if i < len(within)-1 || in.in.bodies[in.body] == nil {
				return nil // of a function around a closure, or of a closure that is an argument
			}
			return []string{argument + strconv.Itoa(at) + argument}
		}
		var values []string
		ast.Inspect(in.body, func(node ast.Node) bool {
			assigned, ok := node.(*ast.AssignStmt)
			for at := 0; ok && at < len(assigned.Lhs); at++ {
				if to, isIdent := assigned.Lhs[at].(*ast.Ident); isIdent && to.Name == name && at < len(assigned.Rhs) {
					values = append(values, f.texts(s, assigned.Rhs[at], within[:i+1], depth+1)...)
				}
			}
			return true
		})
		if len(values) > 0 {
			return values
		}
	}
	if value, ok := s.constants[name]; ok {
		return f.texts(s, value, nil, depth+1)
	}
	return []string{variable}
}

// selected returns the values of a constant of another package or of a field.
func (f *finder) selected(s *source, e *ast.SelectorExpr, within []*function, depth int) []string {
	if of, ok := e.X.(*ast.Ident); ok && f.sources[of.Name] != nil {
		return f.named(f.sources[of.Name], e.Sel.Name, nil, depth+1)
	}
	switch name := e.Sel.Name; {
	case placeholders[name] != "":
		return []string{placeholders[name]}
	case name == "Summary" || name == "summary":
		return nil // recorded where it is set
	default:
		var values []string
		for _, file := range s.files {
			ast.Inspect(file, func(node ast.Node) bool {
				if literal, ok := node.(*ast.CompositeLit); ok {
					for _, value := range s.valuesOf(f, literal, name) {
						values = append(values, f.texts(s, value, within, depth+1)...)
					}
				}
				return true
			})
		}
		if len(values) > 0 {
			return values
		}
		return []string{variable}
	}
}

// returned returns the values of the first result of a call.
func (f *finder) returned(s *source, call *ast.CallExpr, within []*function, depth int) []string {
	name, callees := f.callees(s, call)
	switch {
	case name == "Capitalize":
		var texts []string
		for _, text := range f.texts(s, call.Args[0], within, depth+1) {
			texts = append(texts, capital+text)
		}
		return texts
	case name == "Summary":
		return nil // of a diagnostic
	case len(callees) != 1 || callees[0].body == nil:
		return []string{variable}
	}
	var values []string
	ast.Inspect(callees[0].body, func(node ast.Node) bool {
		if result, ok := node.(*ast.ReturnStmt); ok && len(result.Results) > 0 {
			for _, text := range f.texts(callees[0].in, result.Results[0], callees[:1], depth+1) {
				if text != "" { // no diagnostic
					values = append(values, f.withArguments(text, call, s, within, depth+1)...)
				}
			}
		}
		return true
	})
	return values
}

// withArguments replaces the arguments in a text by those of a call.
func (f *finder) withArguments(text string, call *ast.CallExpr, s *source, within []*function, depth int) []string {
	before, rest, ok := strings.Cut(text, argument)
	if !ok {
		return []string{text}
	}
	index, after, _ := strings.Cut(rest, argument)
	at, err := strconv.Atoi(index)
	if err != nil || at >= len(call.Args) {
		return nil
	}
	var all []string
	for _, value := range f.texts(s, call.Args[at], within, depth+1) {
		all = append(all, before+value+after)
	}
	return all
}

// valuesOf returns the values of fields in a literal of a struct, or of a list of structs
// whose type is left out.
func (s *source) valuesOf(f *finder, literal *ast.CompositeLit, names ...string) (values []ast.Expr) {
	fields := s.fieldsOf(f, literal.Type)
	if list, ok := literal.Type.(*ast.ArrayType); ok {
		for _, element := range literal.Elts {
			if one, ok := element.(*ast.CompositeLit); ok && one.Type == nil {
				values = append(values, valuesIn(one, s.fieldsOf(f, list.Elt), names)...)
			}
		}
	}
	return append(values, valuesIn(literal, fields, names)...)
}

func valuesIn(literal *ast.CompositeLit, fields, names []string) (values []ast.Expr) {
	for i, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && slices.Contains(names, key.Name) && (literal.Type == nil || fields != nil) {
				values = append(values, pair.Value)
			}
		} else if i < len(fields) && slices.Contains(names, fields[i]) {
			values = append(values, element)
		}
	}
	return values
}

// fieldsOf returns the fields of a struct type.
func (s *source) fieldsOf(f *finder, of ast.Expr) []string {
	switch of := of.(type) {
	case *ast.Ident:
		return s.fields[of.Name]
	case *ast.StructType:
		return fieldNames(of.Fields)
	case *ast.SelectorExpr:
		if in, ok := of.X.(*ast.Ident); ok && f.sources[in.Name] != nil {
			return f.sources[in.Name].fields[of.Sel.Name]
		}
	}
	return nil
}
