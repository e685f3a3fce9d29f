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

func TestFind_everything(t *testing.T) {
	stale := &kuscia.Error{Code: "13107", Message: "the provided continue parameter is too old"}
	tests := map[string]struct {
		answers []any
		want    []string
		tokens  []string
		fails   bool
	}{
		"one page":                {[]any{page("", "a", "b")}, []string{"a", "b"}, []string{""}, false},
		"none":                    {[]any{page("")}, nil, []string{""}, false},
		"three pages, sorted":     {[]any{page("1", "c"), page("2", "b"), page("", "a")}, []string{"a", "b", "c"}, []string{"", "1", "2"}, false},
		"token refused":           {[]any{page("1", "a"), stale, page("2", "a"), page("", "b")}, []string{"a", "b"}, []string{"", "1", "", "2"}, false},
		"token refused twice":     {[]any{page("1", "a"), stale, page("2", "a"), stale}, nil, []string{"", "1", "", "2"}, true},
		"first page refused":      {[]any{stale}, nil, []string{""}, true},
		"other error":             {[]any{page("1", "a"), errors.New("gone")}, nil, []string{"", "1"}, true},
		"no names, new tokens":    {[]any{page("1"), page("2"), page("3")}, nil, []string{""}, true},
		"no new names":            {[]any{page("1", "a", "b"), page("2", "b"), page("3", "a")}, nil, []string{"", "1"}, true},
		"the same token for ever": {[]any{page("1", "a"), page("1", "b"), page("1", "c")}, nil, []string{"", "1"}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := &pages{answers: test.answers}
			images, err := find(context.Background(), p, search{})
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
			if fmt.Sprint(p.tokens) != fmt.Sprint(test.tokens) {
				t.Errorf("page tokens %q, want %q", p.tokens, test.tokens)
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

// TestFind_limit: the number and size of pages do not exceed what the limit
// requires.
func TestFind_limit(t *testing.T) {
	even := filter{nameRegex: regexp.MustCompile("[02468]$")}
	tests := map[string]struct {
		search  search
		answers []any
		want    []string
		sizes   []int64
	}{
		"a server with larger pages": {search{limit: 2}, []any{page("more", "a", "b", "c")}, []string{"a", "b"}, []int64{2}},
		"a server with small pages":  {search{limit: 3}, []any{page("1", "a"), page("2", "b"), page("3", "c")}, []string{"a", "b", "c"}, []int64{3, 3, 3}},
		"many":                       {search{limit: 1000}, []any{page("", "a")}, []string{"a"}, []int64{maxPage}},
		"with a filter":              {search{even, 2}, []any{page("1", "a1", "a2", "a3"), page("2", "a4", "a5", "a6")}, []string{"a2", "a4"}, []int64{maxPage, maxPage}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := &pages{answers: test.answers}
			images, err := find(context.Background(), p, test.search)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, image := range images {
				got = append(got, image.Name)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			if !slices.Equal(p.sizes, test.sizes) {
				t.Errorf("page sizes %v, want %v", p.sizes, test.sizes)
			}
		})
	}
}
