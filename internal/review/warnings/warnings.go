// Package warnings reads what a provider and the CLI say of a plan: the log of terraform plan -json,
// since the JSON of a plan has none of it.
package warnings

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// Diagnostic is a warning, or the error of a plan that failed.
type Diagnostic struct {
	Address string `json:"address"`
	Summary string `json:"summary"`
	Detail  string `json:"detail"`
	IsError bool   `json:"is_error"`
}

// MissesReference reports whether the diagnostic is of an object that something refers to and that
// the server does not have.
func (d Diagnostic) MissesReference() bool { return strings.HasSuffix(d.Summary, " does not exist") }

// LimitsPlan reports whether the diagnostic is the one of a CLI that -target or -exclude leaves out changes.
func (d Diagnostic) LimitsPlan() bool { return d.Summary == "Resource targeting is in effect" }

// The bounds of a log: the bytes of a line and of all lines, and the diagnostics.
const (
	maxLine        = 8 << 20
	maxLog         = 256 << 20
	maxDiagnostics = 10000
	// maxPlanned is the number of changes of a log.
	maxPlanned = 500_000
)

// Log is what a review needs of a log.
type Log struct {
	Diagnostics []Diagnostic
	// planned are the changes, and isComplete: it has the summary that follows them.
	planned    map[Change]int
	isComplete bool
}

// Change is a planned change of a resource.
type Change struct {
	Address string
	// Action is create, update, delete, replace or read, and Other for what CLIs have several words for.
	Action string
}

// Other is the action of what moves, is imported or is no longer managed.
const Other = "other"

// Check returns an error for a log that is not that of the plan with these changes. That of a plan
// that failed need not be complete.
func (l Log) Check(planned []Change, failed bool) error {
	if !l.isComplete {
		if failed {
			return nil
		}
		return errors.New("the log of plan -json is not complete: it has no summary of the changes. Run plan -json -out=PLAN >LOG again, and give the whole log")
	}
	if !failed && slices.ContainsFunc(l.Diagnostics, func(d Diagnostic) bool { return d.IsError }) {
		return errors.New("the log has an error, and the plan did not fail: give the log with which the plan was made")
	}
	left := maps.Clone(l.planned)
	for _, c := range planned {
		if left[c]--; left[c] < 0 {
			return fmt.Errorf("the log is that of another plan: it does not have the change of %s. Give the log with which the plan was made", phrase.Show(c.Address).Plain(phrase.English))
		}
	}
	var others []string
	for c, n := range left {
		if n > 0 {
			others = append(others, c.Address)
		}
	}
	if len(others) > 0 {
		return fmt.Errorf("the log is that of another plan, which changes %s. Give the log with which the plan was made", phrase.Show(slices.Min(others)).Plain(phrase.English))
	}
	return nil
}

// actions are the words of both CLIs for what a change does.
var actions = map[string]string{"create": "create", "update": "update", "delete": "delete", "replace": "replace", "read": "read"}

// entry is a line of a log.
type entry struct {
	Level      string `json:"@level"`
	Type       string `json:"type"`
	Diagnostic *struct {
		Severity string `json:"severity"`
		Diagnostic
	} `json:"diagnostic"`
	Change struct {
		Resource struct {
			Address string `json:"addr"`
		} `json:"resource"`
		Action string `json:"action"`
	} `json:"change"`
	Changes struct {
		Operation string `json:"operation"`
	} `json:"changes"`
}

// add adds what an entry says, beside diagnostics.
func (l *Log) add(e entry) error {
	switch {
	case e.Type == "planned_change":
		if len(l.planned) >= maxPlanned {
			return fmt.Errorf("the log has more than %d changes", maxPlanned)
		}
		l.planned[Change{e.Change.Resource.Address, cmp.Or(actions[e.Change.Action], Other)}]++
	case e.Type == "change_summary" && e.Changes.Operation == "plan":
		l.isComplete = true
	}
	return nil
}

// Read reads the log of terraform plan -json or tofu plan -json.
func Read(r io.Reader) (Log, error) {
	log := Log{planned: map[Change]int{}}
	lines := bufio.NewScanner(io.LimitReader(r, maxLog+1))
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	known := map[Diagnostic]bool{}
	read, isLog := 0, false
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if read += len(lines.Bytes()) + 1; read > maxLog {
			return Log{}, fmt.Errorf("the log is larger than %d MiB", maxLog>>20)
		}
		if len(line) == 0 {
			continue
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil || e.Level == "" {
			return Log{}, errors.New("this is not the log of plan -json, in which each line is an object: run plan -json -out=PLAN >LOG")
		}
		isLog = true
		if err := log.add(e); err != nil {
			return Log{}, err
		}
		if e.Type != "diagnostic" || e.Diagnostic == nil {
			continue
		}
		d := e.Diagnostic.Diagnostic
		d.IsError = e.Diagnostic.Severity == "error"
		if known[d] {
			continue
		}
		if len(known) >= maxDiagnostics {
			return Log{}, fmt.Errorf("the log has more than %d different warnings and errors", maxDiagnostics)
		}
		log.Diagnostics, known[d] = append(log.Diagnostics, d), true
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return Log{}, fmt.Errorf("a line of the log is larger than %d MiB", maxLine>>20)
	case err != nil:
		return Log{}, fmt.Errorf("reading the log: %w", err)
	case !isLog:
		return Log{}, errors.New("the log of plan -json is empty: run plan -json -out=PLAN >LOG")
	}
	return log, nil
}
