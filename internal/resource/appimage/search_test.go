package appimage

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// pages is a pager with scripted responses: a page or an error per call.
type pages struct {
	answers []any
	tokens  []string
	sizes   []int64
}

func (p *pages) ListAppImages(_ context.Context, size int64, token string) (*kuscia.AppImagePage, error) {
	p.tokens = append(p.tokens, token)
	p.sizes = append(p.sizes, size)
	if len(p.answers) == 0 {
		return nil, errors.New("more calls than answers")
	}
	response := p.answers[0]
	p.answers = p.answers[1:]
	if err, ok := response.(error); ok {
		return nil, err
	}
	return response.(*kuscia.AppImagePage), nil
}

func page(next string, names ...string) *kuscia.AppImagePage {
	p := &kuscia.AppImagePage{NextPageToken: next}
	for _, name := range names {
		p.AppImages = append(p.AppImages, kuscia.AppImage{Name: name})
	}
	return p
}

// TestFind: pages until the end or the limit, in the number and size that the limit requires; a
// list whose token is refused begins again, once.
func TestFind(t *testing.T) {
	stale := &kuscia.Error{Code: "13107", Message: "the provided continue parameter is too old"}
	even := filter{nameRegex: regexp.MustCompile("[02468]$")}
	tests := map[string]struct {
		search  search
		answers []any
		want    []string // nil: an error, or none
		tokens  []string
		size    int64
		fails   bool
	}{
		"none":                       {search{}, []any{page("")}, nil, []string{""}, maxPage, false},
		"three pages, sorted":        {search{}, []any{page("1", "c"), page("2", "b"), page("", "a")}, []string{"a", "b", "c"}, []string{"", "1", "2"}, maxPage, false},
		"token refused":              {search{}, []any{page("1", "a"), stale, page("2", "a"), page("", "b")}, []string{"a", "b"}, []string{"", "1", "", "2"}, maxPage, false},
		"token refused twice":        {search{}, []any{page("1", "a"), stale, page("2", "a"), stale}, nil, []string{"", "1", "", "2"}, maxPage, true},
		"first page refused":         {search{}, []any{stale}, nil, []string{""}, maxPage, true},
		"other error":                {search{}, []any{page("1", "a"), errors.New("gone")}, nil, []string{"", "1"}, maxPage, true},
		"no names, new tokens":       {search{}, []any{page("1"), page("2"), page("3")}, nil, []string{""}, maxPage, true},
		"no new names":               {search{}, []any{page("1", "a", "b"), page("2", "b"), page("3", "a")}, nil, []string{"", "1"}, maxPage, true},
		"the same token for ever":    {search{}, []any{page("1", "a"), page("1", "b"), page("1", "c")}, nil, []string{"", "1"}, maxPage, true},
		"a server with larger pages": {search{limit: 2}, []any{page("more", "a", "b", "c")}, []string{"a", "b"}, []string{""}, 2, false},
		"a server with small pages":  {search{limit: 3}, []any{page("1", "a"), page("2", "b"), page("3", "c")}, []string{"a", "b", "c"}, []string{"", "1", "2"}, 3, false},
		"many":                       {search{limit: 1000}, []any{page("", "a")}, []string{"a"}, []string{""}, maxPage, false},
		"with a filter":              {search{even, 2}, []any{page("1", "a1", "a2", "a3"), page("2", "a4", "a5", "a6")}, []string{"a2", "a4"}, []string{"", "1"}, maxPage, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := &pages{answers: test.answers}
			images, err := find(context.Background(), p, test.search)
			if (err != nil) != test.fails {
				t.Fatalf("error: %v", err)
			}
			var got []string
			for _, image := range images {
				got = append(got, image.Name)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			if !slices.Equal(p.tokens, test.tokens) || slices.ContainsFunc(p.sizes, func(size int64) bool { return size != test.size }) {
				t.Errorf("page tokens %q, want %q; sizes %v, want %d", p.tokens, test.tokens, p.sizes, test.size)
			}
		})
	}
}

// endless always returns one more page, with new names and a new token.
type endless struct{ calls int }

func (e *endless) ListAppImages(context.Context, int64, string) (*kuscia.AppImagePage, error) {
	e.calls++
	p := page(fmt.Sprint("token ", e.calls))
	for i := range maxPage {
		p.AppImages = append(p.AppImages, kuscia.AppImage{Name: fmt.Sprintf("image-%d-%d", e.calls, i)})
	}
	return p, nil
}

// A list ends with any response of the server.
func TestFind_endless(t *testing.T) {
	for name, s := range map[string]search{"everything": {}, "no match": {filter: filter{namePrefix: "none"}, limit: 1}} {
		server := &endless{}
		images, err := find(t.Context(), server, s)
		if err == nil || images != nil || server.calls != httpapi.MaxListItems/maxPage+1 {
			t.Errorf("%s: %d app images after %d pages: %v", name, len(images), server.calls, err)
		}
	}
}
