package serving

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// statusChunk is the number of servings in one request. The server has no limit
// of its own; one response stays well below a megabyte.
const statusChunk = 200

// statusRequests is the number of concurrent requests: decoding a response takes
// longer than Kuscia takes to send it.
const statusRequests = 4

// newStatusDataSource returns the data source kuscia_serving_status.
func newStatusDataSource() datasource.DataSource {
	return &statusDataSource{crud.NewBaseDataSource("serving_status", statusSchema)}
}

var _ datasource.DataSourceWithConfigure = (*statusDataSource)(nil)

type statusDataSource struct{ crud.BaseDataSource }

// shownStatus are the attributes.
var shownStatus = definition.New(definition.Schema{Attributes: []definition.Attribute{
	{Name: "serving_ids", Type: definition.StringList, Presence: definition.Required},
	{Name: "servings", Type: definition.ObjectMap, Presence: definition.Computed, Attributes: statusAttributes, Description: "Status of each serving that exists, by serving_id."},
	{Name: "missing_serving_ids", Type: definition.StringList, Presence: definition.Computed, Description: "The IDs that Kuscia does not know, sorted."},
	{Name: "all_available", Type: definition.Bool, Presence: definition.Computed, Description: "Whether every serving exists and is `Available`."},
}})

func statusSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Status of many servings, read together. IDs that Kuscia does not know are in `missing_serving_ids`.",
		Attributes: shownStatus.DataSourceAttributes(map[string]schema.Attribute{
			"serving_ids": schema.ListAttribute{
				MarkdownDescription: "IDs of the servings. With an empty list no request is sent: there are no servings, none is missing, and `all_available` is true.",
				Required:            true,
				ElementType:         types.StringType,
				Validators:          []validator.List{servingIDsValidator{}},
			},
		}),
	}
}

// Read reads the status of the servings.
func (d *statusDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config, _ := definition.Read(req.Config.Raw, definition.Value{})
	ids := config.Strings("serving_ids")
	if !d.Run.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	all, err := statusesFor(ctx, d.Run.Kuscia, ids)
	if err != nil {
		message.AddError(&resp.Diagnostics, "Unable to read serving status", err)
		return
	}
	resp.State.Raw = shownStatus.Encode(all.tree(ids))
}

// statuses are those of the requested servings.
type statuses struct {
	found   map[string]*kuscia.ServingStatusDetail
	missing []string // sorted
}

// tree is the state of the data source.
func (s statuses) tree(ids []string) definition.Tree {
	servings := definition.Tree{}
	for id, status := range s.found {
		servings[id] = statusTree(status)
	}
	return definition.Tree{"serving_ids": append([]string{}, ids...), "servings": servings, "missing_serving_ids": s.missing, "all_available": s.available()}
}

func (s statuses) available() bool {
	for _, status := range s.found {
		if status == nil || status.State != kuscia.StateAvailable {
			return false
		}
	}
	return len(s.missing) == 0
}

// statusesFor queries the status of servings.
func statusesFor(ctx context.Context, api statusSource, ids []string) (statuses, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	responses, err := batchStatus(ctx, api, ids)
	if err != nil {
		return statuses{}, err
	}
	s := statuses{found: make(map[string]*kuscia.ServingStatusDetail, len(responses)), missing: []string{}}
	for _, response := range responses {
		s.found[response.ServingID] = response.Status
	}
	for _, id := range ids {
		if _, ok := s.found[id]; !ok {
			s.missing = append(s.missing, id)
		}
	}
	return s, nil
}

// statusSource is the part of the client that batchStatus uses.
type statusSource interface {
	BatchQueryServingStatus(ctx context.Context, ids []string) ([]kuscia.ServingStatus, error)
}

// batchStatus queries in chunks. A chunk that fails is queried again id by id,
// so that the error names the id; servers up to v0.10 fail a whole chunk for one
// unknown id, which then counts as missing.
func batchStatus(ctx context.Context, api statusSource, ids []string) ([]kuscia.ServingStatus, error) {
	chunks := slices.Collect(slices.Chunk(ids, statusChunk))
	responses := make([][]kuscia.ServingStatus, len(chunks))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(statusRequests)
	for i, chunk := range chunks {
		group.Go(func() error {
			statuses, err := api.BatchQueryServingStatus(ctx, chunk)
			if err != nil {
				statuses, err = singleStatuses(ctx, api, chunk, err)
			}
			responses[i] = statuses
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(responses...), nil
}

func singleStatuses(ctx context.Context, api statusSource, ids []string, cause error) (all []kuscia.ServingStatus, err error) {
	var answered *kuscia.Error
	if !errors.As(cause, &answered) || answered.Code == "" || errors.Is(cause, kuscia.ErrUnavailable) || ctx.Err() != nil {
		return nil, cause
	}
	for _, id := range ids {
		statuses, err := api.BatchQueryServingStatus(ctx, []string{id})
		switch {
		case errors.Is(err, kuscia.ErrNotFound):
		case err != nil:
			return nil, fmt.Errorf("serving %s: %w", id, err)
		default:
			all = append(all, statuses...)
		}
	}
	return all, nil
}

// servingIDsValidator rejects null and empty elements.
type servingIDsValidator struct{}

func (servingIDsValidator) Description(context.Context) string {
	return "elements must not be null or empty"
}

func (v servingIDsValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

func (servingIDsValidator) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	for i, element := range req.ConfigValue.Elements() {
		id, ok := element.(types.String)
		if !ok || id.IsUnknown() || id.ValueString() != "" {
			continue
		}
		is := "an empty string"
		if id.IsNull() {
			is = "null"
		}
		at := req.Path.AtListIndex(i)
		resp.Diagnostics.AddAttributeError(at, "Element without a serving_id", fmt.Sprintf(
			"%s is %s. Every element must be the serving_id of a serving; remove this one, for example with compact(...).", at, is))
	}
}
