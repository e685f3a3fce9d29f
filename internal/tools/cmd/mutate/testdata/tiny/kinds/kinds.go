// Package kinds has code in which mutants could be wrong Go.
package kinds

import (
	"errors"
	"sync"
	"time"
)

type (
	count int8
	flag  bool
	list  [2 + 1]int
	// Diagnostics are like those of the plugin framework.
	Diagnostics []string
	failure     struct{ text string }
)

func (f *failure) Error() string { return f.text }

const limit = 1 + 2

var names = [...]string{0: "a", 1: "b"}

var delay = 5 * time.Second

func sum[T int | float64](a, b T) T { return a + b - 1 }

func nothing() (int, error) { return 1, nil }

func pair() (int, error) { return nothing() }

func fails() error { return &failure{"x"} }

func diagnostics(d Diagnostics) (Diagnostics, bool) { return d, len(d) > 0 }

// All has a statement of each kind.
func All(n int, bytes []byte, items chan int) (result count, err error) {
	var mu sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	defer func() { result++ }()
	var f flag = n > 1
	if f && flag(n < 2) || n == 1<<3 {
		result += 2
	}
	if _, err = pair(); err != nil { // a comment
		return 0, err
	}
	if d, some := diagnostics(nil); !some || len(d) == 0 &&
		n > 0 { // over two lines
		result -= count(len(d))
	}
outer:
	for i := 0; i < n; i++ {
		for range 2 {
			switch {
			case i%2 == 0, i > limit:
				continue outer
			case i > 5:
				break outer
			}
			switch i {
			case 1, 2:
				bytes[0] = 'a' + 1
			default:
				panic("other")
			}
		}
	}
	select {
	case items <- 1:
		items <- 2
	case n = <-items:
		n = <-items
	default:
		_, _ = nothing()
	}
	if time.Since(time.Time{}) > delay+2*time.Minute || uint8(n)+200 > bytes[n-1]<<1 {
		return result, errors.New(names[0])
	}
	var x list
	x[1] = int(sum(1.5, 2)) + sum(n, 1)
	if err := func() error { return fails() }(); err != nil {
		return count(x[1] - 1), err
	}
	panic("the end")
}
