package acctest

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// Failure describes the expected error output of the CLI.
type Failure struct {
	// Messages are regular expressions that all have to match. White space in
	// the output is normalized to single spaces, so line breaks do not matter.
	Messages []string
	// Never are texts, such as secrets, that must not appear.
	Never []string
}

// ExpectFailure runs a test case whose last step has to fail in the given way.
// TestStep.ExpectError cannot check that a text does not appear, and depends on
// line breaks.
func ExpectFailure(t *testing.T, testCase resource.TestCase, want Failure) {
	t.Helper()
	var (
		atLast bool
		failed error
	)
	last := &testCase.Steps[len(testCase.Steps)-1]
	before := last.PreConfig
	last.PreConfig = func() {
		atLast = true
		if before != nil {
			before()
		}
	}
	testCase.ErrorCheck = func(err error) error {
		if !atLast {
			return err
		}
		failed = errors.Join(failed, err)
		return nil
	}

	resource.Test(t, testCase)

	t.Logf("output for the user:\n%v", failed)
	if err := want.check(failed); err != nil {
		t.Error(err)
	}
}

// Fails plans what is in the workspace, which has to fail in the given way.
func (w *Workspace) Fails(want Failure) {
	w.t.Helper()
	if err := want.check(errors.New(w.Run(1, "plan", "-input=false"))); err != nil {
		w.t.Error(err)
	}
}

func (f Failure) check(failed error) error {
	if failed == nil {
		return errors.New("the last step was expected to fail and did not")
	}
	output := Plain(failed.Error())
	var problems []error
	for _, message := range f.Messages {
		if !regexp.MustCompile(message).MatchString(output) {
			problems = append(problems, fmt.Errorf("the output does not match %q", message))
		}
	}
	for _, never := range f.Never {
		if never == "" {
			problems = append(problems, errors.New("an empty text that must not appear checks nothing"))
		} else if strings.Contains(output, Plain(never)) {
			return errors.New("a text that must not appear is in the output (not shown)")
		}
	}
	if len(problems) > 0 {
		problems = append(problems, fmt.Errorf("output: %s", output))
	}
	return errors.Join(problems...)
}

var frame = strings.NewReplacer("│", " ", "╷", " ", "╵", " ")

// Plain is a CLI's output without its frame and line breaks.
func Plain(output string) string {
	return strings.Join(strings.Fields(frame.Replace(output)), " ")
}
