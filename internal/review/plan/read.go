// Package plan reads the JSON of a plan into objects whose values hide what is sensitive.
package plan

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/planconfig"
)

// MaxInput is the size up to which a plan is read, MaxPlan that of the parts that a review needs, and
// MaxValues the number of values in them. With these bounds a review takes up to ten times the memory
// of MaxPlan. A serving with three parties has some two hundred values.
const (
	MaxInput  = 256 << 20
	MaxPlan   = 64 << 20
	MaxValues = 1_500_000
)

// Plan has the parts of a plan that a review needs. The others, such as the
// prior state, are not decoded: they may be larger than all of these.
type Plan struct {
	FormatVersion     string
	TerraformVersion  string
	Timestamp         string
	ResourceChanges   []*tfjson.ResourceChange
	ResourceDrift     []*tfjson.ResourceChange
	DeferredChanges   []*tfjson.DeferredResourceChange
	OutputChanges     map[string]*tfjson.Change
	Checks            []tfjson.CheckResultStatic
	ActionInvocations []*tfjson.ActionInvocation
	DeferredActions   []*DeferredAction
	Configuration     planconfig.Configuration
	// Errored: the plan failed and has only what was planned before.
	Errored bool
	// Applyable is whether the CLI would apply the plan; nil if it does not say.
	Applyable *bool
	// Complete is false if changes are left for another plan; nil if the CLI
	// does not say.
	Complete *bool

	// What other files of the CLI have and a plan does not.
	isState     bool
	level       string
	isEncrypted bool
}

// DeferredAction is an action that is left for another plan.
type DeferredAction struct {
	Reason string                   `json:"reason"`
	Action *tfjson.ActionInvocation `json:"action_invocation"`
}

// Read reads the output of "terraform show -json PLAN".
func Read(r io.Reader) (*Plan, error) { return readUpTo(r, MaxInput, MaxPlan, MaxValues) }

// readUpTo reads a plan, of which the parts that a review needs may have fewer bytes than all. The
// others, which may be larger than these, are not kept.
func readUpTo(r io.Reader, limit, kept int64, values int) (*Plan, error) {
	input := bufio.NewReaderSize(&limited{r: r, left: limit, err: &limitError{limit >> 20}}, 64<<10)
	if err := checkStart(input); err != nil {
		return nil, err
	}
	parts := &parts{decoder: json.NewDecoder(input), left: kept, values: values}
	var plan Plan
	if err := parts.read(&plan); err != nil {
		return nil, err
	}
	if err := plan.check(); err != nil {
		return nil, err
	}
	if parts.decoder.More() {
		return nil, errors.New("there is more than one JSON value: run terraform show -json PLAN")
	}
	return &plan, nil
}

// checkStart returns an error for what is no JSON by its first bytes.
func checkStart(input *bufio.Reader) error {
	start, err := input.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the plan: %w", err)
	}
	err = nil // a short one may be a plan
	switch {
	case bytes.HasPrefix(start, []byte("\xef\xbb\xbf")):
		_, err = input.Discard(3)
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return errors.New("this is a plan file, not its JSON: run terraform show -json PLAN")
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")):
		return errors.New("the input is UTF-16, as PowerShell writes it: write it as UTF-8")
	}
	for err == nil {
		var next []byte
		if next, err = input.Peek(1); err == nil && len(bytes.TrimSpace(next)) > 0 {
			return nil
		}
		_, _ = input.Discard(len(next)) // it is there
	}
	if errors.Is(err, io.EOF) {
		return errors.New("the input is empty: run terraform show -json PLAN")
	}
	return fmt.Errorf("reading the plan: %w", err)
}

// describe leaves out what an error quotes of the input.
func describe(err error) error {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("a mistake at byte %d", syntax.Offset)
	case errors.As(err, &wrongType):
		return fmt.Errorf("%s has another type at byte %d", phrase.Text(wrongType.Field), wrongType.Offset)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("it is cut off")
	}
	return errors.New("it cannot be decoded")
}

func (p *Plan) check() error {
	switch {
	case p.level != "":
		return errors.New("this is the log of plan -json, not the plan: run plan -out=PLAN and terraform show -json PLAN")
	case p.isEncrypted:
		return errors.New("this is an encrypted plan file, not its JSON: run tofu show -json PLAN")
	case p.isState && p.ResourceChanges == nil:
		return errors.New("this is a state, not a plan: run terraform show -json with the name of the plan file")
	}
	if err := (&tfjson.Plan{FormatVersion: p.FormatVersion}).Validate(); err != nil {
		if p.FormatVersion == "" {
			return errors.New("this is not the JSON of a plan: run terraform show -json PLAN")
		}
		return fmt.Errorf("the plan has the format %s; this program reads 0.1 to 1.x", phrase.Text(p.FormatVersion))
	}
	return p.checkChanges()
}

// checkChanges returns an error for a change that this program does not know: it could do
// anything.
func (p *Plan) checkChanges() error {
	changes := slices.Concat(p.ResourceChanges, p.ResourceDrift)
	for _, deferred := range p.DeferredChanges {
		if deferred != nil {
			changes = append(changes, deferred.ResourceChange)
		}
	}
	for _, change := range changes {
		if change == nil {
			continue
		}
		if err := checkVerb(change.Address, change.Change); err != nil {
			return err
		}
		if !isObject(change.Change.Before) || !isObject(change.Change.After) {
			return fmt.Errorf("the plan has values of %s that are no object: run terraform show -json PLAN again", phrase.Text(change.Address))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.OutputChanges)) {
		if err := checkVerb("output."+name, p.OutputChanges[name]); err != nil {
			return err
		}
	}
	return nil
}

func checkVerb(address string, change *tfjson.Change) error {
	verb := ""
	if change != nil {
		verb = verbOf(change.Actions)
	}
	if _, ok := verbs[verb]; ok {
		return nil
	}
	return fmt.Errorf("the plan has the action %q for %s, which this program does not know: use a newer one, or another CLI", phrase.Text(verb), phrase.Text(address))
}

// isObject reports whether a value is an object, or none.
func isObject(value any) bool {
	_, ok := value.(map[string]any)
	return ok || value == nil
}
