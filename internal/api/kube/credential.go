package kube

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// credential is a token, a client certificate or both, for a time.
type credential struct {
	token string
	// key (PEM) is that of the certificate, which is nil for none.
	key         string
	certificate *tls.Certificate
	expires     time.Time // zero for never
}

func (c *credential) expired() bool { return !c.expires.IsZero() && time.Now().After(c.expires) }

// secrets are the texts that are masked.
func (c *credential) secrets() []string {
	if c == nil {
		return nil
	}
	return []string{c.token, c.key}
}

// source gets credentials that change. It is safe for concurrent use.
type source struct {
	// get gets a new credential. Its context ends with the caller's.
	get func(ctx context.Context) (*credential, error)
	// secrets are masked, whatever the credential is.
	secrets []string
	cached  atomic.Pointer[credential]
	// turn is held by the caller that gets a new one.
	turn chan struct{}
	// failure is that of the last attempt. It is also that of all callers who came
	// before failedUntil.
	failure     error
	failedUntil time.Time
}

func newSource(get func(ctx context.Context) (*credential, error), secrets ...string) *source {
	return &source{get: get, secrets: secrets, turn: make(chan struct{}, 1)}
}

// current returns the valid credential. An error is a *httpapi.CredentialError,
// or that of the context.
func (s *source) current(ctx context.Context) (*credential, error) {
	if c := s.cached.Load(); c != nil && !c.expired() {
		return c, nil
	}
	came := time.Now()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c := s.cached.Load(); c != nil && !c.expired() {
		return c, nil
	}
	if s.failedUntil.After(came) {
		return nil, s.failure
	}
	c, err := s.get(ctx)
	switch {
	case err == nil:
		s.cached.Store(c)
		return c, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	s.failure, s.failedUntil = &httpapi.CredentialError{Err: err}, time.Now()
	if errors.Is(err, errStopped) {
		// Otherwise each of many objects would start it again and wait as long.
		s.failedUntil = time.Now().Add(pluginTimeout)
	}
	return nil, s.failure
}

// replaced forgets a credential that the cluster refuses, and returns the next
// one; nil if there is no other.
func (s *source) replaced(ctx context.Context, refused *credential) *credential {
	s.cached.CompareAndSwap(refused, nil)
	next, err := s.current(ctx)
	if err != nil || next.token == refused.token && next.key == refused.key {
		return nil
	}
	return next
}

// clientCertificate is for the transport.
func (s *source) clientCertificate() (*tls.Certificate, error) {
	if c := s.cached.Load(); c != nil {
		return c.certificate, nil
	}
	return nil, nil
}

// tokenLifetime is for how long the token of a file is used: such tokens are
// replaced while they are still valid.
const tokenLifetime = 50 * time.Second

// tokenFile is the source of a token in a file, which must have one now.
func tokenFile(path string) (*source, error) {
	read := func() (*credential, error) {
		content, err := httpapi.ReadCredentialFile(path)
		if err != nil {
			return nil, err
		}
		token := strings.TrimSpace(string(content))
		if token == "" {
			return nil, errors.New("the file is empty")
		}
		if err := checkToken(token); err != nil {
			return nil, err
		}
		return &credential{token: token, expires: time.Now().Add(tokenLifetime)}, nil
	}
	first, err := read()
	if err != nil {
		return nil, err
	}
	last := first
	s := newSource(func(context.Context) (*credential, error) {
		if next, err := read(); err == nil {
			last = next
			return next, nil
		}
		// The file is being replaced.
		return &credential{token: last.token, expires: time.Now().Add(tokenLifetime)}, nil
	})
	s.cached.Store(first)
	return s, nil
}

// credentialKey is the key of a call's credential in its context.
type credentialKey struct{}

type credentialOf struct {
	credential *credential
	err        error
}

// authorized sends the credential of the call.
type authorized struct{ http.RoundTripper }

// RoundTrip fails without sending anything if the call has no credential.
func (t authorized) RoundTrip(request *http.Request) (*http.Response, error) {
	of, ok := request.Context().Value(credentialKey{}).(credentialOf)
	if ok && of.err != nil {
		return nil, of.err
	}
	if ok && of.credential.token != "" {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+of.credential.token)
	}
	return t.RoundTripper.RoundTrip(request)
}

// withCredential makes a call with the current credential, and once more if the
// cluster refuses it and there is a new one.
func (s *source) withCredential(ctx context.Context, call httpapi.Call, do func(context.Context, httpapi.Call) (*httpapi.Response, error)) (*httpapi.Response, error) {
	with := func(c *credential, err error) (*httpapi.Response, error) {
		call := call
		call.Secrets = append(call.Secrets[:len(call.Secrets):len(call.Secrets)], c.secrets()...)
		return do(context.WithValue(ctx, credentialKey{}, credentialOf{c, err}), call)
	}
	first, err := s.current(ctx)
	response, callErr := with(first, err)
	if err == nil && isRefusedCredential(callErr) {
		if next := s.replaced(ctx, first); next != nil {
			return with(next, nil)
		}
	}
	return response, callErr
}

func isRefusedCredential(err error) bool {
	var failed *apierror.Error
	return errors.As(err, &failed) && failed.HTTPStatus == http.StatusUnauthorized
}

// describeCommand is the program of a command as it is shown: whole command
// lines, which people write there too, may have secrets in them.
func describeCommand(command string) string {
	const longest = 100
	program, _, _ := strings.Cut(strings.TrimSpace(command), " ")
	if len(program) > longest {
		program = "…" + strings.ToValidUTF8(program[len(program)-longest:], "")
	}
	return fmt.Sprintf("the credential plugin %q", httpapi.Text(program))
}
