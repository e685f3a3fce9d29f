// Package warnings reads what a provider and the CLI say of a plan: the log of terraform plan -json,
// since the JSON of a plan has none of it.
package warnings

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
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

// The bounds of a log: the bytes of a line and of all lines, and the diagnostics that are kept.
const (
	maxLine = 8 << 20
	maxLog  = 256 << 20
	maxKept = 10000
)

// Read reads the log of terraform plan -json or tofu plan -json.
func Read(r io.Reader) ([]Diagnostic, error) {
	lines := bufio.NewScanner(io.LimitReader(r, maxLog+1))
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	var found []Diagnostic
	known := map[Diagnostic]bool{}
	read, isLog := 0, false
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if read += len(lines.Bytes()) + 1; read > maxLog {
			return nil, fmt.Errorf("the log is larger than %d MiB", maxLog>>20)
		}
		if len(line) == 0 {
			continue
		}
		var entry struct {
			Level      string `json:"@level"`
			Type       string `json:"type"`
			Diagnostic *struct {
				Severity string `json:"severity"`
				Diagnostic
			} `json:"diagnostic"`
		}
		if err := json.Unmarshal(line, &entry); err != nil || entry.Level == "" {
			return nil, errors.New("this is not the log of plan -json, in which each line is an object: run plan -json -out=PLAN >LOG")
		}
		isLog = true
		if entry.Type != "diagnostic" || entry.Diagnostic == nil {
			continue
		}
		d := entry.Diagnostic.Diagnostic
		d.IsError = entry.Diagnostic.Severity == "error"
		if !known[d] && len(found) < maxKept {
			found, known[d] = append(found, d), true
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("a line of the log is larger than %d MiB", maxLine>>20)
	case err != nil:
		return nil, fmt.Errorf("reading the log: %w", err)
	case !isLog:
		return nil, errors.New("the log of plan -json is empty: run plan -json -out=PLAN >LOG")
	}
	return found, nil
}
