package proxy

import (
	"net/http"

	"k8s.io/client-go/rest"
)

// ControllersConfig returns the configuration of a controller. Most requests are those of
// controllers, so they do not pass through the proxy, which would encrypt them twice.
func (f *Proxy) ControllersConfig(name string) *rest.Config {
	config := rest.CopyConfig(f.controllers)
	config.UserAgent = name
	return config
}

// translator translates the requests of a client of the API server, and the responses.
type translator struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t translator) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	translateRequest(r)
	response, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return response, translateResponse(response)
}
