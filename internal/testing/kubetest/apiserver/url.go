package apiserver

import (
	"context"
	"net"
	"net/url"
)

// freeURL is a loopback address with a port that was free a moment ago: etcd
// wants to know its addresses before it listens.
func freeURL() ([]url.URL, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = listener.Close() }()
	return []url.URL{{Scheme: "http", Host: listener.Addr().String()}}, nil
}
