// Package rules has rules whose mutants are known.
package rules

import "errors"

// Negative is tested for 0: no mutant survives.
func Negative(n int) bool { return n < 0 }

// Old is not tested for its limit.
func Old(age int) bool { return age >= 60+5 }

// Unused is reached by no test.
func Unused() { println("unused") }

// Count does not end if one of its statements is missing.
func Count(n int) (sum int) {
	for n > 0 {
		n--
		sum++
	}
	return sum
}

// Check returns an error, which the tests ignore.
func Check(ok bool) error {
	if !ok {
		return errors.New("not ok")
	}
	return nil
}
