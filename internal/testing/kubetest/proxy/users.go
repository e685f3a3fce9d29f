package proxy

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	rbac "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// Users that always exist.
const (
	adminUser     = "kubetest"
	uncountedUser = "controllers"
)

// user is a user with a token. Without rules, the user has all permissions.
type user struct {
	name, token string
	rules       []rbac.PolicyRule
	limited     bool
}

type users struct {
	mu  sync.Mutex
	all []*user
}

// add creates a user, or a new token for an existing one.
func (u *users) add(name string) string {
	random := make([]byte, 16)
	_, _ = rand.Read(random) // it never fails
	u.mu.Lock()
	defer u.mu.Unlock()
	added := &user{name: name, token: hex.EncodeToString(random)}
	u.all = append(slices.DeleteFunc(u.all, func(old *user) bool { return old.name == name }), added)
	return added.token
}

// limit gives a user exactly these permissions.
func (u *users) limit(name string, rules []rbac.PolicyRule) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for i, one := range u.all {
		if one.name == name {
			u.all[i] = &user{name: name, token: one.token, rules: rules, limited: true}
			return true
		}
	}
	return false
}

func (u *users) token(name string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, one := range u.all {
		if one.name == name {
			return one.token
		}
	}
	return ""
}

// of returns the user of a request's token or client certificate.
func (u *users) of(r *http.Request) (*user, bool) {
	token, hasToken := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	name := ""
	if r.TLS != nil && len(r.TLS.PeerCertificates) > 0 {
		name = r.TLS.PeerCertificates[0].Subject.CommonName
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, one := range u.all {
		if (hasToken && one.token == token) || (!hasToken && name != "" && one.name == name) {
			return one, true
		}
	}
	return nil, false
}

// may reports whether the rules of a ClusterRole allow a request.
func (u *user) may(info *request.RequestInfo) bool {
	if !u.limited || !info.IsResourceRequest {
		return true
	}
	resource := info.Resource
	if info.Subresource != "" {
		resource += "/" + info.Subresource
	}
	has := func(allowed []string, desired string) bool {
		return slices.Contains(allowed, desired) || slices.Contains(allowed, "*")
	}
	return slices.ContainsFunc(u.rules, func(rule rbac.PolicyRule) bool {
		return has(rule.Verbs, info.Verb) && has(rule.APIGroups, info.APIGroup) && has(rule.Resources, resource) &&
			(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, info.Name))
	})
}

func unauthorized() *apierrors.StatusError { return apierrors.NewUnauthorized("Unauthorized") }

// forbidden returns the message of Kubernetes' authorizer.
func forbidden(name string, info *request.RequestInfo) *apierrors.StatusError {
	resource := info.Resource
	if info.Subresource != "" {
		resource += "/" + info.Subresource
	}
	where := "at the cluster scope"
	if info.Namespace != "" {
		where = fmt.Sprintf("in the namespace %q", info.Namespace)
	}
	text := fmt.Sprintf("User %q cannot %s resource %q in API group %q %s", name, info.Verb, resource, info.APIGroup, where)
	return apierrors.NewForbidden(schema.GroupResource{Group: info.APIGroup, Resource: info.Resource}, info.Name, errors.New(text))
}
