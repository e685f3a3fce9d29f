// Package mutant selects the one mutant that is active in a process. The command mutate
// adds this file to the build of the programs that it mutates.
package mutant

import (
	"os"
	"strconv"
	"sync/atomic"
)

// The variables say which mutant is active, and name a file for the mutants that are
// reached.
const (
	ActiveVariable  = "MUTATE_ACTIVE"
	ReachedVariable = "MUTATE_REACHED"
)

// Limit is more than the highest number of a mutant.
const Limit = 1 << 17

var (
	active, _ = strconv.Atoi(os.Getenv(ActiveVariable))
	recorder  = record(os.Getenv(ReachedVariable))
	seen      [Limit]atomic.Bool
)

func record(name string) *os.File {
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err) // a mutant that seems to be reached by no test would be a wrong result
	}
	return file
}

// On reports whether a mutant is active.
func On(id int) bool { return id == active || recorder != nil && reached(id) }

// reached writes at once, since processes are killed, and returns false.
func reached(id int) bool {
	if !seen[id].Load() && !seen[id].Swap(true) { // to load is quick
		if _, err := recorder.WriteString(strconv.Itoa(id) + "\n"); err != nil {
			panic(err)
		}
	}
	return false
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Int is one more with a mutant, and one less with the next.
func Int[T integer](id int, value T) T {
	if On(id) {
		return value + 1
	}
	if On(id + 1) {
		return value - 1
	}
	return value
}

// Sign makes a sum a difference.
func Sign[T integer | ~float32 | ~float64](id int, value T) T {
	if On(id) {
		return -value
	}
	return value
}

// Zero loses a value.
func Zero[T any](id int, value T) T {
	if On(id) {
		var zero T
		return zero
	}
	return value
}
