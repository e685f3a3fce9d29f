package kuscia

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// errorHint is a hint for some errors of an object.
type errorHint struct {
	// operations is a prefix of the names of the operations, "" for all.
	operations string
	fits       func(e *Error) bool
	hint       string
}

// errorHints has the hints of all objects. Hints for a longer prefix come
// first.
type errorHints []errorHint

// hints are looked up before the general hints. The hints of an object are
// declared next to its operations and added when the package is initialized.
var hints errorHints

// add adds the hints of an object.
func (h *errorHints) add(more ...errorHint) *errorHints { //nolint:unparam // the declaration of a package variable needs a value
	*h = append(*h, more...)
	slices.SortStableFunc(*h, func(a, b errorHint) int { return len(b.operations) - len(a.operations) })
	return h
}

// find returns the hint for an error, or "".
func (h errorHints) find(e *Error) string {
	for _, row := range h {
		if strings.HasPrefix(e.Op, row.operations) && row.fits(e) {
			return row.hint
		}
	}
	return ""
}

// isKind matches errors of a kind.
func isKind(kind error) func(e *Error) bool {
	return func(e *Error) bool { return errors.Is(e, kind) }
}

// isNotImplemented matches responses of a server that does not have the
// operation.
func isNotImplemented(e *Error) bool {
	switch e.HTTPStatus {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	}
	return false
}

// Hint returns for users the likely cause of an error of the client and what to
// do about it, or "".
func Hint(err error) string {
	var config *ConfigError
	if errors.As(err, &config) {
		return ""
	}
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	if e.Hint != "" {
		return e.Hint
	}
	return hintOf(e)
}

func hintOf(e *Error) string {
	if text, ok := causeHints[e.Cause]; ok {
		return text
	}
	return codeHint(e)
}

// causeHints are hints for failures without a code.
var causeHints = map[apierror.Cause]string{
	httpapi.CauseConnectionRefused: "Nothing listens at the endpoint, or something in between refuses the connection. " +
		"Check the host and port of endpoint (Kuscia's HTTP port is 8082 inside the container and may be mapped to another outside), and that the node is up.",
	httpapi.CauseUnknownHost: "The host name of endpoint is not known. Check its spelling and the name resolution of this machine.",
	httpapi.CauseTimeout: "The server or the network is too slow or dropped the request. Check the endpoint and firewalls; " +
		"if the server is only slow, increase request_timeout.",
	httpapi.CauseResponseLost: "The connection broke, or the response was truncated on the way. Run the same command again; " +
		"if the error persists, check proxies, load balancers and the server's log.",
	httpapi.CauseClosedWithoutClientCert: "The server ended the connection. If it uses mutual TLS (Kuscia's protocol MTLS, the default), it does so " +
		"because no client certificate is configured: set certs_dir, or client_certificate and client_key. Otherwise run the same command again and check the server's log.",
	httpapi.CauseProxy: "The HTTP proxy of the environment (HTTPS_PROXY, HTTP_PROXY) does not forward the connection. " +
		"Check the proxy, or add the host of endpoint to NO_PROXY.",
	httpapi.CauseUnknownCA: "The server's certificate is not signed by a CA that is trusted here. Set ca_certificate (or certs_dir) to the ca.crt of the Kuscia node, " +
		"found in /home/kuscia/var/certs inside its container.",
	httpapi.CauseWrongServerName: "The server's certificate is for other names than the host in endpoint. Use one of its names, add the name on the server " +
		"(kusciaAPISans in kuscia.yaml, with Kuscia " + versions.KusciaAPISANs.Needs() + "), or set tls_server_name to a name in the certificate, such as kusciaapi.",
	httpapi.CauseServerCertExpired: "The server's certificate is expired or not yet valid. Check the clock of this machine, and renew the certificate on the server.",
	httpapi.CauseHTTPSOnPlainPort: "endpoint has https:// but the server responds without TLS. If the server's protocol is NOTLS, use http://; " +
		"otherwise check the port.",
	httpapi.CausePlainHTTPOnTLSPort: "endpoint has http:// but the server expects TLS (Kuscia's protocol TLS or MTLS). Use https://.",
	httpapi.CauseClientCertMissing: "The server uses mutual TLS (Kuscia's protocol MTLS, the default) and requires a client certificate. " +
		"Set certs_dir, or client_certificate and client_key, to the kusciaapi-server.crt and kusciaapi-server.key of the node.",
	httpapi.CauseClientCertRefused: "The server does not accept the client certificate, or requires one and got none. It must be signed by the node's own CA (ca.crt) " +
		"and be valid at present: set client_certificate and client_key to the kusciaapi-server.crt and kusciaapi-server.key of that node.",
	httpapi.CauseTLSVersion:   "The server does not support TLS 1.2 or later, and older versions are not secure. Update the server or the proxy in front of it.",
	httpapi.CauseTLSHandshake: "The TLS handshake failed. Check scheme and port of endpoint, and proxies on the way to the server.",
	httpapi.CauseHTML: "Something other than a KusciaAPI returned a web page: a proxy, a gateway or another server. " +
		"Check the host, port and path of endpoint.",
	httpapi.CauseRedirect: "Redirects are not followed, since that would send the token elsewhere. If the target is your KusciaAPI, set endpoint to it.",
	httpapi.CauseNotThisAPI: "This is not a response of a KusciaAPI. Check the host, port, scheme and path of endpoint: " +
		"the gRPC port (8083) and the ports of other components do not work.",
	httpapi.CauseResponseTooLarge: "A KusciaAPI does not send a response of this size. Check the host and port of endpoint.",
	httpapi.CauseMalformedResponse: "The response does not have the format of the KusciaAPI. A proxy may have changed it, " +
		"or this provider does not support the version of the server.",
	httpapi.CauseRequestTooLarge: "Kuscia stores at most about 1.5 MB for one object. Make serving_input_config or the config templates smaller, " +
		"for example by putting models and large data into a store that the application reads.",
	causeNotAParty: "The domain of this endpoint is not a party of the serving. Use the endpoint of the initiator, or of the master.",
	causeMissingTemplate: "The app image has no deploy template for the party's role. Compare the role of the party with the roles of the " +
		"app image's deploy templates; a template with an empty role serves every role.",
	httpapi.CauseCanceled: "",
}

