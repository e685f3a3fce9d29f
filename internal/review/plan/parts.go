package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	tfjson "github.com/hashicorp/terraform-json"
)

// limited is a reader of so many bytes, after which there is an error.
type limited struct {
	r    io.Reader
	left int64
	err  error
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		// There may be nothing more.
		if n, err := l.r.Read(make([]byte, 1)); n == 0 && err != nil {
			return 0, err
		}
		return 0, l.err
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// parts reads a plan member by member, and skips what a review does not need.
type parts struct {
	decoder *json.Decoder
	// left are the bytes that may still be kept, and values the values in them.
	left   int64
	values int
}

// tooMany is the error of a plan whose parts have too many values.
type tooMany struct{ most int }

func (e tooMany) Error() string {
	return fmt.Sprintf("the changes of the plan have more than %d values: plan fewer objects at a time, in several states", e.most)
}

// tooLarge is the error of a plan whose parts are too large.
type tooLarge struct{ most int64 }

func (e tooLarge) Error() string {
	return fmt.Sprintf("the changes of the plan are larger than %d MiB: plan fewer objects at a time, in several states", e.most>>20)
}

// read decodes the members of the plan.
func (p *parts) read(plan *Plan) error {
	most, mostValues := p.left, p.values
	begin, err := p.decoder.Token()
	if err != nil {
		return wrongInput(err)
	}
	if begin != json.Delim('{') {
		return wrongInput(&json.UnmarshalTypeError{Field: "the plan", Offset: p.decoder.InputOffset()})
	}
	targets := plan.targets()
	for p.decoder.More() {
		name, err := p.decoder.Token()
		if err != nil {
			return wrongInput(err)
		}
		key, _ := name.(string)
		target, needed := targets[key]
		note, isNote := target.(*bool)
		switch {
		case isNote && (key == keyValues || key == keyEncrypted):
			*note = true
			err = p.skip()
		case needed:
			err = p.keep(key, target)
		default:
			err = p.skip()
		}
		switch {
		case errors.Is(err, errBudget):
			return tooLarge{most}
		case errors.Is(err, errValues):
			return tooMany{mostValues}
		case err != nil:
			return wrongInput(err)
		}
	}
	_, err = p.decoder.Token()
	if err != nil {
		return wrongInput(err)
	}
	return nil
}

var errBudget, errValues = errors.New("too large"), errors.New("too many values")

// keep decodes a member: of a list one element after the other, so that it ends with the first that
// is too much.
func (p *parts) keep(key string, target any) error {
	list, isList := target.(list)
	if !isList {
		return p.decode(key, target)
	}
	begin, err := p.decoder.Token()
	switch {
	case err != nil:
		return err
	case begin == nil: // null
		return nil
	case begin != json.Delim('['):
		return &json.UnmarshalTypeError{Field: key, Offset: p.decoder.InputOffset()}
	}
	for p.decoder.More() {
		if err := p.decode(key, list.next()); err != nil {
			return err
		}
	}
	_, err = p.decoder.Token()
	return err
}

// decode decodes a value, after it has counted what it takes: {} takes three bytes of a plan and a
// hundred times as many of memory.
func (p *parts) decode(key string, target any) error {
	before := p.decoder.InputOffset()
	var text json.RawMessage
	if err := p.decoder.Decode(&text); err != nil {
		return inField(err, key)
	}
	if p.left -= p.decoder.InputOffset() - before; p.left < 0 {
		return errBudget
	}
	if p.values -= valuesIn(text); p.values < 0 {
		return errValues
	}
	err := json.Unmarshal(text, target)
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		wrongType.Offset += p.decoder.InputOffset() - int64(len(text))
	}
	if err != nil {
		return inField(err, key)
	}
	return nil
}

// valuesIn is the number of values in JSON, and of the names in its objects.
func valuesIn(text []byte) int {
	n, inText := 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case !inText && (c == '{' || c == '[' || c == ',' || c == ':'):
			n++
		}
	}
	return n
}

// inField adds the name of a member to an error of a type.
func inField(err error, key string) error {
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) && wrongType.Field == "" {
		wrongType.Field = key
	}
	return err
}

// skip reads a value and keeps nothing of it.
func (p *parts) skip() error {
	depth := 0
	for {
		token, err := p.decoder.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// wrongInput says what to do about an input that is no plan.
func wrongInput(err error) error {
	var bounded *limitError
	if errors.As(err, &bounded) {
		return err
	}
	return fmt.Errorf("this is not the JSON of a plan, which terraform show -json PLAN writes: %w", describe(err))
}

// limitError is that of an input that is too large.
type limitError struct{ mebibytes int64 }

func (e *limitError) Error() string {
	return fmt.Sprintf("the plan is larger than %d MiB", e.mebibytes)
}

// list is a list of which each element is decoded for itself.
type list interface{ next() any }

// elements is a list of elements.
type elements[T any] struct{ all *[]T }

func (e elements[T]) next() any {
	*e.all = append(*e.all, *new(T))
	return &(*e.all)[len(*e.all)-1]
}

// The members of other files of the CLI, of which only the name counts.
const (
	keyValues    = "values"
	keyEncrypted = "encrypted_data"
)

// targets are where the members of a plan are decoded to, by their names.
func (p *Plan) targets() map[string]any {
	return map[string]any{
		"format_version": &p.FormatVersion, "terraform_version": &p.TerraformVersion, "timestamp": &p.Timestamp,
		"resource_changes": elements[*tfjson.ResourceChange]{&p.ResourceChanges}, "resource_drift": elements[*tfjson.ResourceChange]{&p.ResourceDrift},
		"deferred_changes": &p.DeferredChanges, "output_changes": &p.OutputChanges, "checks": &p.Checks,
		"action_invocations": &p.ActionInvocations, "deferred_action_invocations": &p.DeferredActions, "configuration": &p.Configuration,
		"errored": &p.Errored, "applyable": &p.Applyable, "complete": &p.Complete,
		keyValues: &p.isState, "@level": &p.level, keyEncrypted: &p.isEncrypted,
	}
}
