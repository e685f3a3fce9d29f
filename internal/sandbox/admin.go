package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
)

// adminPrefix is the path prefix of the sandbox's own endpoints:
//
//	GET    /sandbox/faults     the injected faults
//	POST   /sandbox/faults     inject one; Fault as JSON, with delay and
//	                           retry_after as text such as "1.5s"
//	DELETE /sandbox/faults     remove all
//	GET    /sandbox/requests   the recorded requests
//	GET    /sandbox/counts     the number of requests for each path
//	DELETE /sandbox/requests   delete requests and counts
//	POST   /sandbox/advance    advance the clock: {"by": "30s"}
//	POST   /sandbox/join       a lite node joins with a deploy token: {"token": "..."}
//
// They need no token, are not recorded and accept only local clients that use a
// name of this machine: a web page in a browser here could otherwise reach them
// by a name of its own, or from its own origin.
const adminPrefix = "/sandbox/"

func isAdminPath(path string) bool { return strings.HasPrefix(path, adminPrefix) }

// adminFault is the JSON form of Fault.
type adminFault struct {
	faults.Fault
	Delay      string `json:"delay,omitempty"`
	RetryAfter string `json:"retry_after,omitempty"`
}

func (s *Sandbox) admin(w http.ResponseWriter, r *http.Request) {
	if !fromLoopback(r) || !fromThisMachine(r) {
		http.Error(w, "the admin endpoints only answer to this machine", http.StatusForbidden)
		return
	}
	switch r.Method + " " + strings.TrimPrefix(r.URL.Path, adminPrefix) {
	case "GET faults":
		writeJSON(w, shownFaults(s.Faults()))
	case "POST faults":
		fault, err := s.readFault(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.Inject(fault)
		w.WriteHeader(http.StatusNoContent)
	case "DELETE faults":
		s.ClearFaults()
		w.WriteHeader(http.StatusNoContent)
	case "GET requests":
		writeJSON(w, s.Requests())
	case "GET counts":
		writeJSON(w, s.Counts())
	case "DELETE requests":
		s.ResetRequests()
		w.WriteHeader(http.StatusNoContent)
	case "POST advance":
		by, err := readAdvance(r)
		if err == nil && s.node.ControlPlane.API != nil {
			err = errors.New("the controllers of an API server run on the clock of this machine")
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.Advance(by)
		w.WriteHeader(http.StatusNoContent)
	case "POST join":
		if err := s.readJoin(r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		http.Error(w, "no such admin endpoint", http.StatusNotFound)
	}
}

func fromLoopback(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && isLoopback(host)
}

// fromThisMachine reports whether a request uses a name of this machine, and is from no
// web page of another one.
func fromThisMachine(r *http.Request) bool { return isLoopback(hostOf(r.Host)) && loopbackOrigin(r) }

// loopbackOrigin reports whether a request is from no web page, or from one of
// this machine. A browser does not send the origin with a simple GET.
func loopbackOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return r.Header.Get("Sec-Fetch-Site") != "cross-site"
	}
	u, err := url.Parse(origin)
	return err == nil && isLoopback(u.Hostname())
}

// hostOf is the name in a Host header, with or without a port.
func hostOf(header string) string { return (&url.URL{Host: header}).Hostname() }

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func shownFaults(faults []faults.Fault) []adminFault {
	list := make([]adminFault, len(faults))
	for i, f := range faults {
		list[i] = adminFault{Fault: f}
		if f.Delay > 0 {
			list[i].Delay = f.Delay.String()
		}
		if f.RetryAfter > 0 {
			list[i].RetryAfter = f.RetryAfter.String()
		}
	}
	return list
}

func (s *Sandbox) readFault(r *http.Request) (faults.Fault, error) {
	var given adminFault
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&given); err != nil {
		return faults.Fault{}, fmt.Errorf("not a fault: %w", err)
	}
	fault := given.Fault
	if !s.Known(fault.Kind) {
		return fault, fmt.Errorf("unknown kind %q", fault.Kind)
	}
	if fault.Kind == FaultLag && s.node.ControlPlane.API != nil {
		return fault, errors.New("the controllers of an API server have no lag")
	}
	var err error
	if fault.Delay, err = readDuration("delay", given.Delay); err != nil {
		return fault, err
	}
	if fault.RetryAfter, err = readDuration("retry_after", given.RetryAfter); err != nil {
		return fault, err
	}
	return fault, nil
}

func (s *Sandbox) readJoin(r *http.Request) error {
	var given struct {
		Token string `json:"token"`
	}
	if err := json.NewDecoder(r.Body).Decode(&given); err != nil {
		return fmt.Errorf("not a deploy token: %w", err)
	}
	_, err := s.JoinWithToken(given.Token)
	return err
}

func readAdvance(r *http.Request) (time.Duration, error) {
	var given struct {
		By string `json:"by"`
	}
	if err := json.NewDecoder(r.Body).Decode(&given); err != nil {
		return 0, fmt.Errorf("not a duration: %w", err)
	}
	return readDuration("by", given.By)
}

func readDuration(name, text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%s %q is not a duration such as 1.5s", name, text)
	}
	return d, nil
}
