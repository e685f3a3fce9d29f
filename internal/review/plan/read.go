// Package plan reads the JSON of a plan into objects whose values hide what is sensitive.
package plan

import (
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

// MaxInput is the size up to which a plan is read.
const MaxInput = 256 << 20

// Plan has the parts of a plan that a review needs. The others, such as the
// prior state, are not decoded: they may be larger than all of these.
type Plan struct {
	FormatVersion     string                           `json:"format_version"`
	TerraformVersion  string                           `json:"terraform_version"`
	Timestamp         string                           `json:"timestamp"`
	ResourceChanges   []*tfjson.ResourceChange         `json:"resource_changes"`
	ResourceDrift     []*tfjson.ResourceChange         `json:"resource_drift"`
	DeferredChanges   []*tfjson.DeferredResourceChange `json:"deferred_changes"`
	OutputChanges     map[string]*tfjson.Change        `json:"output_changes"`
	Checks            []tfjson.CheckResultStatic       `json:"checks"`
	ActionInvocations []*tfjson.ActionInvocation       `json:"action_invocations"`
	DeferredActions   []*DeferredAction                `json:"deferred_action_invocations"`
	Configuration     planconfig.Configuration         `json:"configuration"`
	// Errored: the plan failed and has only what was planned before.
	Errored bool `json:"errored"`
	// Applyable is whether the CLI would apply the plan; nil if it does not say.
	Applyable *bool `json:"applyable"`
	// Complete is false if changes are left for another plan; nil if the CLI
	// does not say.
	Complete *bool `json:"complete"`

	// What other files of the CLI have and a plan does not.
	Values        json.RawMessage `json:"values"`
	Level         string          `json:"@level"`
	EncryptedData json.RawMessage `json:"encrypted_data"`
}

// DeferredAction is an action that is left for another plan.
type DeferredAction struct {
	Reason string                   `json:"reason"`
	Action *tfjson.ActionInvocation `json:"action_invocation"`
}

// Read reads the output of "terraform show -json PLAN".
func Read(r io.Reader) (*Plan, error) {
	return readUpTo(r, MaxInput)
}

func readUpTo(r io.Reader, limit int64) (*Plan, error) {
	content, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("reading the plan: %w", err)
	}
	if int64(len(content)) > limit {
		return nil, fmt.Errorf("the plan is larger than %d MiB", limit>>20)
	}
	return decode(content)
}

func decode(content []byte) (*Plan, error) {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return nil, errors.New("the input is empty: run terraform show -json PLAN")
	case bytes.HasPrefix(content, []byte("PK\x03\x04")):
		return nil, errors.New("this is a plan file, not its JSON: run terraform show -json PLAN")
	case bytes.HasPrefix(content, []byte("\xff\xfe")), bytes.HasPrefix(content, []byte("\xfe\xff")):
		return nil, errors.New("the input is UTF-16, as PowerShell writes it: write it as UTF-8")
	}
	var plan Plan
	decoder := json.NewDecoder(bytes.NewReader(content))
	if err := decoder.Decode(&plan); err != nil {
		return nil, fmt.Errorf("this is not the JSON of a plan, which terraform show -json PLAN writes: %w", describe(err))
	}
	if err := plan.check(); err != nil {
		return nil, err
	}
	if decoder.More() {
		return nil, errors.New("there is more than one JSON value: run terraform show -json PLAN")
	}
	return &plan, nil
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
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is cut off")
	}
	return errors.New("it cannot be decoded")
}

func (p *Plan) check() error {
	switch {
	case p.Level != "":
		return errors.New("this is the log of plan -json, not the plan: run plan -out=PLAN and terraform show -json PLAN")
	case p.EncryptedData != nil:
		return errors.New("this is an encrypted plan file, not its JSON: run tofu show -json PLAN")
	case p.Values != nil && p.ResourceChanges == nil:
		return errors.New("this is a state, not a plan: run terraform show -json with the name of the plan file")
	}
	if err := (&tfjson.Plan{FormatVersion: p.FormatVersion}).Validate(); err != nil {
		if p.FormatVersion == "" {
			return errors.New("this is not the JSON of a plan: run terraform show -json PLAN")
		}
		return fmt.Errorf("the plan has the format %s; this program reads 0.1 to 1.x", phrase.Text(p.FormatVersion))
	}
	return p.checkVerbs()
}

// checkVerbs returns an error for a change that this program does not know: it could do
// anything.
func (p *Plan) checkVerbs() error {
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
