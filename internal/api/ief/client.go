package ief

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Client talks to the IEF of one project. It is safe for concurrent use.
type Client struct {
	api    *httpapi.Client
	config Config
}

// New returns a client. It does not call the service.
func New(config Config) (*Client, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	api, err := httpapi.New(httpapi.Config{
		Name: "IEF", Protocol: protocol{config: config, now: time.Now}, Endpoint: config.Endpoint,
		RequestTimeout: config.RequestTimeout, MaxRetries: config.MaxRetries, UserAgent: config.UserAgent,
		Secrets: config.secrets(), MaskField: maskField,
	})
	if err != nil {
		return nil, err
	}
	return &Client{api: api, config: config}, nil
}

// Server is the client of its server.
func (c *Client) Server() *httpapi.Client { return c.api }

// SetBackoff configures retries, for tests. Call it before the first request.
func (c *Client) SetBackoff(backoff httpapi.Backoff) { c.api.Backoff = backoff }

// ProjectID is the project of the deployments.
func (c *Client) ProjectID() string { return c.config.ProjectID }

// InstanceID is the default service instance.
func (c *Client) InstanceID() string { return c.config.InstanceID }

// Scope is the location of a deployment: the version of the API and the service
// instance, "" for the professional edition.
type Scope struct {
	Version    Version
	InstanceID string
}

// The operations.
var (
	opCreate = httpapi.Operation{Name: "create deployment", Method: http.MethodPost, Writes: true, Creates: true}
	opGet    = httpapi.Operation{Name: "get deployment", Method: http.MethodGet}
	opUpdate = httpapi.Operation{Name: "update deployment", Method: http.MethodPut, Writes: true}
	opDelete = httpapi.Operation{Name: "delete deployment", Method: http.MethodDelete, Writes: true}
	opList   = httpapi.Operation{Name: "list deployments", Method: http.MethodGet}
	opPods   = httpapi.Operation{Name: "list instances of deployment", Method: http.MethodGet}
)

// deployments is the path of the deployments.
const deployments = "deployments"

// call makes a call below the path of an API version.
func (c *Client) call(ctx context.Context, op httpapi.Operation, scope Scope, object, id string, query url.Values, body any, secrets ...string) (*httpapi.Response, error) {
	op.Path = "/" + string(scope.Version) + "/" + url.PathEscape(c.config.ProjectID) + "/edgemgr/" + object
	call := httpapi.Call{Operation: op, Query: canonicalQuery(query), Header: http.Header{"Content-Type": {"application/json"}}, Secrets: secrets}
	if id != "" {
		call.IDs = []string{id}
	}
	if scope.InstanceID != "" {
		call.Header.Set(HeaderInstance, scope.InstanceID)
	}
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("%s: encode the request: %w", op.Name, err)
		}
		call.Body = encoded
	}
	return c.api.Do(ctx, call)
}

// deploymentPath is the path of a deployment.
func deploymentPath(id string) string { return deployments + "/" + url.PathEscape(id) }

// Create creates a deployment. It is repeated only if the failed attempt
// certainly had no effect; otherwise apierror.OutcomeUnknown is true for the
// error.
func (c *Client) Create(ctx context.Context, scope Scope, r *CreateRequest) (*Deployment, error) {
	var body any = r
	if scope.Version == V2 {
		body = toV2Create(r)
	}
	response, err := c.call(ctx, opCreate, scope, deployments, r.Name, nil, body, envValues(&r.Deployment.Template)...)
	if err != nil {
		return nil, err
	}
	return c.decode(scope, response, func(d *Deployment) error {
		if d.ID == "" {
			return errors.New("the response has no ID")
		}
		return nil
	})
}

// Get returns a deployment.
func (c *Client) Get(ctx context.Context, scope Scope, id string) (*Deployment, error) {
	response, err := c.call(ctx, opGet, scope, deploymentPath(id), id, nil, nil)
	if err != nil {
		return nil, err
	}
	return c.decode(scope, response, func(d *Deployment) error {
		if d.ID != id {
			return errors.New("the response is for another deployment")
		}
		return nil
	})
}

// Update changes a deployment.
func (c *Client) Update(ctx context.Context, scope Scope, id string, r *UpdateRequest) error {
	var body any = r
	if scope.Version == V2 {
		body = toV2Update(r)
	}
	var secrets []string
	if r.Deployment != nil {
		secrets = envValues(&r.Deployment.Template)
	}
	_, err := c.call(ctx, opUpdate, scope, deploymentPath(id), id, nil, body, secrets...)
	return err
}

// Delete deletes a deployment. Unless force is set, IEF waits until the edge
// node has removed its instances, which an offline node never does.
func (c *Client) Delete(ctx context.Context, scope Scope, id string, force bool) error {
	query := url.Values{}
	if force {
		query.Set("force_delete", "true")
	}
	_, err := c.call(ctx, opDelete, scope, deploymentPath(id), id, query, nil)
	return err
}

// PageSize is the maximum size of a page.
const PageSize = 100

// maxPages limits a list with endless pages.
const maxPages = 1000

