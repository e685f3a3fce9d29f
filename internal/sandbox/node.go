package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"
)

// masterDomain is the domain of a master itself, which exists on every one.
const masterDomain = "kuscia-system"

// liteRule is what a lite node does with an operation.
type liteRule int

const (
	// liteProxied is handed on to the master, as a request of the domain.
	liteProxied liteRule = iota
	// liteOwn is answered by the node.
	liteOwn
	// liteRefused is not offered.
	liteRefused
)

// nodeDomain is the domain of the node that this server is; "" for a master.
func (s *Sandbox) nodeDomain() string {
	if s.options.Lite != "" {
		return s.options.Lite
	}
	return s.options.Autonomy
}

// ownDomain is the domain in which this server keeps what is its own.
func (s *Sandbox) ownDomain() string {
	if domain := s.nodeDomain(); domain != "" {
		return domain
	}
	return masterDomain
}

// dispatchLite answers for a lite node what is not its own, and reports whether
// it did.
func (s *Sandbox) dispatchLite(w http.ResponseWriter, r *http.Request, op operation) bool {
	if s.options.Lite == "" || op.lite == liteOwn || op.of == nil {
		return false
	}
	if op.lite != liteProxied {
		answer{code: codeLiteUnsupported, message: "kuscia lite api not support this interface now", withData: op.withData}.write(w)
		return true
	}
	if reason := s.masterUnreachable(); reason != "" {
		message := fmt.Sprintf("Post \"http://kusciaapi.master.svc%s\": %s", r.URL.Path, reason)
		answer{code: codeMasterFailed, message: message, withData: op.withData}.write(w)
		return true
	}
	// The gateway of the node puts its domain into the request.
	forwarded := r.Clone(r.Context())
	forwarded.Header.Set("Kuscia-Source", s.options.Lite)
	held := httptest.NewRecorder()
	s.options.Master.InternalHandler().ServeHTTP(held, forwarded)
	if noter, ok := w.(*bufferedResponse); ok {
		noter.code = codeIn(held.Body.Bytes())
	}
	for name, values := range held.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(held.Code)
	_, _ = w.Write(held.Body.Bytes()) // the client going away is its own affair
	return true
}

func codeIn(body []byte) int32 {
	var envelope struct {
		Status struct {
			Code *int32 `json:"code"`
		} `json:"status"`
	}
	if json.Unmarshal(body, &envelope) != nil || envelope.Status.Code == nil {
		return noCode
	}
	return *envelope.Status.Code
}

// masterUnreachable is why a lite node does not reach its master, or "".
func (s *Sandbox) masterUnreachable() string {
	master := s.options.Master
	if master == nil {
		return "dial tcp: lookup kusciaapi.master.svc on 192.0.2.53:53: no such host"
	}
	master.serving.Lock()
	defer master.serving.Unlock()
	if master.server == nil {
		return "dial tcp: connect: connection refused"
	}
	return ""
}

// How long it takes until the status of a node is seen, in steps of the timing.
const (
	nodeSeen   = 200  // a new node; 2 s in real time
	nodeSynced = 1000 // a change of its state; 10 s in real time
)

// domainNode is a node of a domain as the store has it and as it is shown.
type domainNode struct {
	name   string
	ready  bool
	status nodeStatus
}

// RegisterNode lets a node report to a domain for the first time, or change its
// state; the domain shows it some time later.
func (s *Sandbox) RegisterNode(domainID, name string, ready bool) error {
	w := s.world
	defer w.enter()()
	d := w.domains[domainID]
	if d == nil {
		return fmt.Errorf("domain %q: %w", domainID, ErrUnknown)
	}
	delay := w.steps(nodeSynced)
	node := d.node(name)
	if node == nil {
		delay = w.steps(nodeSeen)
		node = &domainNode{name: name, status: nodeStatus{Name: name}}
		d.registered = append(d.registered, node)
	}
	node.ready = ready
	w.after(delay, func() { w.showNode(node) })
	w.wakeRoutesOf(domainID)
	return nil
}

func (d *domain) node(name string) *domainNode {
	for _, node := range d.registered {
		if node.name == name {
			return node
		}
	}
	return nil
}

func (w *world) showNode(node *domainNode) {
	state := "NotReady"
	if node.ready {
		state = "Ready"
	}
	node.status = nodeStatus{
		Name: node.name, Status: state, Version: w.version.raw,
		LastHeartbeatTime: rfc3339(w.now), LastTransitionTime: rfc3339(w.now),
	}
}

// hasGateway reports whether traffic can end or begin in a domain: the gateway
// comes with the node, and a master has one.
func (w *world) hasGateway(domainID string) bool {
	d := w.domains[domainID]
	if d == nil {
		return false
	}
	if d.withNode || domainID == masterDomain {
		return true
	}
	for _, node := range d.registered {
		if node.ready {
			return true
		}
	}
	return false
}

// JoinNode lets a lite node of the domain start and register, as starting a
// sandbox with Options.Lite does: it brings its certificate unless there is one,
// uses a deploy token, becomes Ready, and makes the default data source. A node
// that joins again keeps what it has.
func (s *Sandbox) JoinNode(domainID string) error {
	w := s.world
	defer w.enter()()
	d := w.domains[domainID]
	switch {
	case d == nil:
		return fmt.Errorf("domain %q: %w", domainID, ErrUnknown)
	case d.role != "":
		return fmt.Errorf("domain %q is run by another cluster", domainID)
	}
	if d.cert == "" {
		files, err := makeCertificates()
		if err != nil {
			return err
		}
		d.cert = encodePEM(files[fileServerCert])
	}
	if !d.withNode {
		d.withNode, d.nodeSince = true, w.now
		if i := slices.IndexFunc(d.tokens, func(token deployToken) bool { return token.State == tokenUnused }); i >= 0 {
			d.tokens[i].State = tokenUsed
		}
		w.addToken(d, w.timing.Apply)
	}
	w.addDefaultDataSource(domainID)
	w.wakeRoutesOf(domainID)
	return nil
}

// steps is a time that grows with that of the controllers.
func (w *world) steps(count int) time.Duration { return time.Duration(count) * w.timing.Step }

// Lite is the domain of which this is a lite node, "" for a master and for an
// autonomy node.
func (s *Sandbox) Lite() string { return s.options.Lite }
