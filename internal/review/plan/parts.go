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
	// left are the bytes that may still be kept.
	left int64
}

// tooLarge is the error of a plan whose parts are too large.
type tooLarge struct{ most int64 }

func (e tooLarge) Error() string {
	return fmt.Sprintf("the changes of the plan are larger than %d MiB: plan fewer objects at a time, in several states", e.most>>20)
}

// read decodes the members of the plan.
func (p *parts) read(plan *Plan) error {
	most := p.left
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

var errBudget = errors.New("too large")

// keep decodes a member: of a list one element after the other, so that it ends with the first that
// is too much.
func (p *parts) keep(key string, target any) error {
	before := p.decoder.InputOffset()
	list, isList := target.(list)
	if !isList {
		if err := p.decoder.Decode(target); err != nil {
			return inField(err, key)
		}
		return p.count(before)
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
		before := p.decoder.InputOffset()
		if err := p.decoder.Decode(list.next()); err != nil {
			return inField(err, key)
		}
		if err := p.count(before); err != nil {
			return err
		}
	}
	_, err = p.decoder.Token()
	return err
}

func (p *parts) count(before int64) error {
	if p.left -= p.decoder.InputOffset() - before; p.left < 0 {
		return errBudget
	}
	return nil
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
