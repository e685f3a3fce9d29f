package sandbox

// DomainDataNames are the names of all domain data of a domain by their ids, as
// they are stored.
func (s *Sandbox) DomainDataNames(domainID string) map[string]string {
	return described(s, domainID, func(spec dataSpec) string { return spec.Name })
}

// DataSourceNames are the names of all data sources of a domain by their ids.
func (s *Sandbox) DataSourceNames(domainID string) map[string]string {
	return described(s, domainID, func(spec sourceSpec) string { return spec.Name })
}

// GrantFlows are the flows that the grants of a domain are limited to, by the
// ids of the grants.
func (s *Sandbox) GrantFlows(domainID string) map[string]string {
	return described(s, domainID, func(spec grantSpec) string {
		if spec.Limit == nil {
			return ""
		}
		return spec.Limit.FlowID
	})
}

// described is a text about each object of a kind in a domain.
func described[T any](s *Sandbox, domainID string, text func(T) string) map[string]string {
	defer s.world.enter()()
	out := map[string]string{}
	for key, r := range tableOf[T](s.world).records {
		if key.namespace == domainID {
			out[key.name] = text(r.spec)
		}
	}
	return out
}
