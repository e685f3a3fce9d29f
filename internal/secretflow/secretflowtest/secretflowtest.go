// Package secretflowtest has recorded answers of the application's parser, and ways to start the
// application, for tests.
package secretflowtest

import (
	_ "embed"
	"encoding/json"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
)

//go:embed answers.jsonl
var answers string

//go:embed commands.json
var commands []byte

// Answer is an app image and a serving, and what the application's parser answered to the
// container of a party, behind Kuscia's renderer.
type Answer struct {
	ID       int
	Name     string
	AppImage kuscia.AppImage
	Serving  kuscia.CreateServingRequest
	Party    string
	// Config is the configuration of the domain of the party.
	Config  map[string]string
	Runtime secretflow.Runtime
	// InputPad is how many blanks Answers has added to the text of the serving.
	InputPad int `json:"input_pad"`
	Results  []Result
}

// Result is an answer of the versions with these tags.
type Result struct {
	Tags     []string
	Accepted bool
	Stage    string
	Code     int
	Error    string
}

// Answers returns all recorded answers. The first one is that to the documented serving, which runs.
func Answers(tb testing.TB) (all []Answer) {
	tb.Helper()
	for line := range strings.Lines(answers) {
		var one Answer
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			tb.Fatal(err)
		}
		one.Serving.ServingInputConfig += strings.Repeat(" ", one.InputPad)
		all = append(all, one)
	}
	return all
}

// Command is a way to start the application, with the documented text and files.
type Command struct {
	Name, Image, Tag string
	Command, Args    []string
	// Runs is set if the application runs, as far as it is known.
	Runs bool
}

// Commands returns the ways to start the application.
func Commands(tb testing.TB) (all []Command) {
	tb.Helper()
	if err := json.Unmarshal(commands, &all); err != nil {
		tb.Fatal(err)
	}
	return all
}
