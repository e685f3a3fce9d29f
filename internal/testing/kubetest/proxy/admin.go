package proxy

import (
	"encoding/json"
	"net/http"

	rbac "k8s.io/api/rbac/v1"
)

// adminRoutes are what tests use:
//
//	POST   /kubetest/users/{name}         makes a user; the response is a kubeconfig
//	PUT    /kubetest/users/{name}/rules   gives a user these rules of a ClusterRole and no other right
//	GET    /kubetest/requests?user=       requests since the start
//	POST   /kubetest/faults               a Fault
//	DELETE /kubetest/faults?user=         no more faults
func (f *Proxy) adminRoutes() {
	f.HandleAdmin("POST "+AdminPath+"users/{name}", func(w http.ResponseWriter, r *http.Request) error {
		name := r.PathValue("name")
		text, err := f.kubeconfig(name, f.users.add(name))
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
	f.HandleAdmin("PUT "+AdminPath+"users/{name}/rules", func(w http.ResponseWriter, r *http.Request) error {
		var rules []rbac.PolicyRule
		if err := json.NewDecoder(r.Body).Decode(&rules); err != nil {
			return err
		}
		if !f.users.limit(r.PathValue("name"), rules) {
			http.NotFound(w, r)
		}
		return nil
	})
	f.HandleAdmin("GET "+AdminPath+"requests", func(w http.ResponseWriter, r *http.Request) error {
		writeJSON(w, http.StatusOK, f.requests.of(r.URL.Query().Get("user")))
		return nil
	})
	f.HandleAdmin("POST "+AdminPath+"faults", func(_ http.ResponseWriter, r *http.Request) error {
		fault := &Fault{}
		if err := json.NewDecoder(r.Body).Decode(fault); err != nil {
			return err
		}
		f.faults.add(fault)
		return nil
	})
	f.HandleAdmin("DELETE "+AdminPath+"faults", func(_ http.ResponseWriter, r *http.Request) error {
		f.faults.clear(r.URL.Query().Get("user"))
		return nil
	})
}

// HandleAdmin serves a path only for the user kubetest.
func (f *Proxy) HandleAdmin(pattern string, handle func(w http.ResponseWriter, r *http.Request) error) {
	f.admin.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if user, known := f.users.of(r); !known || user.name != adminUser {
			writeStatus(w, unauthorized())
			return
		}
		if err := handle(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	})
}
