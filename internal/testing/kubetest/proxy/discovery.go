package proxy

import (
	"net/http"
	"slices"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/crds"
)

// groups responds to the two discovery requests that an API server for custom
// resources leaves to the aggregator, and reports whether it was one of them.
func (f *Proxy) groups(w http.ResponseWriter, r *http.Request) bool {
	switch strings.TrimSuffix(r.URL.Path, "/") {
	case "/api":
		writeJSON(w, http.StatusOK, metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}})
	case "/apis":
		writeJSON(w, http.StatusOK, f.groupList())
	default:
		return false
	}
	return true
}

func (f *Proxy) groupList() metav1.APIGroupList {
	definitions := metav1.GroupVersionForDiscovery{GroupVersion: apiextensions.SchemeGroupVersion.String(), Version: apiextensions.SchemeGroupVersion.Version}
	list := metav1.APIGroupList{
		TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"},
		Groups: []metav1.APIGroup{{
			Name: apiextensions.GroupName, Versions: []metav1.GroupVersionForDiscovery{definitions}, PreferredVersion: definitions,
		}},
	}
	for _, definition := range f.definitions {
		name := strings.TrimSuffix(definition.Spec.Group, ".kubetest")
		known := slices.ContainsFunc(list.Groups, func(g metav1.APIGroup) bool { return g.Name == name })
		if known || definition.Spec.Group == crds.Core {
			continue
		}
		group := metav1.APIGroup{Name: name}
		for _, version := range definition.Spec.Versions {
			group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{GroupVersion: name + "/" + version.Name, Version: version.Name})
		}
		group.PreferredVersion = group.Versions[len(group.Versions)-1]
		list.Groups = append(list.Groups, group)
	}
	return list
}
