package check

import (
	"fmt"
)

// shownOfKind is how many problems of one kind are reported in full.
const shownOfKind = 5

// Fold keeps the first five items of each kind; the last of them is merged with
// the others.
func Fold[T any](all []T, kind func(T) string, merge func(last T, others []T) T) (folded []T) {
	if len(all) <= shownOfKind {
		return all
	}
	seen, others, last := map[string]int{}, map[string][]T{}, map[string]int{}
	var order []string
	for _, item := range all {
		k := kind(item)
		if seen[k]++; seen[k] > shownOfKind {
			if len(others[k]) == 0 {
				order = append(order, k)
			}
			others[k] = append(others[k], item)
			continue
		}
		last[k] = len(folded)
		folded = append(folded, item)
	}
	for _, k := range order {
		folded[last[k]] = merge(folded[last[k]], others[k])
	}
	return folded
}

// WithOthers adds to a text how many more problems of its kind there are, and
// the path of the next of them.
func WithOthers(text string, others int, next string) string {
	if next != "" {
		next = ", the next at " + next
	}
	return fmt.Sprintf("%s\n\nThe same problem exists %d more times%s.", text, others, next)
}
