// Package quantity adds up quantities of Kubernetes, such as 500m and 2Gi, of a plan.
package quantity

import (
	"regexp"

	"k8s.io/apimachinery/pkg/api/resource"
)

// usual is a quantity of a size that something has. The library takes minutes for others.
var usual = regexp.MustCompile(`^[0-9]{1,12}(\.[0-9]{1,9})?(m|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$`)

// Sum is a sum of quantities.
type Sum struct {
	total resource.Quantity
	unset bool
}

// Unset notes something that has no quantity.
func (s *Sum) Unset() { s.unset = true }

// IsUnset reports whether something has no quantity.
func (s *Sum) IsUnset() bool { return s.unset }

// Add adds a number of times a quantity. ok is false if it is none.
func (s *Sum) Add(text string, times int) (ok bool) {
	if !usual.MatchString(text) {
		return false
	}
	q, err := resource.ParseQuantity(text)
	if err != nil || !q.Mul(int64(times)) {
		return false
	}
	if s.total.IsZero() {
		s.total.Format = q.Format
	}
	s.total.Add(q)
	return true
}

// IsZero reports whether the sum is nothing.
func (s *Sum) IsZero() bool { return s.total.IsZero() }

// String is the sum with its sign, such as +62 or -2Gi.
func (s *Sum) String() string {
	if s.total.Sign() > 0 {
		return "+" + s.total.String()
	}
	return s.total.String()
}
