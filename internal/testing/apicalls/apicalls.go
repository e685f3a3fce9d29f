// Package apicalls has calls of the three APIs for tests of what a server may answer. Each is made with secrets.
package apicalls

import (
	"context"
	"maps"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Mark is in each secret, and in no other text.
const Mark = "Pl4nted-"

// Number is a secret that is a number, without the Mark.
const Number = "7788990011223344"

// Secret is a secret that differs in each spelling.
func Secret(name string) string { return Mark + name + `/"q\uote+t&o?` }

// plainSecret differs in base64 and hexadecimal: a program's output and a YAML text need no escapes for it.
func plainSecret(name string) string { return Mark + name + "/quote+to=" }

// Server is where a call goes, and what limits it.
type Server struct {
	Address    string
	Timeout    time.Duration
	MaxRetries int
}

// Call is a call of an API.
type Call struct {
	// API is kuscia, kube or ief.
	API string
	// Sent are the secrets that the request has, Known others that the client knows.
	Sent, Known []string
	// Do makes the call with a new client.
	Do func(ctx context.Context, server Server) error
}

// All are the calls by API and name, such as "kube: list". Some read files, which are written into a folder.
func All(dir string) map[string]Call {
	all := map[string]Call{}
	for _, calls := range []map[string]Call{kusciaCalls(), kubeCalls(dir), iefCalls()} {
		maps.Copy(all, calls)
	}
	return all
}

// backoff has no waits between attempts.
var backoff = httpapi.Backoff{Base: time.Millisecond, Max: time.Millisecond}

// only is the error of a call.
func only[T any](_ T, err error) error { return err }
