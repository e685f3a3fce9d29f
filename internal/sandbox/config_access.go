package sandbox

// ConfigValue is the value of a key of the sandbox's own configuration as it is
// stored, whatever the cache shows, and whether there is one.
func (s *Sandbox) ConfigValue(key string) (value string, ok bool) {
	defer s.world.enter()()
	value, ok = s.world.configOf(s.ownDomain()).entries[key]
	return value, ok
}

// PutConfigValue stores a value behind the API's back, in the cache too.
func (s *Sandbox) PutConfigValue(key, value string) {
	defer s.world.enter()()
	c := s.world.configOf(s.ownDomain())
	c.entries[key], c.cache[key] = value, value
}
