package httpapi

import (
	"errors"
	"fmt"
	"time"
)

// The limits of a whole list, over all its pages. Lists of thousands of real objects stay
// below a third of them.
const (
	MaxListItems    = 50_000
	maxListSize     = 4 * MaxResponseSize
	maxListElements = 6 * maxElements
	maxListMembers  = 6 * maxMembers
	// maxListTime is from the first page on. Each page may take as long as any other request.
	maxListTime = 5 * time.Minute
)

// The errors of Pages.
var (
	ErrListTooLarge = errors.New("the list is larger than any real one")
	ErrListTooSlow  = errors.New("the list takes longer than any real one")
)

// Pages bounds what a server returns for a list, page by page. The zero Pages is a new list.
type Pages struct {
	items, size, elements, members int
	// began is when the first page came.
	began time.Time
}

// Again is for a list that is read from its first page again, in the same time.
func (p *Pages) Again() { *p = Pages{began: p.began} }

// Add adds a page with items, of at most limit that were asked for.
func (p *Pages) Add(page Document, items, limit int) error {
	if items > limit {
		return fmt.Errorf("%w: a page has %d items, and at most %d were asked for", ErrListTooLarge, items, limit)
	}
	p.items, p.size = p.items+items, p.size+len(page.text)
	p.elements, p.members = p.elements+page.elements, p.members+page.members
	if p.began.IsZero() {
		p.began = time.Now()
	}
	switch {
	case time.Since(p.began) > maxListTime:
		return fmt.Errorf("%w: it is not complete after %s", ErrListTooSlow, maxListTime)
	case p.items > MaxListItems:
		return fmt.Errorf("%w: it has more than %d items", ErrListTooLarge, MaxListItems)
	case p.size > maxListSize:
		return fmt.Errorf("%w: its pages have more than %d MiB", ErrListTooLarge, maxListSize>>20)
	case p.elements > maxListElements || p.members > maxListMembers:
		return fmt.Errorf("%w: its items have too many parts", ErrListTooLarge)
	}
	return nil
}
