package ief

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// codeHints are hints for documented codes.
var codeHints = map[string]string{
	codeNoAPI:     "IEF does not know this API at this endpoint. Check ief.endpoint and ief.region, and whether the region offers this version of the API.",
	codeDenied:    "IEF does not accept the credentials. Check that the access key or token belongs to the project in ief.project_id, that a token or temporary key has not expired, and that instance_id, if it is set, is a service instance of this project.",
	codeNoProject: "IEF does not know the project in ief.project_id. It is the ID of the project of this region, found in the console under My Credentials.",
	"IEF.100009":  "IEF rejected a volume. Check type and source of the volumes.",
	"IEF.100010":  "IEF rejected the version of the container.",
	"IEF.100012":  "IEF rejected a name.",
	"IEF.100013":  "IEF rejected an environment variable.",
	"IEF.100158":  "IEF cannot find the GPUs of the edge node. Check that GPUs are enabled on the node, or omit gpu.",
}

// Codes with the same meaning for every request.
const (
	codeNoAPI     = "IEF.011002"
	codeDenied    = "IEF.011005"
	codeNoProject = "IEF.100001"
)

// causeHints are hints for failures without a code.
var causeHints = map[apierror.Cause]string{
	httpapi.CauseConnectionRefused: "Nothing listens at the endpoint, or something in between refuses the connection. Check ief.region or ief.endpoint.",
	httpapi.CauseUnknownHost:       "The host name is not known. Check ief.region or ief.endpoint, and the name resolution of this machine. Not every region of Huawei Cloud offers IEF.",
	httpapi.CauseTimeout:           "The service or the network is too slow or dropped the request. Check ief.endpoint, proxies and firewalls.",
	httpapi.CauseResponseLost:      "The connection broke, or the response was truncated on the way. Run the same command again.",
	httpapi.CauseProxy:             "The HTTP proxy of the environment (HTTPS_PROXY, HTTP_PROXY) does not forward the connection. Check the proxy, or add the host to NO_PROXY.",
	httpapi.CauseUnknownCA:         "The server's certificate is not signed by a CA that is trusted on this machine. A proxy that inspects TLS may be in between.",
	httpapi.CauseHTML:              "Something other than IEF returned a web page: a proxy, a gateway or another server. Check ief.endpoint.",
	httpapi.CauseRedirect:          "Redirects are not followed, since that would send credentials elsewhere. Check ief.endpoint.",
	httpapi.CauseMalformedResponse: "The response does not have the documented format of IEF. Check ief.endpoint; if it is correct, the service has changed and the provider does not support this yet.",
	httpapi.CauseNotThisAPI:        "This is not a response of IEF. Check ief.endpoint.",
}

const credentialsHint = "Check the credentials in the ief block of the provider: access key, secret key, and the security token of a temporary key, or a token, " +
	"which is valid for 24 hours. A signature is also refused when the clock of this machine is more than 15 minutes wrong. The user needs the permissions for IEF deployments."

func hint(e *apierror.Error) string {
	if text := codeHints[e.Code]; text != "" {
		return text
	}
	if e.Is(apierror.ErrUnsupported) {
		return codeHints[codeNoAPI]
	}
	if text := causeHints[e.Cause]; text != "" {
		return text
	}
	if e.Is(apierror.ErrUnauthorized) {
		return credentialsHint
	}
	return ""
}
