//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// The CLI starts this program instead of the provider. The program runs the
// real provider and, when that has ended, records its resource usage. The
// provider thus needs no code for measurements.
const (
	probedVariable = "KUSCIA_BENCH_PROVIDER" // the real provider
	usageVariable  = "KUSCIA_BENCH_USAGE"    // file to which a line is added
)

// usage is the resource usage of a process.
type usage struct {
	CPU    time.Duration `json:"cpu"`
	Memory int64         `json:"memory"` // largest resident set, bytes
}

func isProbe() bool { return strings.HasPrefix(filepath.Base(os.Args[0]), "terraform-provider-") }

// probe runs the real provider and returns its exit code.
func probe() int {
	cmd := exec.Command(os.Getenv(probedVariable), os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go func() {
		for s := range signals {
			// The provider ignores interrupts, because the CLI stops it by
			// itself.
			_ = cmd.Process.Signal(s)
		}
	}()
	err := cmd.Wait()
	if noteErr := note(cmd.ProcessState); noteErr != nil {
		fmt.Fprintln(os.Stderr, noteErr)
		return 1
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

func note(state *os.ProcessState) error {
	used := usageOf(state)
	line, err := json.Marshal(used)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(os.Getenv(usageVariable), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}

func usageOf(state *os.ProcessState) usage {
	used := usage{CPU: state.UserTime() + state.SystemTime()}
	if rusage, ok := state.SysUsage().(*syscall.Rusage); ok {
		used.Memory = int64(rusage.Maxrss) //nolint:unconvert // 32 bits on some platforms
		if runtime.GOOS != "darwin" {      // Linux counts KiB, Darwin bytes
			used.Memory *= 1024
		}
	}
	return used
}

// readUsage sums up the lines of a usage file: the CPU time of all processes
// and the memory of the largest one.
func readUsage(path string) (usage, error) {
	var sum usage
	file, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var one usage
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return sum, errors.Join(err, file.Close())
		}
		sum.CPU += one.CPU
		sum.Memory = max(sum.Memory, one.Memory)
	}
	return sum, errors.Join(lines.Err(), file.Close())
}
