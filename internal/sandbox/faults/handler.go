package faults

import (
	"cmp"
	"crypto/tls"
	"net"
	"net/http"
	"strconv"
	"time"
)

// faultyHandler passes requests to next, unless a fault applies.
type faultyHandler struct {
	faults  *List
	records *Recorder
	next    http.Handler
	// stopped is closed to end responses that hang.
	stopped <-chan struct{}
}

// serve handles a request and returns the HTTP status and code of the response.
// To drop the connection it panics with http.ErrAbortHandler.
func (h *faultyHandler) serve(w http.ResponseWriter, r *http.Request, body []byte, entry *Request) (int, int32) {
	fault := h.faults.pick(r.Method, r.URL.Path, string(body))
	if fault == nil {
		held := h.run(r)
		held.copyTo(w)
		return held.status, held.code
	}
	h.records.markFault(entry, fault.Kind)
	r = h.faults.api.Apply(r, fault.Fault, fault.snapshot)
	if fault.Kind == Latency {
		h.pause(r, fault.Delay)
	}
	var held *bufferedResponse
	if h.hasEffect(fault.Fault) {
		held = h.run(r)
	}
	return h.respond(w, r, body, fault, held)
}

// hasEffect reports whether the request reaches the handlers.
func (h *faultyHandler) hasEffect(f Fault) bool {
	switch f.Kind {
	case Latency, Truncated, Empty, ContentType, Slow:
		return true
	case Reset, Timeout, Status, HTML, Code, Body:
		return f.AfterEffect
	}
	switch h.faults.api.Behavior(f.Kind) {
	case PassesThrough:
		return true
	case FailsBeforeOrAfter:
		return f.AfterEffect
	default:
		return false
	}
}

const jsonType = "application/json; charset=utf-8"

func (h *faultyHandler) run(r *http.Request) *bufferedResponse {
	response := newBufferedResponse()
	h.next.ServeHTTP(response, r)
	return response
}

func (h *faultyHandler) respond(w http.ResponseWriter, r *http.Request, body []byte, fault *activeFault, held *bufferedResponse) (int, int32) {
	switch fault.Kind {
	case Reset:
		drop(w)
		return 0, noCode
	case Timeout:
		h.hang(r, fault.Delay)
		drop(w)
		return 0, noCode
	case Truncated:
		truncate(w, held)
	case Slow:
		h.trickle(w, r, held, fault.Delay)
		return held.status, held.code
	case ContentType:
		contentType := fault.ContentType
		if contentType == "" {
			contentType = "text/plain; charset=utf-8"
		}
		held.header.Set("Content-Type", contentType)
	case Endless:
		h.endless(w, r, fault.Size)
		return http.StatusOK, noCode
	case Latency:
	default:
		if h.faults.api.Behavior(fault.Kind) != PassesThrough {
			held = h.replacement(r, fault.Fault, body)
		}
	}
	held.copyTo(w)
	return held.status, held.code
}

// replacement is the response of faults that replace it.
func (h *faultyHandler) replacement(r *http.Request, f Fault, body []byte) *bufferedResponse {
	b := newBufferedResponse()
	switch f.Kind {
	case Status:
		b.gatewayError(cmp.Or(f.Status, http.StatusServiceUnavailable), f.RetryAfter)
	case Unauthorized:
		b.WriteHeader(http.StatusUnauthorized)
	case Empty:
		b.header.Set("Content-Type", jsonType)
		b.WriteHeader(http.StatusOK)
	case HTML:
		b.header.Set("Content-Type", "text/html; charset=utf-8")
		_, _ = b.Write([]byte("<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><p>Please sign in.</p></body></html>\n"))
	case Body:
		contentType := f.ContentType
		if contentType == "" {
			contentType = jsonType
		}
		b.header.Set("Content-Type", contentType)
		b.WriteHeader(cmp.Or(f.Status, http.StatusOK))
		_, _ = b.Write([]byte(f.Body))
	case Redirect:
		b.header.Set("Location", f.Location)
		b.WriteHeader(http.StatusTemporaryRedirect)
	default:
		h.faults.api.Fail(b, r, f, body)
	}
	return b
}

func (b *bufferedResponse) gatewayError(status int, retryAfter time.Duration) {
	if retryAfter > 0 {
		seconds := int((retryAfter + time.Second - 1) / time.Second)
		b.header.Set("Retry-After", strconv.Itoa(seconds))
	}
	b.header.Set("Content-Type", "text/html")
	b.WriteHeader(status)
	text := strconv.Itoa(status) + " " + http.StatusText(status)
	_, _ = b.Write([]byte("<html><head><title>" + text + "</title></head><body><h1>" + text + "</h1></body></html>\n"))
}

// truncate announces the whole response, sends half of it and drops the
// connection.
func truncate(w http.ResponseWriter, held *bufferedResponse) {
	held.header.Set("Content-Length", strconv.Itoa(held.body.Len()))
	held.body.Truncate(held.body.Len() / 2)
	held.copyTo(w)
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
	panic(http.ErrAbortHandler)
}

// drop resets the connection if possible, else closes it; for HTTP/2 it resets
// the stream only.
func drop(w http.ResponseWriter) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	raw := conn
	if secure, ok := conn.(*tls.Conn); ok {
		raw = secure.NetConn()
	}
	if tcp, ok := raw.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // send a reset rather than a regular close
	}
	_ = raw.Close() // the connection ends in any case
}
