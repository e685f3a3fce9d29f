package internal_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestDiagnosticTitles holds the titles of all diagnostics to the form that internal/README.md
// describes: constant texts, apart from the kind of the object and the name of an attribute.
func TestDiagnosticTitles(t *testing.T) {
	t.Parallel()
	constant := map[string]bool{}
	for _, title := range findTitles(t) {
		if problem := titleProblem(title.text); problem != "" {
			t.Errorf("%s: the title %q %s", title.at, title.text, problem)
		}
		constant[title.text] = true
	}
	if len(constant) < 200 {
		t.Errorf("only %d titles were found", len(constant))
	}
	for _, known := range []string{"Unable to create KIND", "KIND was created but the wait was cancelled", "Serving was redeployed but does not run", "Invalid NAME", "Duplicate party", "Last step below 100%"} {
		if !constant[known] {
			t.Errorf("the title %q was not found", known)
		}
	}
}

// TestTitleProblems: each rule refuses a title.
func TestTitleProblems(t *testing.T) {
	t.Parallel()
	for _, title := range []string{
		"", "invalid name", "Invalid name.", `Serving "s" does not run`, "Serving 's'", "Serving `s`", "Serving: does not run", "Unable to read KIND, again",
		"Serving %s does not run", "Invalid  name", "The serving does not run", "A step is missing", "There is no step", "Cannot read KIND", "Failed to read KIND",
		"Invalid Name", "Container name used twice", "No such step", strings.Repeat("Long ", 13), "Serving " + variable + " runs",
	} {
		if titleProblem(title) == "" {
			t.Errorf("%q is accepted", title)
		}
	}
}

const (
	maxTitle = 60
	// variable stands for a part of a title that is not constant.
	variable = "\x00"
	// properNames are the words, besides those with two capitals, that are written with a
	// capital within a title.
	properNames = "Deployment Deployments Kubernetes Kuscia KIND NAME Ingress Recreate Rollout Rollouts Services"
)

var (
	titleCharacters = regexp.MustCompile(`^[A-Z]([A-Za-z0-9_/ -]|[0-9]%)+$`)
	otherBeginning  = regexp.MustCompile(`^(The|A|An|There|It|Cannot|Could not|Failed|Error|No such) |\b(used|set|served) twice$`)
	oneCapital      = regexp.MustCompile(`^[A-Z][a-z]+$`)
)

// titleProblem is what is wrong with a title.
func titleProblem(title string) string {
	switch words := strings.Fields(title); {
	case strings.Contains(title, variable):
		return "has a variable part: put it into the detail"
	case utf8.RuneCountInString(title) > maxTitle:
		return "has more than " + strconv.Itoa(maxTitle) + " characters"
	case !titleCharacters.MatchString(title) || strings.Join(words, " ") != title:
		return "is not a phrase of letters, digits and single spaces that begins with a capital letter, without quotes and punctuation"
	case otherBeginning.MatchString(title):
		return `has another form than its like: no article, "Unable to" for what failed, "Missing", "Invalid", "Duplicate" or "Conflicting" for values`
	case slices.ContainsFunc(words[1:], func(w string) bool {
		return oneCapital.MatchString(w) && !slices.Contains(strings.Fields(properNames), w)
	}):
		return "has a word with a capital letter that is no name"
	}
	return ""
}
