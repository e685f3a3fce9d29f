package manifest

// Known are the paths of the fields that the KusciaAPI carries, and of those of which it is declared
// that it does not. Each includes all that is below it.
func (r *CustomResource[W]) Known() []string {
	paths := r.Carried.paths("")
	for _, field := range r.Fields {
		paths = append(paths, field.Path)
	}
	return paths
}

func (c Carried) paths(within string) (paths []string) {
	for name, inner := range c {
		if name == Whole || name == number || name == amount {
			continue
		}
		if below := inner.paths(within + name + "."); len(below) > 0 {
			paths = append(paths, below...)
		} else {
			paths = append(paths, within+name)
		}
	}
	return paths
}
