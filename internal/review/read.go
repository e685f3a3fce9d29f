package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	tfjson "github.com/hashicorp/terraform-json"
)

// MaxInput is the size up to which a plan is read.
const MaxInput = 256 << 20

// Plan has the parts of a plan that a review needs. The others, such as the
// prior state and the configuration, are not decoded: they may be larger than
// all of these.
type Plan struct {
	FormatVersion     string                           `json:"format_version"`
	ResourceChanges   []*tfjson.ResourceChange         `json:"resource_changes"`
	ResourceDrift     []*tfjson.ResourceChange         `json:"resource_drift"`
	DeferredChanges   []*tfjson.DeferredResourceChange `json:"deferred_changes"`
	OutputChanges     map[string]*tfjson.Change        `json:"output_changes"`
	Checks            []tfjson.CheckResultStatic       `json:"checks"`
	ActionInvocations []*tfjson.ActionInvocation       `json:"action_invocations"`
	// Errored: the plan failed and has only what was planned before.
	Errored bool `json:"errored"`
	// Complete is false if changes are left for another plan; nil if the CLI
	// does not say.
	Complete *bool `json:"complete"`

	// What other files of the CLI have and a plan does not.
	Values        json.RawMessage `json:"values"`
	Level         string          `json:"@level"`
	EncryptedData json.RawMessage `json:"encrypted_data"`
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
		return fmt.Errorf("%s has another type at byte %d", Text(wrongType.Field), wrongType.Offset)
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
		return fmt.Errorf("the plan has the format %s; this program reads 0.1 to 1.x", Text(p.FormatVersion))
	}
	return nil
}
