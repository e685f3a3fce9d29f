package secretflow

import (
	"fmt"
	"strings"
)

// Start starts the container of a party, and returns how it ends. ok is false if it runs on, or
// if the party is not known to have the application.
func Start(s Serving, party int) (end Answer, ok bool) {
	p := s.Parties[party]
	if p.Image == nil {
		return end, false
	}
	return Says(s.ofParty(party, newRead(&s)), p.Image)
}

// The exit codes of a container.
const (
	exitShell     = 0   // a shell without input
	exitFlags     = 1   // of the library that reads the flags
	exitNotRun    = 128 // of a runtime that could not execute the command
	exitSignalled = 139 // of signal 11
	exitRefused   = 255
)

// Exit returns the exit code of the container of an application that has ended, and the end of
// its log, without places in the source.
func (a Answer) Exit() (code int32, log string) {
	switch {
	case a.Stage == StageCommand:
		return exitShell, ""
	case a.Stage == StageExec:
		return exitNotRun, a.Text
	case a.Text == crashed:
		return exitSignalled, ""
	case strings.HasPrefix(a.Text, unknownFlag):
		return exitFlags, "ERROR: " + a.Text
	case a.Code <= 0: // without one, or not known
		return exitRefused, "server startup failed, msg:" + a.Text
	}
	return exitRefused, fmt.Sprintf("server startup failed, code: %d, msg: %s", a.Code, a.Text)
}
