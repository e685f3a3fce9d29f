package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// startsSuffix is the end of the name of a launcher's list of starts.
const startsSuffix = ".starts"

// Starts returns how often each command of the launched CLIs in a directory was started,
// by all processes together, since ForgetStarts.
func Starts(dir string) (map[string]int, error) {
	names, err := startLists(dir)
	if err != nil {
		return nil, err
	}
	starts := map[string]int{}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for command := range strings.Lines(string(content)) {
			starts[strings.TrimSuffix(command, "\n")]++
		}
	}
	return starts, nil
}

// ForgetStarts begins to count again.
func ForgetStarts(dir string) error {
	names, err := startLists(dir)
	for _, name := range names {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

func startLists(dir string) ([]string, error) {
	return filepath.Glob(filepath.Join(dir, "launch-*"+startsSuffix))
}
