package main

import (
	"bytes"
	"errors"
	"io"
)

// fromLine passes on the lines from the first one with a text. Without such a line it
// passes on everything, when it is closed.
type fromLine struct {
	to    io.WriteCloser
	text  string
	found bool
	held  []byte
}

// Write passes on or holds what is written.
func (l *fromLine) Write(p []byte) (int, error) {
	if l.found {
		return l.to.Write(p)
	}
	l.held = append(l.held, p...)
	at := bytes.Index(l.held, []byte(l.text))
	if at < 0 {
		return len(p), nil
	}
	l.found, l.held = true, l.held[bytes.LastIndexByte(l.held[:at], '\n')+1:]
	return len(p), l.flush()
}

// Close passes on what is held.
func (l *fromLine) Close() error { return errors.Join(l.flush(), l.to.Close()) }

func (l *fromLine) flush() error {
	held := l.held
	l.held = nil
	_, err := l.to.Write(held)
	return err
}
