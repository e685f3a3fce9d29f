package httpapi

import (
	"encoding/base64"
	"strings"
	"sync"
)

// sentCredentials are the credentials in the headers that were really sent: a transport may add
// some that the Config does not have.
type sentCredentials struct {
	mu    sync.Mutex
	texts []string
}

// record records the values of a header if it has credentials.
func (s *sentCredentials) record(header string, values []string) {
	switch strings.ToLower(header) {
	case "authorization", "proxy-authorization", "token", "x-auth-token", "x-security-token", "cookie":
	default:
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, value := range values {
		kind, credential, _ := strings.Cut(value, " ")
		s.texts = append(s.texts, value, credential)
		if decoded, err := base64.StdEncoding.DecodeString(credential); err == nil && strings.EqualFold(kind, "basic") {
			_, password, _ := strings.Cut(string(decoded), ":")
			s.texts = append(s.texts, string(decoded), password)
		}
	}
}

// take returns what was recorded since the last call.
func (s *sentCredentials) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := s.texts
	s.texts = nil
	return texts
}
