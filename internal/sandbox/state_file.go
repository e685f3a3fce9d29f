package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// saveEvery is the interval at which a changed state is written.
const saveEvery = time.Second

// savedState is the content of the state file.
type savedState struct {
	Objects map[string]json.RawMessage `json:"objects"`
}

// loadState reads the state file, if it is configured and exists.
func (s *Sandbox) loadState() error {
	if s.options.StateFile == "" {
		return nil
	}
	text, err := os.ReadFile(s.options.StateFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the state: %w", err)
	}
	var file savedState
	if err := json.Unmarshal(text, &file); err != nil {
		return fmt.Errorf("reading the state in %s: %w", s.options.StateFile, err)
	}
	if err := s.node.ControlPlane.Restore(file.Objects); err != nil {
		return fmt.Errorf("reading the state in %s: %w", s.options.StateFile, err)
	}
	return nil
}

// saveState writes the state file atomically.
func (s *Sandbox) saveState() error {
	if s.options.StateFile == "" {
		return nil
	}
	saved, err := s.node.ControlPlane.Save()
	if err != nil {
		return fmt.Errorf("saving the state: %w", err)
	}
	text, err := json.MarshalIndent(savedState{saved}, "", "  ")
	if err != nil {
		return fmt.Errorf("saving the state: %w", err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(s.options.StateFile), ".kuscia-sandbox-*")
	if err != nil {
		return fmt.Errorf("saving the state: %w", err)
	}
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), s.options.StateFile)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("saving the state: %w", err), os.Remove(temporary.Name()))
	}
	return nil
}

// keepSaving writes the state periodically, so that a killed sandbox loses at
// most a second.
func (s *Sandbox) keepSaving() {
	if s.options.StateFile == "" {
		return
	}
	ticker := time.NewTicker(saveEvery)
	defer ticker.Stop()
	var saved uint64
	for {
		select {
		case <-s.stopped:
			return
		case <-ticker.C:
		}
		if now := s.node.ControlPlane.Changes(); now != saved && s.saveState() == nil {
			saved = now
		}
	}
}
