package review

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/place"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// uses are the objects that others use, and those that use others, by what they name.
type uses struct {
	// data and sources are those after the change.
	data    map[dataID][]*plan.Object
	sources map[sourceID][]*plan.Object
	// ofEntry are the data sources that stay and had their access information in an entry, by its key, and
	// keepEntry those that have it there after the change.
	ofEntry, keepEntry map[string][]*plan.Object
	// wereIn is the data that was in a data source, areIn that after the change, and ofData are the grants
	// of data.
	wereIn, areIn map[sourceID][]*plan.Object
	ofData        map[dataID][]*plan.Object
	// appsWere and apps are the app images before and after the change, by their names.
	appsWere, apps map[string][]*plan.Object
	// entries and readable are what was found once.
	entries  map[entryID]*entry
	readable map[ofSource]readable
}

// sourceID identifies a data source of a domain.
type sourceID struct{ domain, source string }

func sourceOf(v plan.Value) sourceID {
	return sourceID{v.At("domain_id").ID(), v.At("datasource_id").ID()}
}

func (b *builder) newUses() uses {
	u := uses{
		data: map[dataID][]*plan.Object{}, sources: map[sourceID][]*plan.Object{}, ofEntry: map[string][]*plan.Object{}, keepEntry: map[string][]*plan.Object{},
		wereIn: map[sourceID][]*plan.Object{}, areIn: map[sourceID][]*plan.Object{}, ofData: map[dataID][]*plan.Object{},
		appsWere: map[string][]*plan.Object{}, apps: map[string][]*plan.Object{}, entries: map[entryID]*entry{}, readable: map[ofSource]readable{},
	}
	for _, o := range b.byKind["kuscia_domain_data_source"] {
		put(u.sources, sourceOf(o.After), o)
		if o.Action != plan.Delete {
			put(u.ofEntry, o.Before.At("info_key").ID(), o)
		}
		put(u.keepEntry, o.After.At("info_key").ID(), o)
	}
	for _, o := range b.byKind["kuscia_app_image"] {
		if !o.Deposed {
			put(u.appsWere, o.Before.At("name").ID(), o)
			put(u.apps, o.After.At("name").ID(), o)
		}
	}
	for _, o := range b.byKind["kuscia_domain_data"] {
		put(u.wereIn, sourceOf(o.Before), o)
		put(u.areIn, sourceOf(o.After), o)
		if id, ok := dataOf(o.After); ok {
			put(u.data, id, o)
		}
	}
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		if id, ok := dataOf(o.After); ok {
			put(u.ofData, id, o)
		}
	}
	return u
}

// put adds an object to those of a key that is known.
func put[K comparable](all map[K][]*plan.Object, key K, o *plan.Object) {
	var none K
	if key != none {
		all[key] = append(all[key], o)
	}
}

// entry are the data sources whose access information is in the entry of a key, or one object without a key.
type entry struct {
	key     string
	sources []*plan.Object
	// owners are the numbers of the data sources by their domains, and domains are those that are known, if not isHidden.
	owners   map[string]int
	domains  []string
	isHidden bool
}

func newEntry(key string, sources ...*plan.Object) *entry {
	e := &entry{key: key, sources: sources, owners: map[string]int{}}
	for _, source := range sources {
		domain := source.Latest().At("domain_id")
		e.owners[domain.Text()]++
		if name := domain.Name(); name != "" {
			e.domains = append(e.domains, name)
		}
		e.isHidden = e.isHidden || domain.IsUnknown() || domain.Exists() && domain.IsSensitive()
	}
	e.domains = compact(e.domains)
	return e
}

// entryID identifies an entry of a provider configuration: as it was, or as it is kept.
type entryID struct {
	provider, key string
	isKept        bool
}

// entryOf are the data sources with an entry, nil for none. Many objects may have it, and it is made once.
func (b *builder) entryOf(id entryID) *entry {
	e, ok := b.uses.entries[id]
	if !ok {
		all := b.uses.ofEntry
		if id.isKept {
			all = b.uses.keepEntry
		}
		if sources := ofProvider(all[id.key], id.provider); len(sources) > 0 {
			e = newEntry(id.key, sources...)
		}
		b.uses.entries[id] = e
	}
	return e
}

// sourcesOf are the data sources whose access information an entry has, or gets, or the object itself.
func (b *builder) sourcesOf(o *plan.Object) []*entry {
	var all []*entry
	if o.Kind == "kuscia_config" {
		for _, key := range compact([]string{o.Before.At("key").ID(), o.After.At("key").ID()}) {
			if e := b.entryOf(entryID{provider: o.Provider, key: key}); e != nil {
				all = append(all, e)
			}
		}
	}
	if len(all) == 0 {
		return []*entry{newEntry("", o)}
	}
	return all
}

// readable is the data of a data source, and who may read it.
type readable struct{ data, readers []string }

// ofSource identifies a data source of a provider configuration.
type ofSource struct {
	provider string
	sourceID
}

// dataIn is the data of a data source in the plan after the change, and who may read it by grants of the
// plan.
func (b *builder) dataIn(source *plan.Object, in plan.Value) readable {
	if source.Kind == "kuscia_config" {
		return readable{}
	}
	at := ofSource{source.Provider, sourceOf(in)}
	if found, ok := b.uses.readable[at]; ok {
		return found
	}
	var found readable
	known := map[dataID]bool{}
	for _, o := range ofProvider(b.uses.areIn[at.sourceID], source.Provider) {
		found.data = append(found.data, o.After.At("domaindata_id").Text())
		id, ok := dataOf(o.After)
		if !ok || known[id] {
			continue
		}
		known[id] = true
		for _, g := range ofProvider(b.uses.ofData[id], source.Provider) {
			found.readers = append(found.readers, g.After.At("grant_domain").Text())
		}
	}
	found = readable{compact(found.data), compact(found.readers)}
	b.uses.readable[at] = found
	return found
}

// ofProvider are the objects that may be of a provider configuration.
func ofProvider(all []*plan.Object, provider string) []*plan.Object {
	return only(all, func(o *plan.Object) bool { return plan.SameProvider(o.Provider, provider) != plan.No })
}

// contentOf is what can be read by a grant after the change, as far as the plan has it: where the data is, and
// its columns.
func (b *builder) contentOf(grant *plan.Object) []phrase.Phrase {
	id, ok := dataOf(grant.After)
	found := ofProvider(b.uses.data[id], grant.Provider)
	if !ok || len(found) == 0 {
		return nil
	}
	data := found[0]
	all := placeOf(data)
	if sources := ofProvider(b.uses.sources[sourceOf(data.After)], data.Provider); len(sources) > 0 {
		all = append(all, placeOf(sources[0])...)
	}
	if columns := dataColumns(data.After); len(columns) > 0 {
		all = append(all, dataChange{weight: place.Columns, after: phrase.Say("columns {}", columnList(columns))})
	}
	return decisiveOf(all, dataChange.saysAfter)
}

// placeOf is where data, or what is in a data source, is after the change.
func placeOf(o *plan.Object) []dataChange {
	is := *o
	is.Action, is.Before = plan.Update, plan.Value{}
	var all []dataChange
	for _, d := range is.Differences() {
		categories, _ := category.Of(o.Kind, d.Path, d.After.Unknown == true)
		isPlace := slices.Contains(categories, category.Granted) && !slices.Contains([]string{"columns", "type", "file_format"}, d.Path[0])
		if isPlace && !plan.IsUnset(d.After) && !slices.Contains(plan.Identity(o.Kind), d.Path[0]) {
			all = append(all, newDataChange(is, d))
		}
	}
	return all
}