// List returns the deployments that match a filter, at most limit if that is
// above 0.
func (c *Client) List(ctx context.Context, scope Scope, filter Filter, limit int) ([]Deployment, error) {
	var all []Deployment
	err := c.pages(func(offset int) (*httpapi.Response, int, error) {
		response, err := c.call(ctx, opList, scope, deployments, filter.Name, filter.query(scope.Version, offset), nil)
		if err != nil {
			return nil, 0, err
		}
		page, err := c.decodePage(scope, response)
		all = append(all, page...)
		if limit > 0 && len(all) >= limit {
			all = all[:limit]
			return nil, 0, err
		}
		return response, len(page), err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// pages requests page after page until one is not full, or there is no response. It does
// not need a total count, which is not documented for all lists.
func (c *Client) pages(page func(offset int) (response *httpapi.Response, items int, err error)) error {
	var bounds httpapi.Pages
	for n := range maxPages {
		response, got, err := page(n * PageSize)
		if err != nil || response == nil {
			return err
		}
		if err := bounds.Add(response.Data, got, PageSize); err != nil {
			return response.Unexpected(err)
		}
		if got < PageSize {
			return nil
		}
	}
	return fmt.Errorf("the list did not end after %d pages", maxPages)
}

func (f Filter) query(version Version, offset int) url.Values {
	query := url.Values{"limit": {strconv.Itoa(PageSize)}, "offset": {strconv.Itoa(offset)}}
	for name, value := range map[string]string{"name": f.Name, "node_id": f.NodeID, "group_id": f.GroupID} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if version == V2 && len(f.Tags) > 0 {
		text := ""
		for _, key := range sortedKeys(f.Tags) {
			text += "," + key + "." + f.Tags[key]
		}
		query.Set("tags", text[1:])
	}
	if version == V3 {
		// Sort new deployments last, so that pages are stable while they are
		// read.
		query.Set("sort", "created_at:asc")
	}
	return query
}

// Pods returns the instances of a deployment. v2 returns them with the
// deployment.
func (c *Client) Pods(ctx context.Context, scope Scope, deploymentID string) ([]Pod, error) {
	if scope.Version == V2 {
		d, err := c.Get(ctx, scope, deploymentID)
		if err != nil {
			return nil, err
		}
		return d.Instances, nil
	}
	var all []Pod
	err := c.pages(func(offset int) (*httpapi.Response, int, error) {
		query := url.Values{"deployment_id": {deploymentID}, "limit": {strconv.Itoa(PageSize)}, "offset": {strconv.Itoa(offset)}}
		response, err := c.call(ctx, opPods, scope, "pods", deploymentID, query, nil)
		if err != nil {
			return nil, 0, err
		}
		var page struct {
			Pods []Pod `json:"pods"`
		}
		if err := response.Data.Decode(&page); err != nil {
			return nil, 0, response.Unexpected(err)
		}
		all = append(all, page.Pods...)
		return response, len(page.Pods), nil
	})
	if err != nil {
		return nil, err
	}
	c.maskPods(ctx, all)
	return all, nil
}

// decode decodes and checks a deployment.
func (c *Client) decode(scope Scope, response *httpapi.Response, check func(*Deployment) error) (*Deployment, error) {
	d := &Deployment{}
	var err error
	if scope.Version == V2 {
		var v2 struct {
			Deployment v2Deployment `json:"deployment"`
		}
		if err = response.Data.Decode(&v2); err == nil {
			err = boundInstances(v2.Deployment.Instances)
		}
		if err == nil {
			d = fromV2(&v2.Deployment)
		}
	} else {
		err = response.Data.Decode(d)
	}
	if err == nil {
		err = check(d)
	}
	if err != nil {
		return nil, response.Unexpected(err)
	}
	c.maskPods(context.Background(), d.Instances)
	return d, nil
}

func (c *Client) decodePage(scope Scope, response *httpapi.Response) ([]Deployment, error) {
	if scope.Version == V3 {
		var page struct {
			Deployments []Deployment `json:"deployments"`
		}
		if err := response.Data.Decode(&page); err != nil {
			return nil, response.Unexpected(err)
		}
		return page.Deployments, nil
	}
	var page struct {
		Deployments []v2Deployment `json:"deployments"`
	}
	if err := response.Data.Decode(&page); err != nil {
		return nil, response.Unexpected(err)
	}
	if len(page.Deployments) > PageSize {
		page.Deployments = page.Deployments[:PageSize+1] // refused, see httpapi.Pages
	}
	out := make([]Deployment, len(page.Deployments))
	for i := range page.Deployments {
		if err := boundInstances(page.Deployments[i].Instances); err != nil {
			return nil, response.Unexpected(err)
		}
		out[i] = *fromV2(&page.Deployments[i])
		c.maskPods(context.Background(), out[i].Instances)
	}
	return out, nil
}

// boundInstances refuses more instances of one deployment of v2 than there are nodes in a
// group.
func boundInstances(instances []v2Instance) error {
	const most = 5000
	if len(instances) > most {
		return fmt.Errorf("a deployment has %d instances, more than %d", len(instances), most)
	}
	return nil
}

// maskPods masks and bounds the texts of instances. An edge node writes them, and
// they may contain the values of environment variables.
func (c *Client) maskPods(ctx context.Context, pods []Pod) {
	for i := range pods {
		p := &pods[i]
		template := Template{}
		for _, containers := range [][]PodContainer{p.InitContainers, p.Containers} {
			for _, container := range containers {
				template.Containers = append(template.Containers, container.Container)
			}
		}
		mask := c.api.Masker(ctx).With(envValues(&template)...)
		p.State, p.Reason, p.Message = mask.Text(p.State), mask.Text(p.Reason), mask.Text(p.Message)
		for _, containers := range [][]PodContainer{p.InitContainers, p.Containers} {
			for j := range containers {
				container := &containers[j]
				container.State, container.Reason, container.Message = mask.Text(container.State), mask.Text(container.Reason), mask.Text(container.Message)
			}
		}
	}
}

// envValues are the values of all environment variables in a template.
func envValues(t *Template) []string {
	var values []string
	for _, containers := range [][]Container{t.InitContainers, t.Containers} {
		for _, container := range containers {
			for _, env := range container.Envs {
				if env.Value != nil {
					values = append(values, *env.Value)
				}
			}
		}
	}
	return values
}
