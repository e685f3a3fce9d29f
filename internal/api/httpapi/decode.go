package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxResponseSize limits the size of a response. The largest real ones are the status
// of hundreds of servings, below 1 MiB.
const MaxResponseSize = 16 << 20

// maxElements limits the elements of all lists in a response, maxMembers the
// members of all objects: {} takes three bytes in a response and a hundred
// times as many in memory. Real responses stay below a tenth of both.
const (
	maxElements = 100_000
	maxMembers  = 350_000
)

// maxDepth limits the nesting of a response; real ones stay below 12.
const maxDepth = 64

var errResponseTooLarge = fmt.Errorf("the response is larger than %d MiB", MaxResponseSize>>20)

// readBounded reads the whole response, or fails if it is too large. If the
// announced length is too large, it reads nothing. On a failure it returns what
// it has read so far.
func readBounded(body io.Reader, announced int64, limit int64) ([]byte, error) {
	if announced > limit {
		return nil, errResponseTooLarge
	}
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, errResponseTooLarge
	}
	return data, err
}

// PlainDecodeError names the field and the problem, never the value.
func PlainDecodeError(err error) error {
	var typeErr *json.UnmarshalTypeError
	if errors.As(err, &typeErr) {
		got, _, _ := strings.Cut(typeErr.Value, " ")
		field := typeErr.Field
		if field == "" {
			field = "the response"
		}
		return fmt.Errorf("%s is a JSON %s, expected %s", field, got, typeErr.Type)
	}
	return fmt.Errorf("the response cannot be decoded: %w", err)
}

// checkStructure refuses input that encoding/json silently accepts and that no
// correct server sends: bytes that are not UTF-8 (they would be replaced),
// duplicate keys in one object (the last would win), null as an element of a
// list (it would become an empty object), deep nesting, and too many elements
// for the memory. It returns how many elements and members there are, and does not check whether the input is JSON at all.
func checkStructure(data []byte) (elements, members int, err error) {
	if !utf8.Valid(data) {
		return 0, 0, errors.New("the response is not UTF-8")
	}
	var stack []frame
	// keys are those of all open objects, one object after another.
	keys := make([][]byte, 0, 64)
	for i := 0; i < len(data); {
		switch c := data[i]; c {
		case '{', '[':
			if len(stack) >= maxDepth {
				return 0, 0, fmt.Errorf("the response is nested deeper than %d levels", maxDepth)
			}
			stack = append(stack, frame{object: c == '{', key: c == '{', first: len(keys)})
			if c == '[' {
				elements++
			}
			i++
		case '}', ']':
			if len(stack) == 0 {
				return 0, 0, ErrNotJSON
			}
			keys = keys[:stack[len(stack)-1].first]
			stack = stack[:len(stack)-1]
			i++
		case ',':
			if len(stack) == 0 {
				return 0, 0, ErrNotJSON
			}
			if top := &stack[len(stack)-1]; top.object {
				top.key = true
			} else if elements++; elements > maxElements {
				return 0, 0, fmt.Errorf("the lists of the response have more than %d elements", maxElements)
			}
			i++
		case '"':
			end := stringEnd(data, i)
			if end-i < 2 {
				return 0, 0, ErrNotJSON
			}
			if len(stack) > 0 && stack[len(stack)-1].key {
				top := &stack[len(stack)-1]
				top.key = false
				if members++; members > maxMembers {
					return 0, 0, fmt.Errorf("the objects of the response have more than %d members", maxMembers)
				}
				key, err := keyText(data[i:end], len(stack) <= envelopeDepth)
				if err != nil {
					return 0, 0, err
				}
				if top.has(keys[top.first:], key) {
					return 0, 0, errors.New("the response has a duplicate key in an object")
				}
				keys = append(keys, key)
			}
			i = end
		case 'n':
			if len(stack) > 0 && !stack[len(stack)-1].object {
				return 0, 0, errors.New("the response has null as an element of a list")
			}
			i += len("null")
		default:
			i++
		}
	}
	return elements, members, nil
}

// envelopeDepth is the depth of the fields of the envelope. They are compared
// case-insensitively, as encoding/json does; at lower levels, names of
// templates may differ in case only.
const envelopeDepth = 2

// frame is one open object or list.
type frame struct {
	object bool
	// key is set if the next string is a key.
	key bool
	// first is the index of the first key of the object.
	first int
	// many has the keys of an object with too many keys for a linear search.
	many map[string]struct{}
}

const manyKeys = 16

// has reports whether the object has the key. keys are those of all open
// objects.
func (f *frame) has(keys [][]byte, key []byte) bool {
	if f.many == nil {
		if len(keys) < manyKeys {
			return slices.ContainsFunc(keys, func(other []byte) bool { return bytes.Equal(other, key) })
		}
		f.many = make(map[string]struct{}, 2*manyKeys)
		for _, other := range keys {
			f.many[string(other)] = struct{}{}
		}
	}
	_, found := f.many[string(key)]
	f.many[string(key)] = struct{}{}
	return found
}

// keyText decodes a quoted key.
func keyText(quoted []byte, fold bool) ([]byte, error) {
	key := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(key, '\\') >= 0 {
		var text string
		if err := json.Unmarshal(quoted, &text); err != nil {
			return nil, fmt.Errorf("the response has a key that cannot be decoded: %w", err)
		}
		key = []byte(text)
	}
	if fold {
		key = bytes.ToLower(key)
	}
	return key, nil
}

// stringEnd returns the index after the closing quote of the string that starts
// at start.
func stringEnd(data []byte, start int) int {
	for i := start + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}
