package apicalls

import (
	"context"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
)

// iefCalls are made with each credential.
func iefCalls() map[string]Call {
	calls := map[string]Call{}
	add := func(name string, config ief.Config, sent, known []string, call func(context.Context, *ief.Client) error) {
		calls["ief: "+name] = Call{API: "ief", Sent: sent, Known: known, Do: func(ctx context.Context, server Server) error {
			config := config
			config.Endpoint, config.ProjectID, config.RequestTimeout, config.MaxRetries = server.Address, "p", server.Timeout, server.MaxRetries
			client, err := ief.New(config)
			if err != nil {
				return err
			}
			client.SetBackoff(backoff)
			return call(ctx, client)
		}}
	}
	v2, v3 := ief.Scope{Version: ief.V2}, ief.Scope{Version: ief.V3}
	get := func(ctx context.Context, c *ief.Client) error { return only(c.Get(ctx, v3, "d")) }
	access, secret, token, security := Secret("access"), Secret("secret"), Secret("token"), Secret("security")
	add("access key", ief.Config{AccessKey: access, SecretKey: "other"}, []string{access}, nil, get)
	add("secret key", ief.Config{AccessKey: "other", SecretKey: secret}, nil, []string{secret}, get)
	add("security token", ief.Config{AccessKey: "other", SecretKey: "other", SecurityToken: security}, []string{security}, nil, get)
	withToken := func(name string, call func(context.Context, *ief.Client) error, secrets ...string) {
		add(name, ief.Config{Token: token}, append(secrets, token), nil, call)
	}
	withToken("token", get)
	variable := Secret("variable")
	template := ief.Template{Containers: []ief.Container{{Envs: []ief.Env{{Name: "A", Value: &variable}}}}}
	withToken("create", func(ctx context.Context, c *ief.Client) error {
		return only(c.Create(ctx, v3, &ief.CreateRequest{Name: "d", Deployment: ief.Spec{Template: template}}))
	}, variable)
	withToken("query", func(ctx context.Context, c *ief.Client) error { return only(c.Get(ctx, v2, "d")) })
	withToken("list", func(ctx context.Context, c *ief.Client) error { return only(c.List(ctx, v3, ief.Filter{}, 0)) })
	withToken("list 2", func(ctx context.Context, c *ief.Client) error { return only(c.List(ctx, v2, ief.Filter{}, 0)) })
	withToken("pods", func(ctx context.Context, c *ief.Client) error { return only(c.Pods(ctx, v3, "d")) })
	return calls
}
