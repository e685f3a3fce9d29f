package appimage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/kusciaapi"
)

// pages is a pager that answers from a script: per call a page or an error.
type pages struct {
	answers []any
	tokens  []string
}

func (p *pages) ListAppImages(_ context.Context, _ int64, token string) (*kusciaapi.AppImagePage, error) {
	p.tokens = append(p.tokens, token)
	if len(p.answers) == 0 {
		return nil, errors.New("more calls than answers")
	}
	answer := p.answers[0]
	p.answers = p.answers[1:]
	if err, ok := answer.(error); ok {
		return nil, err
	}
	return answer.(*kusciaapi.AppImagePage), nil
}

func page(next string, names ...string) *kusciaapi.AppImagePage {
	p := &kusciaapi.AppImagePage{NextPageToken: next}
	for _, name := range names {
		p.AppImages = append(p.AppImages, kusciaapi.AppImage{Name: name})
	}
	return p
}

func TestAllAppImages(t *testing.T) {
	stale := &kusciaapi.Error{Code: kusciaapi.CodeListAppImages, Message: "the provided continue parameter is too old"}
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
		"the same token for ever": {[]any{page("1", "a"), page("1", "b"), page("1", "c")}, nil, []string{"", "1"}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := &pages{answers: test.answers}
			images, err := allAppImages(context.Background(), p)
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
				t.Errorf("asked with %q, want %q", p.tokens, test.tokens)
			}
		})
	}
}
