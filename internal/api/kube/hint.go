package kube

import (
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

var causeHints = map[apierror.Cause]string{
	CauseForbidden: "The user or service account of the provider is known to the cluster but lacks a permission. The message contains verb, resource and namespace: " +
		"add them to its Role or ClusterRole, or use other credentials in kubernetes = {...} of the provider block.",
	CauseNotServed: "Its CustomResourceDefinition is not installed, or this is a different cluster than intended: check config_path, config_context or host in the provider block. " +
		"Kuscia's kinds are served by the API server in a Kuscia master or autonomy node, KusciaDeployments in a namespace with Kuscia " + versions.NamespacedDeployments.Needs() + "; those of OpenKruise Rollouts come with its installation.\n\n" + UninstalledHint,
	CauseNoNamespace: "The namespace does not exist in this cluster. Kuscia creates cross-domain and one namespace for each domain: " +
		"check that this is the cluster of a Kuscia master or autonomy node, and that the domain exists.",
	CauseNamespaceTerminating: "The namespace is being deleted, so that nothing can be created in it.",
	CauseFieldManager: "Another field manager owns these fields. Nothing was written. To apply the values of this configuration, take the fields over with force_conflicts = true; " +
		"otherwise add the other values to the configuration.",
	CauseChanged: "Another client changed or replaced the object after it was read. Nothing was written. Plan again to see the current values.",
	CauseWebhookDown: "The API server calls a webhook before it stores such an object, and the webhook does not respond. For OpenKruise Rollouts that is the manager (kruise-rollout-controller-manager): " +
		"check that it runs and that the API server reaches it. Nothing was written; run the same command again after that.",
	httpapi.CauseConnectionRefused: "Nothing listens at the address of the API server, or something in between refuses the connection. Check host, or the server of the context in the kubeconfig: that of Kuscia's own kubeconfig is an address within its container.",
	httpapi.CauseUnknownHost:       "The host name is not known. Check host, or the server of the context in the kubeconfig, and the name resolution of this machine.",
	httpapi.CauseTimeout:           "The API server or the network is too slow or dropped the request. Check the address, proxies and firewalls.",
	httpapi.CauseResponseLost:      lostResponseHint,
	// Cannot be distinguished from a lost response: most clusters require no
	// client certificate.
	httpapi.CauseClosedWithoutClientCert: lostResponseHint,
	httpapi.CauseProxy:                   "The HTTP proxy of the environment (HTTPS_PROXY, HTTP_PROXY), or of the kubeconfig (proxy-url), does not forward the connection. Check the proxy, or add the host to NO_PROXY.",
	httpapi.CauseUnknownCA:               "The API server's certificate is not signed by the trusted CA. Set cluster_ca_certificate, or certificate-authority-data of the cluster in the kubeconfig, to the CA certificate of the cluster.",
	httpapi.CauseWrongServerName:         "The API server's certificate is for other names than this address. Use one of its names, or set tls-server-name of the cluster in the kubeconfig.",
	httpapi.CauseServerCertExpired:       "The API server's certificate has expired, or the clock of this machine is wrong.",
	httpapi.CauseHTTPSOnPlainPort:        "The port expects plain HTTP. Check port and scheme of the address.",
	httpapi.CausePlainHTTPOnTLSPort:      "The port expects TLS. Begin the address with https://.",
	httpapi.CauseClientCertMissing:       "The API server requires a client certificate. Set client_certificate and client_key, or use a context with such a user.",
	httpapi.CauseClientCertRefused:       "The API server does not accept the client certificate: it has expired, or is signed by another CA.",
	httpapi.CauseCredentials:             "The credential plugin (exec in the provider block or in the kubeconfig) failed, or is not installed on this machine. Run it manually; it must not be interactive.",
	httpapi.CauseHTML:                    "Something other than an API server returned a web page: a proxy, a gateway or another server. Check the address.",
	httpapi.CauseRedirect:                "Redirects are not followed, since that would send credentials elsewhere. Check the address.",
	httpapi.CauseResponseTooLarge:        "The response is larger than the limit of the provider. Check that the address is that of an API server.",
	httpapi.CauseMalformedResponse:       "The response does not have the format of the Kubernetes API. Check the address.",
	httpapi.CauseNotThisAPI:              "This is not a response of an API server. Check the address.",
}

// UninstalledHint is what to do with objects in a state whose kind was uninstalled: their
// refresh and their destroy cannot succeed any more.
const UninstalledHint = "If it was uninstalled, the objects of this kind no longer exist: remove their resources from the state (terraform state rm)."

const lostResponseHint = "The connection broke, or the response was truncated on the way. Run the same command again."

const credentialsHint = "The cluster does not accept the credentials: token, client certificate or exec of kubernetes = {...} in the provider block, or the user of the context in the kubeconfig. " +
	"They may have expired, or belong to another cluster."

func hint(e *apierror.Error) string {
	if text := causeHints[e.Cause]; text != "" {
		return text
	}
	switch {
	case e.Is(apierror.ErrUnauthorized):
		return credentialsHint
	case e.HTTPStatus == http.StatusForbidden:
		return "The API server, a webhook or a gateway in between refuses this request. Its message says why, or ask its operator."
	}
	return ""
}
