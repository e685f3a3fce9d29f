package httpapi

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
)

// maxSearched is how much of a secret is searched. Where a longer one begins, as much as its
// whole length is masked.
const maxSearched = 512

// searcher finds many texts in a text, in time linear in the sum of the lengths: it compares
// hashes (Karp and Rabin, 1987), first of a prefix whose length is a power of two, then of each
// length that a wanted text with this prefix has, which are at most maxSearched.
type searcher struct {
	// lengths are those of the wanted texts by prefix.
	lengths map[window][]uint16
	// wanted has for each text how much is masked.
	wanted map[window]int
	// prefixes are the lengths of the prefixes that occur.
	prefixes []int
	buffer   []uint64
}

// window is a part of a text: its length and its hash.
type window struct {
	length int
	hash   uint64
}

// modulus and base are those of the hash, a polynomial of the bytes. The base is random, so that
// nobody can prepare texts with equal hashes.
const modulus = 1<<61 - 1

var hashBase = rand.Uint64N(modulus-1<<32) + 1<<31

func multiply(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	sum := low&modulus + (low>>61 | high<<3)
	sum = sum&modulus + sum>>61
	if sum >= modulus {
		sum -= modulus
	}
	return sum
}

// hashes are the hashes of all prefixes of a text.
func hashes(text string, into []uint64) []uint64 {
	into = append(into[:0], 0)
	for i := range len(text) {
		next := multiply(into[i], hashBase) + uint64(text[i]) + 1
		if next >= modulus {
			next -= modulus
		}
		into = append(into, next)
	}
	return into
}

// powers are those of hashBase.
var powers = func() (out [maxSearched + 1]uint64) {
	out[0] = 1
	for i := 1; i < len(out); i++ {
		out[i] = multiply(out[i-1], hashBase)
	}
	return out
}()

// at returns the window of a length at a position of the text with these hashes.
func at(hashes []uint64, from, length int) window {
	hash := hashes[from+length] + modulus - multiply(hashes[from], powers[length])
	if hash >= modulus {
		hash -= modulus
	}
	return window{length, hash}
}

// newSearcher returns a searcher for texts.
func newSearcher(texts ...string) *searcher {
	s := &searcher{lengths: map[window][]uint16{}, wanted: map[window]int{}}
	s.add(texts...)
	return s
}

// add adds wanted texts.
func (s *searcher) add(texts ...string) {
	for _, text := range texts {
		if text == "" {
			continue
		}
		whole := len(text)
		text = text[:min(whole, maxSearched)]
		s.buffer = hashes(text, s.buffer)
		key := at(s.buffer, 0, len(text))
		known, found := s.wanted[key]
		s.wanted[key] = max(known, whole)
		if found {
			continue
		}
		prefix := at(s.buffer, 0, 1<<(bits.Len(uint(len(text)))-1))
		length := uint16(len(text)) /* #nosec G115 -- at most maxSearched */
		if !slices.Contains(s.lengths[prefix], length) {
			s.lengths[prefix] = append(s.lengths[prefix], length)
		}
		if !slices.Contains(s.prefixes, prefix.length) {
			s.prefixes = append(s.prefixes, prefix.length)
		}
	}
}

// find returns how much is masked at a position, 0 for nothing.
func (s *searcher) find(hashes []uint64, from int) (length int) {
	rest := len(hashes) - 1 - from
	for _, prefix := range s.prefixes {
		if prefix > rest {
			continue
		}
		for _, candidate := range s.lengths[at(hashes, from, prefix)] {
			if n := int(candidate); n <= rest {
				length = max(length, s.wanted[at(hashes, from, n)])
			}
		}
	}
	return min(length, rest)
}

// mask replaces every found text by ***, and overlapping ones by a single ***. It ends before
// end, where a text that was cut may have a part of a wanted one.
func (s *searcher) mask(text string, end int) string {
	hashed := hashes(text, nil)
	var b strings.Builder
	shown := 0 // what is before it is written
	for i := 0; i < end; i++ {
		length := s.find(hashed, i)
		if length == 0 {
			continue
		}
		b.WriteString(text[shown:i])
		b.WriteString(masked)
		// Another one may begin within this one and end after it.
		for shown = i + length; i < min(shown, end)-1; {
			i++
			if more := s.find(hashed, i); more > 0 {
				shown = max(shown, i+more)
			}
		}
		i = shown - 1
	}
	if shown == 0 && end == len(text) {
		return text
	}
	if shown < end {
		b.WriteString(text[shown:end])
	}
	return b.String()
}
