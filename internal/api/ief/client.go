package ief

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Client talks to the IEF of one project. It is safe for concurrent use.
type Client struct {
	config   Config
	endpoint *url.URL
	http     *http.Client
	mask     masker
	pace     pace
	now      func() time.Time
}

// New returns a client.
func New(config Config) (*Client, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	endpoint, err := ParseEndpoint(config.Endpoint)
	if err != nil {
		return nil, err
	}
	if config.RequestTimeout <= 0 {
		config.RequestTimeout = 30 * time.Second
	}
	transport := config.Transport
	if transport == nil {
		// The default transport takes the proxy from the environment.
		standard, _ := http.DefaultTransport.(*http.Transport)
		transport = standard.Clone()
	}
	return &Client{
		config: config, endpoint: endpoint, mask: config.secrets(), pace: defaultPace, now: time.Now,
		http: &http.Client{
			Transport: transport,
			// A redirect would send credentials elsewhere, and break the signature.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// ProjectID is the project whose deployments the client manages.
func (c *Client) ProjectID() string { return c.config.ProjectID }

// InstanceID is the service instance used unless a call names another one.
func (c *Client) InstanceID() string { return c.config.InstanceID }

// Scope is where a deployment is: in which version of the API and in which
// service instance, "" for the professional edition.
type Scope struct {
	Version    Version
	InstanceID string
}

// path is that of the deployments, or of one of them.
func (c *Client) path(scope Scope, more ...string) []string {
	return append([]string{string(scope.Version), c.config.ProjectID, "edgemgr", "deployments"}, more...)
}

// Create creates a deployment. It is repeated only if it certainly did not
// happen; MayHaveHappened tells when that is not known.
func (c *Client) Create(ctx context.Context, scope Scope, r *CreateRequest) (*Deployment, error) {
	var body any = r
	if scope.Version == V2 {
		body = toV2Create(r)
	}
	answer, err := c.do(ctx, call{
		op: "create deployment", id: r.Name, method: http.MethodPost, path: c.path(scope), scope: scope, body: body,
		mask: c.mask.withValues(&r.Deployment.Template),
	})
	if err != nil {
		return nil, err
	}
	d, err := c.decode(scope, answer)
	if err == nil && d.ID == "" {
		err = answer.unexpected(fmt.Errorf("the answer has no id"))
	}
	return d, err
}

// Get returns a deployment.
func (c *Client) Get(ctx context.Context, scope Scope, id string) (*Deployment, error) {
	answer, err := c.do(ctx, call{op: "get deployment", id: id, method: http.MethodGet, path: c.path(scope, id), scope: scope, mask: c.mask})
	if err != nil {
		return nil, err
	}
	d, err := c.decode(scope, answer)
	if err == nil && d.ID != id {
		err = answer.unexpected(fmt.Errorf("the answer is about another deployment"))
	}
	return d, err
}

// Update changes a deployment.
func (c *Client) Update(ctx context.Context, scope Scope, id string, r *UpdateRequest) error {
	var body any = r
	if scope.Version == V2 {
		body = toV2Update(r)
	}
	mask := c.mask
	if r.Deployment != nil {
		mask = mask.withValues(&r.Deployment.Template)
	}
	answer, err := c.do(ctx, call{op: "update deployment", id: id, method: http.MethodPut, path: c.path(scope, id), scope: scope, body: body, mask: mask})
	if err != nil {
		return err
	}
	// v2 reports a failed upgrade in an answer of success.
	var result struct {
		Result string `json:"upgrade_ret"`
		Reason string `json:"reason"`
	}
	if json.Unmarshal(answer.body, &result) == nil && result.Result != "" && result.Result != "success" {
		return answer.fail(ErrInvalid, "the upgrade ended with "+result.Result+": "+result.Reason)
	}
	return nil
}

// Delete deletes a deployment. Unless forced, IEF waits until the edge node has
// removed its instances, which a node that is offline never does.
func (c *Client) Delete(ctx context.Context, scope Scope, id string, force bool) error {
	query := url.Values{}
	if force {
		query.Set("force_delete", "true")
	}
	_, err := c.do(ctx, call{op: "delete deployment", id: id, method: http.MethodDelete, path: c.path(scope, id), query: query, scope: scope, mask: c.mask})
	return err
}

// PageSize is the most that a page of a list may have.
const PageSize = 100

// maxPages bounds a list whose pages never end.
const maxPages = 10000

// List returns the deployments that match a filter, up to a limit if it is
// above 0.
func (c *Client) List(ctx context.Context, scope Scope, filter Filter, limit int) ([]Deployment, error) {
	var all []Deployment
	err := c.pages(func(offset int) (int, error) {
		answer, err := c.do(ctx, call{
			op: "list deployments", id: filter.Name, method: http.MethodGet, path: c.path(scope), scope: scope,
			query: filter.query(scope.Version, offset), mask: c.mask,
		})
		if err != nil {
			return 0, err
		}
		page, err := c.decodePage(scope, answer)
		all = append(all, page...)
		if limit > 0 && len(all) >= limit {
			all = all[:limit]
			return 0, err
		}
		return len(page), err
	})
	return all, err
}

// pages asks for page after page until one is not full. A count in the answer
// is not needed, and the documents do not have it everywhere.
func (c *Client) pages(page func(offset int) (int, error)) error {
	for n := range maxPages {
		got, err := page(n * PageSize)
		if err != nil || got < PageSize {
			return err
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
		// New deployments come last, so that pages do not move while they are read.
		query.Set("sort", "created_at:asc")
	}
	return query
}

// Pods returns the instances of a deployment. v2 has them in the deployment.
func (c *Client) Pods(ctx context.Context, scope Scope, deploymentID string) ([]Pod, error) {
	if scope.Version == V2 {
		d, err := c.Get(ctx, scope, deploymentID)
		if err != nil {
			return nil, err
		}
		return d.Instances, nil
	}
	var all []Pod
	err := c.pages(func(offset int) (int, error) {
		answer, err := c.do(ctx, call{
			op: "list instances of deployment", id: deploymentID, method: http.MethodGet, scope: scope, mask: c.mask,
			path:  []string{string(V3), c.config.ProjectID, "edgemgr", "pods"},
			query: url.Values{"deployment_id": {deploymentID}, "limit": {strconv.Itoa(PageSize)}, "offset": {strconv.Itoa(offset)}},
		})
		if err != nil {
			return 0, err
		}
		var page struct {
			Pods []Pod `json:"pods"`
		}
		err = answer.decode(&page)
		all = append(all, page.Pods...)
		return len(page.Pods), err
	})
	c.clean(all)
	return all, err
}

func (c *Client) decode(scope Scope, answer *answer) (*Deployment, error) {
	if scope.Version == V2 {
		var v2 struct {
			Deployment *v2Deployment `json:"deployment"`
		}
		if err := answer.decode(&v2); err != nil {
			return nil, err
		}
		if v2.Deployment == nil {
			return nil, answer.unexpected(fmt.Errorf("the answer has no deployment"))
		}
		d := fromV2(v2.Deployment)
		c.clean(d.Instances)
		return d, nil
	}
	var d Deployment
	if err := answer.decode(&d); err != nil {
		return nil, err
	}
	return &d, nil
}

func (c *Client) decodePage(scope Scope, answer *answer) ([]Deployment, error) {
	if scope.Version == V2 {
		var page struct {
			Deployments []v2Deployment `json:"deployments"`
		}
		if err := answer.decode(&page); err != nil {
			return nil, err
		}
		out := make([]Deployment, len(page.Deployments))
		for i := range page.Deployments {
			out[i] = *fromV2(&page.Deployments[i])
			c.clean(out[i].Instances)
		}
		return out, nil
	}
	var page struct {
		Deployments []Deployment `json:"deployments"`
	}
	err := answer.decode(&page)
	return page.Deployments, err
}

// clean masks and bounds the texts of instances, which an edge node writes.
func (c *Client) clean(pods []Pod) {
	for i := range pods {
		p := &pods[i]
		template := Template{}
		for _, container := range p.Containers {
			template.Containers = append(template.Containers, container.Container)
		}
		mask := c.mask.withValues(&template)
		p.State, p.Reason, p.Message = mask.text(p.State), mask.text(p.Reason), mask.text(p.Message)
		for j := range p.Containers {
			container := &p.Containers[j]
			container.State, container.Reason, container.Message = mask.text(container.State), mask.text(container.Reason), mask.text(container.Message)
		}
	}
}
