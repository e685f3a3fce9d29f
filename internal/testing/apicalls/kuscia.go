package apicalls

import (
	"context"
	"encoding/json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// The secrets of the requests: an element of a configuration has a line break.
var (
	servingConfig = map[string]any{"db": map[string]any{"password": Secret("leaf"), "list": []string{Mark + "elem\nent"}, "secretKey": json.Number(Number)}}
	secretLine    = "key: " + Secret("line")
	sourceSecrets = []string{Secret("1"), Secret("2"), Secret("3"), Secret("4"), Secret("5")}
	source        = kuscia.DataSourceInfo{
		OSS:      &kuscia.OSSInfo{AccessKeyID: sourceSecrets[0], AccessKeySecret: sourceSecrets[1]},
		Database: &kuscia.DatabaseInfo{Password: sourceSecrets[2]},
		ODPS:     &kuscia.ODPSInfo{AccessKeyID: sourceSecrets[3], AccessKeySecret: sourceSecrets[4]},
	}
)

// kusciaCalls are made with a token and, except the one without a body, with a custom header.
func kusciaCalls() map[string]Call {
	calls := map[string]Call{}
	add := func(name string, call func(context.Context, *kuscia.Client) error, secrets ...string) {
		token, header := Secret("token"), Secret("header")
		calls["kuscia: "+name] = Call{API: "kuscia", Sent: append(secrets, token), Known: []string{header}, Do: func(ctx context.Context, server Server) error {
			client, err := kuscia.New(kuscia.Config{
				Endpoint: server.Address, Token: token, CustomHeaders: map[string]string{"X-Secret": header},
				RequestTimeout: server.Timeout, MaxRetries: server.MaxRetries,
			})
			if err != nil {
				return err
			}
			client.SetBackoff(backoff)
			return call(ctx, client)
		}}
	}
	add("create", func(ctx context.Context, c *kuscia.Client) error {
		config, err := json.Marshal(servingConfig)
		if err != nil {
			return err
		}
		return c.CreateServing(ctx, &kuscia.CreateServingRequest{ServingID: "glm", ServingInputConfig: string(config)})
	}, Secret("leaf"), Mark+"elem\nent", Number)
	add("update", func(ctx context.Context, c *kuscia.Client) error {
		return c.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: "glm", ServingInputConfig: secretLine + "\nother: x"})
	}, secretLine)
	add("query", func(ctx context.Context, c *kuscia.Client) error { return only(c.QueryServing(ctx, "glm")) })
	add("status", func(ctx context.Context, c *kuscia.Client) error {
		return only(c.BatchQueryServingStatus(ctx, []string{"glm"}))
	})
	add("app image", func(ctx context.Context, c *kuscia.Client) error {
		return c.CreateAppImage(ctx, &kuscia.AppImage{Name: "sf", ConfigTemplates: map[string]string{"a.conf": "x"}, DeployTemplates: []kuscia.DeployTemplate{{
			Containers: []kuscia.Container{{Env: []kuscia.EnvVar{{Name: "A", Value: "visible"}, {Name: "B"}}}},
		}}})
	})
	add("app image query", func(ctx context.Context, c *kuscia.Client) error { return only(c.QueryAppImage(ctx, "sf")) })
	add("list", func(ctx context.Context, c *kuscia.Client) error { return only(c.ListAppImages(ctx, 100, "")) })
	add("create data source", func(ctx context.Context, c *kuscia.Client) error {
		return only(c.CreateDomainDataSource(ctx, &kuscia.DomainDataSourceRequest{DomainID: "a", DataSourceID: "s", Type: kuscia.DataSourceOSS, Info: &source}))
	}, sourceSecrets...)
	add("query data source", func(ctx context.Context, c *kuscia.Client) error {
		return only(c.QueryDomainDataSource(ctx, kuscia.DomainDataSourceKey{DomainID: "a", DataSourceID: "s"}))
	})
	add("create route", func(ctx context.Context, c *kuscia.Client) error {
		return c.CreateDomainRoute(ctx, &kuscia.DomainRoute{Source: "a", Destination: "b", MTLSConfig: &kuscia.RouteMTLSConfig{SourceClientPrivateKey: Secret("route")}})
	}, Secret("route"))
	add("query route", func(ctx context.Context, c *kuscia.Client) error {
		return only(c.QueryDomainRoute(ctx, kuscia.DomainRouteKey{Source: "a", Destination: "b"}))
	})
	add("update configuration", func(ctx context.Context, c *kuscia.Client) error {
		return c.UpdateConfig(ctx, kuscia.ConfigEntry{Key: "k", Value: Secret("value")})
	}, Secret("value"))
	add("query configuration", func(ctx context.Context, c *kuscia.Client) error { return only(c.QueryConfig(ctx, "k")) })
	add("batch query configuration", func(ctx context.Context, c *kuscia.Client) error {
		return only(c.BatchQueryConfig(ctx, []string{"k"}))
	})
	add("certificate", func(ctx context.Context, c *kuscia.Client) error {
		return only(c.GenerateCertificate(ctx, &kuscia.GenerateCertificateRequest{CommonName: "n"}))
	})
	add("query domain", func(ctx context.Context, c *kuscia.Client) error { return only(c.QueryDomain(ctx, "a")) })
	add("version", func(ctx context.Context, c *kuscia.Client) error { return only(c.Version(ctx)) })
	return calls
}