func codeHint(e *Error) string {
	if hint := hints.find(e); hint != "" {
		return hint
	}
	switch {
	case e.HTTPStatus == http.StatusUnauthorized:
		return "The token is missing or not that of this node. Kuscia compares it exactly with the file /home/kuscia/var/certs/token inside its container; " +
			"set token, token_file or certs_dir. A node with protocol NOTLS ignores tokens."
	case e.HTTPStatus == http.StatusForbidden:
		return "A gateway or proxy rejects the request: the KusciaAPI itself does not return 403. Contact the operator of the gateway."
	case isNotImplemented(e):
		return "The server has no such operation. Check that endpoint is the HTTP port of a KusciaAPI (8082), without a wrong path."
	case e.HTTPStatus == http.StatusTooManyRequests:
		return "The server or a gateway limits the rate of requests. Run again later, or with a lower -parallelism."
	case e.HTTPStatus >= 500:
		return "The server, or a gateway in front of it, has a problem or is restarting. Run the same command again; if the error persists, check the server's log."
	}
	switch CodeOf(e) {
	case CodeUnexpected, codeUnexpectedFlat:
		if e.Op == opUpdateServing.Name && strings.Contains(e.Message, "nil map") {
			return "Kuscia crashes when an update adds a first limit to a container that has only requests, or the reverse. Nothing was changed. " +
				"The serving must be replaced."
		}
		if strings.Contains(e.Message, "panic") {
			return "Kuscia crashed while it handled this request. That is an error of this version of Kuscia, even if something in the request triggers it. " +
				"Run the same command again; if it crashes again, its log shows where, and another version may not have the error."
		}
		return "The server's handler failed, and a retry fails in the same way. Check the server's log. This provider may not support the version of the server."
	case CodeMasterUnreachable:
		return "The endpoint belongs to a lite node that cannot reach its master. Check the master and the connection between the two, then run again."
	case CodeLiteUnsupported:
		return "The endpoint belongs to a lite node, which does not offer this operation. Use the endpoint of the master."
	case CodeMasterUnsupported:
		return "The endpoint belongs to a master, which does not offer this operation."
	}
	switch {
	case e.Is(ErrInvalid) && strings.Contains(e.Message, "in P2P"):
		return "An autonomy node (P2P) creates only servings that it initiates itself. Set initiator to the domain of the node, or use the endpoint of the initiator."
	case e.Is(ErrConflict):
		return "Another client kept changing the object at the same time. Run the same command again."
	case e.Is(ErrLeftover):
		return "A Kubernetes Deployment with the name of the serving is still there: the last serving with this ID is still being removed, " +
			"or another client has created the Deployment. Wait and run again, or use another serving_id."
	case e.Is(ErrExists):
		return "It was created outside of this state, or by another run at the same time. Import it, or use another name."
	case e.Is(ErrAppImageMissing):
		return "Create the app image first, for example by referring to its resource; or restore the one that was deleted."
	case CodeOf(e) == CodeInvalid:
		return "Kuscia refuses the content of the request, and the message names the field or the object. The guide \"Troubleshooting by error code\" of this provider has the known cases."
	case e.Is(ErrUnavailable):
		return "Kuscia did not reach its own Kubernetes API or etcd. Run the same command again; if the error persists, check the health of the node."
	}
	return ""
}
