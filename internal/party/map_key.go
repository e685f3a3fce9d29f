package party

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Parties are maps. Their keys are names that a configuration chooses; a party is
// identified by its Key, so that a renamed key is still the same party.

// MapKey is the key of a party in a map where no configuration has chosen one:
// DOMAIN, or DOMAIN/ROLE.
func (k Key) MapKey() string {
	if k.Role == "" {
		return k.DomainID
	}
	return k.String()
}

// MapKeys returns the keys of the parties of a response, each once. known are the
// parties of the state by key, which keep their keys; others get MapKey, with a number
// if that key is taken.
func MapKeys(parties []Key, known map[string]Key) []string {
	earlier := map[Key][]string{}
	for _, key := range slices.Sorted(maps.Keys(known)) {
		earlier[known[key]] = append(earlier[known[key]], key)
	}
	keys, taken, others := make([]string, len(parties)), map[string]bool{}, []int{}
	for i, party := range parties {
		if len(earlier[party]) == 0 {
			keys[i], others = party.MapKey(), append(others, i)
			continue
		}
		keys[i], earlier[party] = earlier[party][0], earlier[party][1:]
		taken[keys[i]] = true
	}
	number(keys, others, taken)
	return keys
}

// UniqueKeys returns names that a map can have as keys: those that occur again get a
// number.
func UniqueKeys(names []string) []string {
	keys, all := slices.Clone(names), make([]int, len(names))
	for i := range names {
		all[i] = i
	}
	number(keys, all, map[string]bool{})
	return keys
}

// number adds a number to those of the keys at the given places that are taken.
func number(keys []string, places []int, taken map[string]bool) {
	used := map[string]int{}
	for _, i := range places {
		name := keys[i]
		for taken[keys[i]] {
			used[name]++
			keys[i] = name + "#" + strconv.Itoa(used[name]+1)
		}
		taken[keys[i]] = true
	}
}

// RenamedSummary is the summary of a warning with the text of DescribeRenamed.
const RenamedSummary = "Key of a party renamed"

// DescribeRenamed explains what a plan shows as one party less and one more, "" for none:
// parties with another key than before. first is the new key of the first one.
func DescribeRenamed(before, after map[string]Key) (first, detail string) {
	old := map[Key]string{}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		old[before[key]] = key
	}
	var renamed []string
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if was, found := old[after[key]]; found && before[key] != after[key] {
			first = cmp.Or(first, key)
			renamed = append(renamed, fmt.Sprintf("parties[%q] was parties[%q]", key, was))
		}
	}
	text := ": it has the same domain and role. The key is only in the state: nothing is sent for it, and no pod restarts."
	switch len(renamed) {
	case 0:
		return "", ""
	case 1:
	default:
		text = ": each has the same domain and role. Keys are only in the state: nothing is sent for them, and no pod restarts."
	}
	return first, strings.Join(renamed, ", ") + text
}

// Duplicates returns the keys under which a map has a party once more, each with the
// first key of that party in sorted order.
func Duplicates(parties map[string]Key) map[string]string {
	first, duplicates := map[Key]string{}, map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(parties)) {
		if before, has := first[parties[key]]; has {
			duplicates[key] = before
		} else {
			first[parties[key]] = key
		}
	}
	return duplicates
}
