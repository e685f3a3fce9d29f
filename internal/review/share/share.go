// Package share divides the bytes of a comment among the parts of a review.
package share

import (
	"cmp"
	"slices"
)

// Part is a part of a review that is too long for a comment. No part is dropped: each gets its share of
// the bytes, and says what it leaves out.
type Part struct {
	// Weight is how much of the bytes it gets, beside others that need more than there are.
	Weight int
	// Need is the number of bytes that it would have, and Room what it gets.
	Need, Room int
	// Write is the part in so many bytes, and how many rows it leaves out.
	Write func(most int) (text string, left int)
}

// Divide gives bytes to parts: what one does not need the others get.
func Divide(most int, parts []*Part) {
	rising := slices.SortedFunc(slices.Values(parts), func(x, y *Part) int { return cmp.Compare(x.Need*y.Weight, y.Need*x.Weight) })
	weights := 0
	for _, p := range rising {
		weights += p.Weight
	}
	for _, p := range rising {
		p.Room = min(p.Need, max(most, 0)*p.Weight/weights)
		most, weights = most-p.Room, weights-p.Weight
	}
}
