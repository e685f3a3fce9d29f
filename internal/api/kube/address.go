package kube

import (
	"net"

	"k8s.io/client-go/rest"
)

// usesTLS applies client-go's rule for an address without a scheme.
func usesTLS(c *rest.Config) bool {
	return len(c.CAData) > 0 || c.CAFile != "" || len(c.CertData) > 0 || c.CertFile != "" || c.Insecure || c.BearerToken != "" || c.ExecProvider != nil
}

// hasCredentials reports whether the client sends credentials, which need an
// encrypted connection.
func hasCredentials(c *rest.Config) bool {
	return c.BearerToken != "" || c.BearerTokenFile != "" || c.Password != "" || c.ExecProvider != nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
