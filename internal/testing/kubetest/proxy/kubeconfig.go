package proxy

import (
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"
)

// Contexts of a kubeconfig in addition to the user's own, which has the user's
// name and is the current one.
const (
	ContextCertificate  = "certificate"  // the user kubetest, by a client certificate
	ContextUnauthorized = "unauthorized" // an invalid token
	ContextUnreachable  = "unreachable"  // an address without a listener
)

// Kubeconfig returns the kubeconfig of the user with all permissions, who may
// also use the paths below AdminPath. It is JSON, which is YAML that everybody can read.
func (f *Proxy) Kubeconfig() ([]byte, error) {
	return f.kubeconfig(adminUser, f.users.token(adminUser))
}

func (f *Proxy) kubeconfig(name, token string) ([]byte, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters["kubetest"] = &clientcmdapi.Cluster{Server: f.URL(), CertificateAuthorityData: f.certificates.ca}
	config.Clusters[ContextUnreachable] = &clientcmdapi.Cluster{Server: "https://127.0.0.1:1", CertificateAuthorityData: f.certificates.ca}
	add := func(context, cluster string, auth *clientcmdapi.AuthInfo) {
		config.AuthInfos[context] = auth
		config.Contexts[context] = &clientcmdapi.Context{Cluster: cluster, AuthInfo: context, Namespace: "alice"}
	}
	add(name, "kubetest", &clientcmdapi.AuthInfo{Token: token})
	add(ContextUnreachable, ContextUnreachable, &clientcmdapi.AuthInfo{Token: token})
	add(ContextUnauthorized, "kubetest", &clientcmdapi.AuthInfo{Token: "nobody"})
	add(ContextCertificate, "kubetest", &clientcmdapi.AuthInfo{
		ClientCertificateData: f.certificates.client, ClientKeyData: f.certificates.clientKey,
	})
	config.CurrentContext = name
	text, err := clientcmd.Write(*config)
	if err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}
