package review

import "github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"

// uses are the objects that use others, by what they name.
type uses struct {
	// ofEntry are the data sources with the access information in an entry, by its key.
	ofEntry map[string][]*plan.Object
	// ofSource is the data in a data source, and ofData are the grants of data.
	ofSource map[sourceID][]*plan.Object
	ofData   map[dataID][]*plan.Object
}

// sourceID identifies a data source of a domain.
type sourceID struct{ domain, source string }

func sourceOf(v plan.Value) sourceID {
	return sourceID{v.At("domain_id").ID(), v.At("datasource_id").ID()}
}

func (b *builder) newUses() uses {
	u := uses{map[string][]*plan.Object{}, map[sourceID][]*plan.Object{}, map[dataID][]*plan.Object{}}
	for _, o := range b.byKind["kuscia_domain_data_source"] {
		if key := o.Before.At("info_key").ID(); key != "" {
			u.ofEntry[key] = append(u.ofEntry[key], o)
		}
	}
	for _, o := range b.byKind["kuscia_domain_data"] {
		id := sourceOf(o.Latest())
		u.ofSource[id] = append(u.ofSource[id], o)
	}
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		if id, ok := dataOf(o.After); ok {
			u.ofData[id] = append(u.ofData[id], o)
		}
	}
	return u
}

// sourcesOf are the data sources whose access information an entry has, or gets, or the object itself.
func (b *builder) sourcesOf(o *plan.Object) []*plan.Object {
	var all []*plan.Object
	if o.Kind == "kuscia_config" {
		for _, key := range compact([]string{o.Before.At("key").ID(), o.After.At("key").ID()}) {
			all = append(all, ofProvider(b.uses.ofEntry[key], o)...)
		}
	}
	if len(all) == 0 {
		return []*plan.Object{o}
	}
	return all
}

// dataIn is the data of a data source in the plan, and who may read it by grants of the plan.
func (b *builder) dataIn(source *plan.Object) (data, readers []string) {
	if source.Kind == "kuscia_config" {
		return nil, nil
	}
	for _, o := range ofProvider(b.uses.ofSource[sourceOf(source.Latest())], source) {
		data = append(data, o.Latest().At("domaindata_id").Text())
		if id, ok := dataOf(o.Latest()); ok {
			for _, g := range ofProvider(b.uses.ofData[id], source) {
				readers = append(readers, g.After.At("grant_domain").Text())
			}
		}
	}
	return compact(data), compact(readers)
}

// ofProvider are the objects that may be in the Kuscia of another one.
func ofProvider(all []*plan.Object, other *plan.Object) []*plan.Object {
	return only(all, func(o *plan.Object) bool { return plan.SameProvider(o.Provider, other.Provider) != plan.No })
}
