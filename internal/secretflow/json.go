package secretflow

import (
	"strings"
	"unicode/utf8"
)

// The application reads its text with the JSON parser of protobuf, which takes more than JSON:
// single quotes, keys without quotes, a comma at the end. This is the same grammar.

// nodeKind is the type of a JSON value.
type nodeKind uint8

const (
	nullNode nodeKind = iota
	boolNode
	numberNode
	stringNode
	listNode
	objectNode
)

// node is a JSON value. Members of an object have names.
type node struct {
	kind nodeKind
	// name is the key of a member, text the value of a string, or a number or truth value as
	// written.
	name, text string
	nodes      []node
}

// maxDepth is the parser's limit.
const maxDepth = 100

// syntaxError is a text that is no JSON.
type syntaxError struct {
	// says is the beginning of what the parser says.
	says string
	// at is the position in bytes.
	at int
}

// parseJSON parses a text. It takes time and memory in proportion to its length.
func parseJSON(text string) (node, *syntaxError) { return (&jsonParser{text: text}).parse() }

func (p *jsonParser) parse() (node, *syntaxError) {
	p.space()
	if p.at == len(p.text) {
		return node{}, p.fail("Unexpected end of string. Expected a value.")
	}
	root, err := p.value(0)
	if err != nil {
		return node{}, err
	}
	p.space()
	if p.at < len(p.text) {
		return node{}, p.fail("Parsing terminated before end of input.")
	}
	return root, nil
}

type jsonParser struct {
	text string
	at   int
	// asWritten: strings, keys and null are not decoded.
	asWritten bool
	// read are the values of objects and lists that are not complete.
	read []node
}

// complete returns an object or list of the values that were read since a start.
func (p *jsonParser) complete(kind nodeKind, start int) (node, *syntaxError) {
	n := node{kind: kind, nodes: append([]node(nil), p.read[start:]...)}
	p.read = p.read[:start]
	return n, nil
}

func (p *jsonParser) fail(says string) *syntaxError { return &syntaxError{says, p.at} }

// expected is the error of a place where something else was expected.
func (p *jsonParser) expected(what string) *syntaxError {
	if p.at == len(p.text) {
		return p.fail("Unexpected end of string. Expected " + what)
	}
	return p.fail("Expected " + what)
}

func (p *jsonParser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\n\r\v\f", p.text[p.at]) >= 0 {
		p.at++
	}
}

// next skips blanks and reports whether a character follows, which it takes.
func (p *jsonParser) next(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *jsonParser) value(depth int) (node, *syntaxError) {
	if depth > maxDepth {
		return node{}, p.fail("Message too deep.")
	}
	p.space()
	if p.at == len(p.text) {
		return node{}, p.expected("a value.")
	}
	switch c := p.text[p.at]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.list(depth)
	case c == '"' || c == '\'':
		text, err := p.quoted()
		return node{kind: stringNode, text: text}, err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case isLetter(c):
		return p.word()
	default:
		return node{}, p.fail("Expected a value.")
	}
}

func (p *jsonParser) object(depth int) (node, *syntaxError) {
	p.at++
	start := len(p.read)
	for !p.next('}') {
		name, err := p.key()
		if err != nil {
			return node{}, err
		}
		if !p.next(':') {
			return node{}, p.expected(": between key:value pair.")
		}
		member, err := p.value(depth + 1)
		if err != nil {
			return node{}, err
		}
		member.name = name
		p.read = append(p.read, member)
		if p.next('}') {
			break
		}
		if !p.next(',') {
			return node{}, p.expected(", or } after key:value pair.")
		}
	}
	return p.complete(objectNode, start)
}

func (p *jsonParser) key() (string, *syntaxError) {
	p.space()
	if p.at == len(p.text) {
		return "", p.expected("an object key or }.")
	}
	switch c := p.text[p.at]; {
	case c == '"' || c == '\'':
		return p.quoted()
	case isLetter(c):
		return p.name(), nil
	default:
		return "", p.fail("Expected an object key or }.")
	}
}

