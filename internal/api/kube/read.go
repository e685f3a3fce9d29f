package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Get returns an object; namespace is "" for cluster-scoped kinds. The error is
// apierror.ErrNotFound if it does not exist, and apierror.ErrUnsupported if the
// cluster does not serve the kind.
func (c *Client) Get(ctx context.Context, kind Kind, namespace, name string) (*unstructured.Unstructured, error) {
	if name == "" {
		return nil, errors.New("get " + kind.String() + ": the name is empty")
	}
	response, err := c.call(ctx, httpapi.Call{
		Operation: httpapi.Operation{Name: "get " + kind.String(), Method: http.MethodGet, Path: kind.path(namespace, name, "")},
		IDs:       id(namespace, name),
	}, nil)
	if err != nil {
		return nil, err
	}
	return object(response, kind, namespace, name)
}

// ListOptions select the objects of a list.
type ListOptions struct {
	// Namespace is "" for all namespaces.
	Namespace string
	// LabelSelector has the syntax of kubectl.
	LabelSelector string
	// PageSize is the number of objects per request; 0 means DefaultPageSize.
	PageSize int
}

// DefaultPageSize is that of kubectl.
const DefaultPageSize = 500

const (
	// maxPages limits a list with endless pages.
	maxPages = 1000
	// maxRestarts is how often a list restarts after its continue token has
	// expired.
	maxRestarts = 3
	// smallestPage is the size below which pages are not reduced any further.
	smallestPage = 50
)

// List returns the objects of a kind, page by page. If any page fails, it
// returns an error and no partial list.
func (c *Client) List(ctx context.Context, kind Kind, options ListOptions) (*unstructured.UnstructuredList, error) {
	all := &unstructured.UnstructuredList{}
	err := c.pages(ctx, kind, options, func(first bool, page httpapi.Document) (items int, next string, err error) {
		if first {
			all = &unstructured.UnstructuredList{}
		}
		found := &unstructured.UnstructuredList{}
		if err := page.Decode(found); err != nil || found.GetKind() != kind.Kind+"List" {
			return 0, "", errNotAList
		}
		all.Items = append(all.Items, found.Items...)
		all.Object = found.Object
		return len(found.Items), found.GetContinue(), nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// ListAs is List decoded into a type. It is much faster if the type has few
// fields.
func ListAs[T any](ctx context.Context, c *Client, kind Kind, options ListOptions) ([]T, error) {
	var all []T
	err := c.pages(ctx, kind, options, func(first bool, page httpapi.Document) (items int, next string, err error) {
		if first {
			all = nil
		}
		var found struct {
			Kind     string `json:"kind"`
			Metadata struct {
				Continue string `json:"continue"`
			} `json:"metadata"`
			Items []T `json:"items"`
		}
		if err := page.Decode(&found); err != nil || found.Kind != kind.Kind+"List" {
			return 0, "", errNotAList
		}
		all = append(all, found.Items...)
		return len(found.Items), found.Metadata.Continue, nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

var errNotAList = errors.New("not a list")

// pages reads page after page with read, first being set for the first one. If a continue
// token has expired, it starts again.
func (c *Client) pages(ctx context.Context, kind Kind, options ListOptions, read func(first bool, page httpapi.Document) (items int, next string, err error)) error {
	size := options.PageSize
	if size <= 0 {
		size = DefaultPageSize
	}
	token, restarts := "", 0
	var bounds httpapi.Pages
	for range maxPages {
		response, err := c.page(ctx, kind, options, size, token)
		switch {
		case errors.Is(err, errExpired) && restarts < maxRestarts:
			token = ""
			bounds.Again()
			restarts++
			continue
		case tooLarge(err) && size > smallestPage:
			size = max(smallestPage, size/4)
			continue
		case err != nil:
			return err
		}
		items, next, err := read(token == "", response.Data)
		if err != nil {
			return response.Unexpected(errors.New("the response is not a list of " + kind.String()))
		}
		if err := bounds.Add(response.Data, items, size); err != nil {
			return response.Unexpected(err)
		}
		if token = next; token == "" {
			return nil
		}
	}
	return fmt.Errorf("list %s: the list did not end after %d pages", kind, maxPages)
}

// tooLarge reports whether a smaller page might succeed.
func tooLarge(err error) bool {
	var failed *apierror.Error
	return errors.As(err, &failed) && (failed.Cause == httpapi.CauseResponseTooLarge || failed.Cause == httpapi.CauseMalformedResponse)
}

func (c *Client) page(ctx context.Context, kind Kind, options ListOptions, size int, token string) (*httpapi.Response, error) {
	query := url.Values{"limit": {strconv.Itoa(size)}}
	if options.LabelSelector != "" {
		query.Set("labelSelector", options.LabelSelector)
	}
	if token != "" {
		query.Set("continue", token)
	}
	call := httpapi.Call{
		Operation: httpapi.Operation{Name: "list " + kind.String(), Method: http.MethodGet, Path: kind.path(options.Namespace, "", "")},
		Query:     query.Encode(),
	}
	if options.Namespace != "" {
		call.IDs = []string{options.Namespace}
	}
	return c.call(ctx, call, nil)
}

// Serves reports whether the cluster serves a kind in its version. A positive
// result is cached.
func (c *Client) Serves(ctx context.Context, kind Kind) (bool, error) {
	if _, known := c.served.Load(kind); known {
		return true, nil
	}
	select {
	case c.discovering <- struct{}{}:
		defer func() { <-c.discovering }()
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	if _, known := c.served.Load(kind); known {
		return true, nil
	}
	response, err := c.call(ctx, httpapi.Call{
		Operation: httpapi.Operation{Name: "discover " + kind.APIVersion(), Method: http.MethodGet, Path: kind.root()},
	}, nil)
	switch {
	case errors.Is(err, apierror.ErrUnsupported):
		return false, nil
	case err != nil:
		return false, err
	}
	var found struct {
		Resources []struct {
			Name       string `json:"name"`
			Namespaced bool   `json:"namespaced"`
		} `json:"resources"`
	}
	if err := response.Data.Decode(&found); err != nil {
		return false, response.Unexpected(err)
	}
	for _, resource := range found.Resources {
		if resource.Name == kind.Resource {
			c.served.Store(kind, resource.Namespaced)
			return true, nil
		}
	}
	return false, nil
}

// ServesWithoutNamespaces reports whether the cluster serves a kind whose objects belong to no
// namespace.
func (c *Client) ServesWithoutNamespaces(ctx context.Context, kind Kind) (bool, error) {
	if served, err := c.Serves(ctx, kind); err != nil || !served {
		return false, err
	}
	namespaced, _ := c.served.Load(kind)
	return namespaced == false, nil
}

// FirstServed returns the first of several kinds, such as versions of the same
// kind, that the cluster serves; ok is false if it serves none.
func (c *Client) FirstServed(ctx context.Context, kinds ...Kind) (kind Kind, ok bool, err error) {
	for kind := range slices.Values(kinds) {
		if served, err := c.Serves(ctx, kind); err != nil || served {
			return kind, served, err
		}
	}
	return Kind{}, false, nil
}
