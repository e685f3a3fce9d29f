package acctest

// RunServings makes this API the store of a sandbox, as the API server is that of a
// KusciaAPI: all that the KusciaAPI has are objects of it, and the controllers here run the
// servings. So a Rollout can pause a serving. For a real Kuscia, whose
// cluster this is, it does nothing.
func (k *Kube) RunServings(e *Env) {
	k.t.Helper()
	if e.Sandbox == nil {
		return
	}
	k.RequireSimulated(k.t, "a sandbox writes to no real control plane")
	api := k.Server.Objects()
	if err := e.Sandbox.UseAPI(api); err != nil {
		k.t.Fatalf("making a sandbox use the Kubernetes API: %v", err)
	}
	clean := api.Record() // the domains and what they have are those of all tests
	k.t.Cleanup(func() {
		if err := clean(); err != nil {
			k.t.Errorf("deleting what a sandbox has created: %v", err)
		}
	})
}