func (p *jsonParser) list(depth int) (node, *syntaxError) {
	p.at++
	start := len(p.read)
	for !p.next(']') {
		element, err := p.value(depth + 1)
		if err != nil {
			return node{}, err
		}
		p.read = append(p.read, element)
		if p.next(']') {
			break
		}
		if !p.next(',') {
			return node{}, p.expected(", or ] after array value.")
		}
	}
	return p.complete(listNode, start)
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
}

// name reads a name without quotes.
func (p *jsonParser) name() string {
	start := p.at
	for p.at < len(p.text) && (isLetter(p.text[p.at]) || p.text[p.at] >= '0' && p.text[p.at] <= '9') {
		p.at++
	}
	return p.text[start:p.at]
}

func (p *jsonParser) word() (node, *syntaxError) {
	start := p.at
	switch text := p.name(); text {
	case "true", "false":
		return node{kind: boolNode, text: text}, nil
	case "null":
		if p.asWritten {
			return node{kind: stringNode, text: text}, nil
		}
		return node{}, nil
	}
	p.at = start
	return node{}, p.fail("Unexpected token.")
}

func (p *jsonParser) number() (node, *syntaxError) {
	start := p.at
	for p.at < len(p.text) && strings.IndexByte("0123456789+-.eE", p.text[p.at]) >= 0 {
		p.at++
	}
	text := p.text[start:p.at]
	digits := strings.TrimPrefix(text, "-")
	if len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		p.at = start
		return node{}, p.fail("Octal/hex numbers are not valid JSON values.")
	}
	if _, ok := parseNumber(text); !ok {
		p.at = start
		return node{}, p.fail("Unable to parse number.")
	}
	return node{kind: numberNode, text: text}, nil
}

// quoted reads a string.
func (p *jsonParser) quoted() (string, *syntaxError) {
	start := p.at
	text, err := p.decoded()
	if p.asWritten {
		text = p.text[start:p.at]
	}
	return text, err
}

func (p *jsonParser) decoded() (string, *syntaxError) {
	quote := p.text[p.at]
	p.at++
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != quote && p.text[p.at] != '\\' {
		p.at++
	}
	if p.at < len(p.text) && p.text[p.at] == quote { // the usual one, without escapes
		p.at++
		return p.text[start : p.at-1], nil
	}
	var out strings.Builder
	out.WriteString(p.text[start:p.at])
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == quote:
			return out.String(), nil
		case c != '\\':
			out.WriteByte(c)
		case p.at == len(p.text):
			return "", p.fail("Closing quote expected in string.")
		default:
			if err := p.escape(&out); err != nil {
				return "", err
			}
		}
	}
	return "", p.fail("Closing quote expected in string.")
}

// escapes are the characters of escapes of one letter; every other letter is itself.
var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

func (p *jsonParser) escape(out *strings.Builder) *syntaxError {
	c := p.text[p.at]
	p.at++
	if c == 'u' {
		return p.unicode(out)
	}
	if other, is := escapes[c]; is {
		c = other
	}
	out.WriteByte(c)
	return nil
}

func (p *jsonParser) unicode(out *strings.Builder) *syntaxError {
	high, ok := p.hex()
	if !ok {
		return p.fail("Illegal hex string.")
	}
	if high >= 0xD800 && high < 0xDC00 && strings.HasPrefix(p.text[p.at:], `\u`) {
		p.at += 2
		low, ok := p.hex()
		if !ok || low < 0xDC00 || low > 0xDFFF {
			return p.fail("Invalid low surrogate.")
		}
		high = 0x10000 + (high-0xD800)<<10 + low - 0xDC00
	}
	out.WriteString(string(utf8.AppendRune(nil, high)))
	return nil
}

// hex reads four hexadecimal digits.
func (p *jsonParser) hex() (value rune, ok bool) {
	if len(p.text)-p.at < 4 {
		return 0, false
	}
	for range 4 {
		c := rune(p.text[p.at])
		p.at++
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		value = value<<4 + c
	}
	return value, true
}
