package configtemplate

import (
	"errors"
	"regexp"
	"strings"
	"text/template/parse"
)

// Template is a template that has nothing but texts and keys.
type Template struct {
	segments []segment
}

// segment is a text, or a key.
type segment struct {
	text, key string
	// exact is set for a key without blanks, verbatim for {{{.KEY}}}.
	exact, verbatim bool
}

// ParseError is the error of a template that the agent cannot parse, with its text. The container
// is not made.
type ParseError struct{ cause error }

// Unwrap returns the error of the parser.
func (e *ParseError) Unwrap() error { return e.cause }

func (e *ParseError) Error() string {
	return "failed to parse config template, detail-> " + e.cause.Error()
}

// ErrUnsupported is the error of a template with other actions. Such a template could run for
// hours or fill the memory, so it is not run.
var ErrUnsupported = errors.New("the template has actions other than keys")

// Options are those of a version of Kuscia.
type Options struct {
	// NoVerbatim is set for a Kuscia before v0.11, which has no {{{.KEY}}}.
	NoVerbatim bool
}

// Parse parses a template. The error is a ParseError, or ErrUnsupported.
func Parse(text string, options Options) (*Template, error) {
	if t, ok := parseKeys(text, options); ok {
		return t, nil
	}
	return parseAll(text, options)
}

// isKey reports whether a text is the name of a key.
func isKey(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// parseKeys parses a template whose actions are keys as they are usually written.
func parseKeys(text string, options Options) (*Template, bool) {
	t := &Template{segments: make([]segment, 0, 2*strings.Count(text, "{{")+1)}
	for {
		before, rest, found := strings.Cut(text, "{{")
		if before != "" {
			t.segments = append(t.segments, segment{text: before})
		}
		if !found {
			return t, true
		}
		action, rest, closed := strings.Cut(rest, "}}")
		verbatim := strings.HasPrefix(action, "{") && strings.HasPrefix(rest, "}")
		if verbatim {
			action, rest = action[1:], rest[1:]
		}
		key, dotted := strings.CutPrefix(strings.Trim(action, " \t\r\n"), ".")
		exact := len(action) == len(key)+1
		if !closed || !dotted || !isKey(key) || verbatim && (options.NoVerbatim || !exact) {
			return nil, false
		}
		t.segments = append(t.segments, segment{key: key, exact: exact, verbatim: verbatim})
		text = rest
	}
}

// templateName is the agent's name for every template, which its errors show.
const templateName = "config-template"

// verbatimKey is a key whose value is not escaped.
var verbatimKey = regexp.MustCompile(`\{\{\{\.([A-Za-z0-9_]+)\}\}\}`)

// exactKey is how a key has to be written so that the agent looks it up in the configuration.
var exactKey = regexp.MustCompile(`\{\{\.([A-Za-z0-9_]+)\}\}`)

// verbatimPrefix begins the name of a key that was written {{{.KEY}}}. It ends with a letter
// that no key has.
const verbatimPrefix = "verbatim\u01c3"

// functions are the names of the functions of text/template; the agent adds none.
var functions = func() map[string]any {
	known := map[string]any{}
	for _, name := range strings.Fields("and call html index slice js len not or print printf println urlquery eq ge gt le lt ne") {
		known[name] = true
	}
	return known
}()

// parseAll parses a template as the agent does, with text/template.
func parseAll(text string, options Options) (*Template, error) {
	exact := map[string]bool{}
	for _, match := range exactKey.FindAllStringSubmatch(text, -1) {
		exact[match[1]] = true
	}
	if !options.NoVerbatim {
		text = verbatimKey.ReplaceAllString(text, "{{."+verbatimPrefix+"$1}}")
	}
	trees, err := parse.Parse(templateName, text, "{{", "}}", functions)
	if err != nil {
		return nil, &ParseError{err}
	}
	t := &Template{}
	tree := trees[templateName]
	if tree == nil { // a text without content
		return t, nil
	}
	for _, node := range tree.Root.Nodes {
		switch node := node.(type) {
		case *parse.TextNode:
			t.segments = append(t.segments, segment{text: string(node.Text)})
		case *parse.ActionNode:
			key, is := keyOf(node)
			if !is {
				return nil, ErrUnsupported
			}
			key, verbatim := strings.CutPrefix(key, verbatimPrefix)
			t.segments = append(t.segments, segment{key: key, exact: exact[key], verbatim: verbatim})
		case *parse.CommentNode:
		default:
			return nil, ErrUnsupported
		}
	}
	return t, nil
}

// keyOf returns the key of an action that is nothing but a key.
func keyOf(node *parse.ActionNode) (key string, is bool) {
	pipe := node.Pipe
	if len(pipe.Decl) > 0 || len(pipe.Cmds) != 1 || len(pipe.Cmds[0].Args) != 1 {
		return "", false
	}
	field, is := pipe.Cmds[0].Args[0].(*parse.FieldNode)
	if !is || len(field.Ident) != 1 {
		return "", false
	}
	return field.Ident[0], true
}
