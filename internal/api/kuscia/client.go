package kuscia

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Client calls one KusciaAPI. It is safe for use by several goroutines.
type Client struct {
	api    *httpapi.Client
	config Config

	// versionLock holds one element while a version request is under way.
	versionLock chan struct{}
	version     *Version
}

// CreateServing creates a serving. It returns when the server has accepted it,
// before anything runs.
func (c *Client) CreateServing(ctx context.Context, request *CreateServingRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opCreateServing, []string{request.ServingID}, &body, request.ServingInputConfig)
	return err
}

// QueryServing returns a serving, or an error that is ErrNotFound, or
// ErrAppImageMissing for a serving that exists and cannot be shown.
func (c *Client) QueryServing(ctx context.Context, id string) (*Serving, error) {
	var out Serving
	if err := c.read(ctx, opQueryServing, []string{id}, &servingIDRequest{Header: c.header(nil), ServingID: id}, &out, func() error {
		if out.Parties == nil {
			return fmt.Errorf("the answer has no parties")
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// UpdateServing merges the request into the stored serving. A request without
// parties and configuration succeeds without being looked at, also for an id
// that does not exist (Kuscia v1.1).
func (c *Client) UpdateServing(ctx context.Context, request *UpdateServingRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opUpdateServing, []string{request.ServingID}, &body, request.ServingInputConfig)
	return err
}

// DeleteServing deletes a serving. ErrNotFound says that there is none, which
// is also the answer when an earlier try did it and its answer was lost.
func (c *Client) DeleteServing(ctx context.Context, id string) error {
	_, err := c.do(ctx, opDeleteServing, []string{id}, &servingIDRequest{Header: c.header(nil), ServingID: id})
	return err
}

// BatchQueryServingStatus returns the status of the servings in one request.
// Ids that do not exist are left out of the answer; servers up to v0.10 fail
// the whole request instead.
func (c *Client) BatchQueryServingStatus(ctx context.Context, ids []string) ([]ServingStatus, error) {
	var out struct {
		Servings []ServingStatus `json:"servings"`
	}
	if err := c.read(ctx, opServingStatus, ids, &servingIDsRequest{Header: c.header(nil), ServingIDs: ids}, &out, func() error {
		if out.Servings == nil {
			return fmt.Errorf("the answer has no list of servings")
		}
		for _, serving := range out.Servings {
			if serving.ServingID == "" {
				return fmt.Errorf("the answer has a serving without serving_id")
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return out.Servings, nil
}

// CreateAppImage creates an app image (since Kuscia v0.13).
func (c *Client) CreateAppImage(ctx context.Context, image *AppImage) error {
	body := *image
	body.Header = c.header(image.Header)
	_, err := c.do(ctx, opCreateAppImage, []string{image.Name}, &body)
	return err
}

// QueryAppImage returns an app image, or an error that is ErrNotFound.
func (c *Client) QueryAppImage(ctx context.Context, name string) (*AppImage, error) {
	var out AppImage
	if err := c.read(ctx, opQueryAppImage, []string{name}, &appImageNameRequest{Header: c.header(nil), Name: name}, &out, func() error {
		if out.Name != name {
			return fmt.Errorf("the answer is about the app image %q", out.Name)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// UpdateAppImage replaces the parts of an app image that the request holds.
func (c *Client) UpdateAppImage(ctx context.Context, request *UpdateAppImageRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opUpdateAppImage, []string{request.Name}, &body)
	return err
}

// DeleteAppImage deletes an app image, also one in use. ErrNotFound says that
// there is none, as DeleteServing does.
func (c *Client) DeleteAppImage(ctx context.Context, name string) error {
	_, err := c.do(ctx, opDeleteAppImage, []string{name}, &appImageNameRequest{Header: c.header(nil), Name: name})
	return err
}

// BatchQueryAppImages returns the app images in the order of the names. It
// fails as a whole, with ErrNotFound, when one does not exist.
func (c *Client) BatchQueryAppImages(ctx context.Context, names []string) ([]AppImage, error) {
	var out []AppImage
	if err := c.read(ctx, opBatchAppImages, names, &appImageNamesRequest{Header: c.header(nil), Names: names}, &out, func() error {
		if len(out) != len(names) {
			return fmt.Errorf("the answer has %d app images for %d names", len(out), len(names))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return out, nil
}

// ListAppImages returns one page of all app images by name (since Kuscia
// v1.0). A page size of 0 stands for the server's 10; pageToken is empty for
// the first page.
func (c *Client) ListAppImages(ctx context.Context, pageSize int64, pageToken string) (*AppImagePage, error) {
	var out AppImagePage
	request := &listAppImagesRequest{Header: c.header(nil), PageSize: pageSize, PageToken: pageToken}
	if err := c.read(ctx, opListAppImages, nil, request, &out, func() error {
		if out.AppImages == nil {
			return fmt.Errorf("the answer has no list of app images")
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// Health asks whether the KusciaAPI is ready. It needs the token.
func (c *Client) Health(ctx context.Context) error {
	var out struct {
		Ready *bool `json:"ready"`
	}
	return c.read(ctx, opHealth, nil, &struct{}{}, &out, func() error {
		if out.Ready == nil || !*out.Ready {
			return fmt.Errorf("the server says that it is not ready")
		}
		return nil
	})
}

// read makes a call whose data are due, decodes and checks them.
func (c *Client) read(ctx context.Context, op operation, ids []string, request, into any, check func() error) error {
	answer, err := c.do(ctx, op, ids, request)
	if err != nil {
		return err
	}
	if err = httpapi.DecodeData(answer.Data, into); err == nil {
		err = check()
	}
	if err != nil {
		return answer.Unexpected(err)
	}
	return nil
}

// header merges the configured custom headers under those of the request.
func (c *Client) header(own *RequestHeader) *RequestHeader {
	if len(c.config.CustomHeaders) == 0 {
		return own
	}
	merged := maps.Clone(c.config.CustomHeaders)
	if own != nil {
		maps.Copy(merged, own.CustomHeaders)
	}
	return &RequestHeader{CustomHeaders: merged}
}

// do makes one call with its repetitions. config is the serving configuration
// in the request, if any, which is kept out of errors and logs.
func (c *Client) do(ctx context.Context, op operation, ids []string, request any, config ...string) (*httpapi.Answer, error) {
	call := httpapi.Call{Operation: op, IDs: ids, Secrets: config}
	if request != nil {
		body, err := json.Marshal(request)
		if err != nil {
			return nil, fmt.Errorf("%s: encode the request: %w", op.Name, err)
		}
		call.Body = body
	}
	return c.api.Do(ctx, call)
}

type servingIDRequest struct {
	Header    *RequestHeader `json:"header,omitempty"`
	ServingID string         `json:"serving_id"`
}

type servingIDsRequest struct {
	Header     *RequestHeader `json:"header,omitempty"`
	ServingIDs []string       `json:"serving_ids"`
}

type appImageNameRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	Name   string         `json:"name"`
}

type appImageNamesRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	Names  []string       `json:"names"`
}

type listAppImagesRequest struct {
	Header    *RequestHeader `json:"header,omitempty"`
	PageSize  int64          `json:"page_size,omitempty"`
	PageToken string         `json:"page_token,omitempty"`
}
