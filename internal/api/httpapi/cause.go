package httpapi

import "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"

// The causes of transport failures, and of responses that are not from the API.
// Each API has its own hints for them.
const (
	CauseConnectionRefused       apierror.Cause = "refused"
	CauseUnknownHost             apierror.Cause = "unknown host"
	CauseTimeout                 apierror.Cause = "timeout"
	CauseResponseLost            apierror.Cause = "lost response"
	CauseProxy                   apierror.Cause = "proxy"
	CauseUnknownCA               apierror.Cause = "unknown ca"
	CauseWrongServerName         apierror.Cause = "wrong server name"
	CauseServerCertExpired       apierror.Cause = "server cert expired"
	CauseHTTPSOnPlainPort        apierror.Cause = "https on plain port"
	CausePlainHTTPOnTLSPort      apierror.Cause = "plain http on tls port"
	CauseClientCertMissing       apierror.Cause = "client cert missing"
	CauseClientCertRefused       apierror.Cause = "client cert refused"
	CauseTLSVersion              apierror.Cause = "old tls"
	CauseTLSHandshake            apierror.Cause = "other tls"
	CauseHTML                    apierror.Cause = "html"
	CauseRedirect                apierror.Cause = "redirect"
	CauseResponseTooLarge        apierror.Cause = "too large response"
	CauseMalformedResponse       apierror.Cause = "malformed response"
	CauseRequestTooLarge         apierror.Cause = "too large request"
	CauseCanceled                apierror.Cause = "canceled"
	CauseClosedWithoutClientCert apierror.Cause = "drops without client cert"
	CauseNotThisAPI              apierror.Cause = "other server"
)

// CauseCredentials is the cause of a CredentialError, which only a
// Config.Transport returns.
const CauseCredentials apierror.Cause = "credentials"

// Causes are all causes above. An API has a hint for each.
var Causes = []apierror.Cause{
	CauseConnectionRefused,
	CauseUnknownHost,
	CauseTimeout,
	CauseResponseLost,
	CauseProxy,
	CauseUnknownCA,
	CauseWrongServerName,
	CauseServerCertExpired,
	CauseHTTPSOnPlainPort,
	CausePlainHTTPOnTLSPort,
	CauseClientCertMissing,
	CauseClientCertRefused,
	CauseTLSVersion,
	CauseTLSHandshake,
	CauseHTML,
	CauseRedirect,
	CauseResponseTooLarge,
	CauseMalformedResponse,
	CauseRequestTooLarge,
	CauseCanceled,
	CauseClosedWithoutClientCert,
	CauseNotThisAPI,
}
