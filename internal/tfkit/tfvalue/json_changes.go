package tfvalue

import "fmt"

// JSONChanges counts what differs between two JSON objects or arrays: values that have changed, were
// added and were removed. An object or list that only one of the two has counts as one value.
type JSONChanges struct{ Changed, Added, Removed int }

// CountJSONChanges compares two texts. ok is false if one of them is no JSON object or array, or
// parsers interpret it differently.
func CountJSONChanges(before, after string) (changes JSONChanges, ok bool) {
	if !IsJSON(before) || !IsJSON(after) {
		return changes, false
	}
	x, definite := decodeJSON(before)
	y, alsoDefinite := decodeJSON(after)
	if !definite || !alsoDefinite {
		return changes, false
	}
	changes.count(x, y)
	return changes, true
}

func (c *JSONChanges) count(before, after any) {
	switch x := before.(type) {
	case map[string]any:
		if y, same := after.(map[string]any); same {
			c.countMaps(x, y)
			return
		}
	case []any:
		if y, same := after.([]any); same {
			common := min(len(x), len(y))
			for i := range common {
				c.count(x[i], y[i])
			}
			c.Added += len(y) - common
			c.Removed += len(x) - common
			return
		}
	default:
		switch after.(type) {
		case map[string]any, []any:
		default:
			if before == after {
				return
			}
		}
	}
	c.Changed++
}

func (c *JSONChanges) countMaps(before, after map[string]any) {
	for key, value := range before {
		if other, has := after[key]; has {
			c.count(value, other)
		} else {
			c.Removed++
		}
	}
	for key := range after {
		if _, has := before[key]; !has {
			c.Added++
		}
	}
}

// String tells the counts without any value, "1 value changes, 2 are added".
func (c JSONChanges) String() string {
	text, subject := "", "value"
	for _, part := range []struct {
		n         int
		one, many string
	}{{c.Changed, "changes", "change"}, {c.Added, "is added", "are added"}, {c.Removed, "is removed", "are removed"}} {
		if part.n == 0 {
			continue
		}
		noun, verb := subject, part.one
		if part.n > 1 {
			noun, verb = subject+"s", part.many
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%d %s %s", part.n, noun, verb)
	}
	return text
}
