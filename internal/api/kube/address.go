package kube

import "net"

// usesTLS applies client-go's rule for an address without a scheme.
func usesTLS(a *access) bool {
	return len(a.rest.CAData) > 0 || len(a.rest.CertData) > 0 || a.rest.Insecure || a.rest.BearerToken != "" || a.source != nil
}

// hasCredentials reports whether the client sends credentials, which need an
// encrypted connection.
func hasCredentials(a *access) bool {
	return a.rest.BearerToken != "" || a.rest.Password != "" || a.source != nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
