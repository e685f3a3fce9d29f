package httpapi

import (
	"slices"
	"strings"
)

// maxSearched is the maximum length of a secret in the searcher. Longer ones
// are rare, and would use memory for every byte.
const maxSearched = 4 << 10

// searcher finds many texts in a text in time linear in the sum of the lengths
// (Aho and Corasick, 1975). Nodes are the prefixes of the wanted texts; node 0
// is the empty prefix.
type searcher struct {
	long  []string
	nodes []node
}

type node struct {
	// child is the first node that is one byte longer; next is the next
	// sibling.
	child, next int32
	// fail is the longest other prefix that is a suffix of this one.
	fail int32
	// length is that of the longest wanted text that is a suffix of this
	// prefix; 0 for none.
	length int32
	char   byte
}

func newSearcher(texts []string) *searcher {
	s := &searcher{nodes: []node{{}}}
	for _, text := range texts {
		if len(text) > maxSearched {
			s.long = append(s.long, text)
			continue
		}
		at := int32(0)
		for i := range len(text) {
			at = s.grow(at, text[i])
		}
		s.nodes[at].length = int32(len(text)) /* #nosec G115 -- at most maxSearched */
	}
	slices.SortFunc(s.long, func(a, b string) int { return len(b) - len(a) })
	s.link()
	return s
}

// grow returns the child of a node, and creates it if necessary.
func (s *searcher) grow(at int32, char byte) int32 {
	if child := s.child(at, char); child != 0 {
		return child
	}
	made := int32(len(s.nodes)) /* #nosec G115 -- requests are far below 2 GiB */
	s.nodes = append(s.nodes, node{char: char, next: s.nodes[at].child})
	s.nodes[at].child = made
	return made
}

// child returns the child of a node, or 0.
func (s *searcher) child(at int32, char byte) int32 {
	for child := s.nodes[at].child; child != 0; child = s.nodes[child].next {
		if s.nodes[child].char == char {
			return child
		}
	}
	return 0
}

// link sets fail and length, from the short prefixes to the long ones.
func (s *searcher) link() {
	queue := make([]int32, 0, len(s.nodes))
	for child := s.nodes[0].child; child != 0; child = s.nodes[child].next {
		queue = append(queue, child)
	}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		for child := s.nodes[at].child; child != 0; child = s.nodes[child].next {
			n := &s.nodes[child]
			n.fail = s.step(s.nodes[at].fail, n.char)
			if n.length == 0 {
				n.length = s.nodes[n.fail].length
			}
			queue = append(queue, child)
		}
	}
}

// step advances by one byte.
func (s *searcher) step(at int32, char byte) int32 {
	for {
		if child := s.child(at, char); child != 0 {
			return child
		}
		if at == 0 {
			return 0
		}
		at = s.nodes[at].fail
	}
}

// mask replaces every found text by ***, and overlapping ones by a single ***.
func (s *searcher) mask(text string) string {
	for _, long := range s.long {
		text = strings.ReplaceAll(text, long, masked)
	}
	type span struct{ from, to int }
	var found []span
	at := int32(0)
	for i := range len(text) {
		at = s.step(at, text[i])
		length := int(s.nodes[at].length)
		if length == 0 {
			continue
		}
		hit := span{i + 1 - length, i + 1}
		for len(found) > 0 && found[len(found)-1].to > hit.from {
			hit.from = min(hit.from, found[len(found)-1].from)
			found = found[:len(found)-1]
		}
		found = append(found, hit)
	}
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for _, hit := range found {
		b.WriteString(text[from:hit.from])
		b.WriteString(masked)
		from = hit.to
	}
	b.WriteString(text[from:])
	return b.String()
}
