package apiserver

import (
	"context"
	"net"
	"net/url"
)

// freeURL returns a loopback address with a free port: etcd needs its addresses
// before it listens. Another process may take the port in between.
func freeURL() ([]url.URL, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = listener.Close() }()
	return []url.URL{{Scheme: "http", Host: listener.Addr().String()}}, nil
}
