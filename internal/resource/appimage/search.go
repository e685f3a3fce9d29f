package appimage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// pager lists app images page by page; *kuscia.Client implements it.
type pager interface {
	ListAppImages(ctx context.Context, pageSize int64, pageToken string) (*kuscia.AppImagePage, error)
}

// maxPage is the page size. Kuscia v1.1's default is 10.
const maxPage = 100

// search selects app images, and limits their number.
type search struct {
	filter filter
	// limit is the maximum number of app images; 0 for no limit.
	limit int64
}

// pageSize is the limit, if there is no filter. With a filter the number of app
// images to read is unknown.
func (s search) pageSize() int64 {
	if s.limit > 0 && s.filter.matchesAll() {
		return min(s.limit, maxPage)
	}
	return maxPage
}

// find reads as many pages as necessary and returns the app images sorted by
// name. A page token refers to a snapshot that the server drops after some
// minutes; the list then starts again once.
func find(ctx context.Context, api pager, s search) ([]kuscia.AppImage, error) {
	images, err := findPages(ctx, api, s)
	if errors.Is(err, errTokenRefused) {
		images, err = findPages(ctx, api, s)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(images, func(a, b kuscia.AppImage) int { return strings.Compare(a.Name, b.Name) })
	return images, nil
}

// errTokenRefused marks the error of a page other than the first.
var errTokenRefused = errors.New("page token was refused")

func findPages(ctx context.Context, api pager, s search) ([]kuscia.AppImage, error) {
	var images []kuscia.AppImage
	seen, names := map[string]bool{}, map[string]bool{}
	var bounds httpapi.Pages
	for token := ""; ; {
		page, err := api.ListAppImages(ctx, s.pageSize(), token)
		if token != "" && kuscia.CodeOf(err) == kuscia.CodeListAppImages {
			return nil, fmt.Errorf("%w: %w", errTokenRefused, err)
		}
		if err != nil {
			return nil, err
		}
		if err := bounds.Add(page.Page, len(page.AppImages), len(page.AppImages)); err != nil {
			return nil, fmt.Errorf("after %d app images: %w", len(names), err)
		}
		known := len(names)
		for i := range page.AppImages {
			names[page.AppImages[i].Name] = true
			if !s.filter.matches(&page.AppImages[i]) {
				continue
			}
			images = append(images, page.AppImages[i])
			if s.limit > 0 && int64(len(images)) == s.limit {
				return images, nil
			}
		}
		token = page.NextPageToken
		if token == "" {
			return images, nil
		}
		switch {
		case seen[token]:
			return nil, fmt.Errorf("the server returned the same page token twice, after %d app images", len(names))
		case len(names) == known:
			return nil, fmt.Errorf("the server announces more pages and lists nothing new, after %d app images", known)
		}
		seen[token] = true
	}
}
