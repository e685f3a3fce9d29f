package phrase

import (
	"math"
	"slices"
	"sort"
)

// Item is one of a list: as it is said where there is room, and in short.
type Item struct{ Long, Short Phrase }

// Listed says items with words between them, the first ones at length and the others in short. Within
// leaves out items; nothing else does.
func Listed(between Words, atLength int, items ...Item) Phrase {
	if len(items) == 0 {
		return nil
	}
	return Phrase{{words: between, items: items, long: atLength, most: Everything}}
}

// Names is Listed for phrases that have no shorter form.
func Names(between Words, list ...Phrase) Phrase {
	items := make([]Item, len(list))
	for i, p := range list {
		items[i] = Item{p, p}
	}
	return Listed(between, len(items), items...)
}

// Brief is Names, of which Within and WriteFirst say no more than the first ones: for what is nowhere else in a text.
func Brief(between Words, most int, list ...Phrase) Phrase {
	all := Names(between, list...)
	for i := range all {
		all[i].most = most
	}
	return all
}

// inItem is the least number of items of a list within an item, if there is no room for all.
const inItem = 5

// Within is Write in so many bytes: as many items as there is room for, the first ones at length if all have
// room, and how many there are more; then as many of the lists within these as there is room for. What is no list
// is not shortened. Said is the number of items that it says, and Everything if it leaves out nothing.
func (p Phrase) Within(in *Language, escape func(string) string, most int) (text string, said int) {
	text = p.WriteFirst(in, escape, Everything)
	list := p.list()
	if list == nil || len(text) <= most {
		return text, Everything
	}
	write := func(long, total, inItem int) string {
		w := writer{in: in, escape: escape, long: long, total: total, inItem: inItem, isComment: true}
		w.phrase(p)
		return w.b.String()
	}
	// space is for what Chinese has between its letters and others.
	const space = 2
	room := most - len(write(0, 0, inItem)) - space
	between, total := len(in.of(list.words))+space, 0
	for _, item := range list.items[:min(len(list.items), list.most)] {
		if room -= len(item.Short.WriteFirst(in, escape, inItem)) + between; room < 0 {
			break
		}
		total++
	}
	if short := write(0, len(list.items), inItem); len(short) <= most { // without how many there are more
		total, room = len(list.items), most-len(short)
	}
	long := 0
	for _, item := range list.items[:min(total, list.long)] {
		if room -= len(item.Long.WriteFirst(in, escape, inItem)) - len(item.Short.WriteFirst(in, escape, inItem)); room < 0 {
			break
		}
		long++
	}
	if !p.isNested(false) {
		return write(long, total, inItem), total
	}
	// least is the size of an item, with what is between it and the next one.
	const least = 4
	more := sort.Search(max(0, most)/least, func(more int) bool { return len(write(long, total, inItem+more+1)) > most })
	return write(long, total, inItem+more), total
}

// WriteFirst is Write with so many items of each list.
func (p Phrase) WriteFirst(in *Language, escape func(string) string, items int) string {
	w := writer{in: in, escape: escape, long: items, total: items, inItem: items, isComment: true}
	w.phrase(p)
	return w.b.String()
}

// list is the first list in a phrase, nil if there is none.
func (p Phrase) list() *part {
	for i := range p {
		if len(p[i].items) > 0 {
			return &p[i]
		}
		for _, arg := range p[i].args {
			if found := arg.list(); found != nil {
				return found
			}
		}
	}
	return nil
}

// isNested reports whether a list has one within its items, or, of what is an item, whether there is any list.
func (p Phrase) isNested(isItem bool) bool {
	return slices.ContainsFunc(p, func(of part) bool {
		isOf := func(i Item) bool { return i.Long.isNested(true) || i.Short.isNested(true) }
		return isItem && len(of.items) > 0 || slices.ContainsFunc(of.items, isOf) || slices.ContainsFunc(of.args, func(arg Phrase) bool { return arg.isNested(isItem) })
	})
}

// Everything is the number of items of a list that is not shortened.
const Everything = math.MaxInt

func (w *writer) list(list part) {
	long, total := w.long, w.total
	defer func(long, total int) { w.long, w.total = long, total }(long, total)
	w.long, w.total = w.inItem, w.inItem
	if w.isComment {
		total = min(total, list.most)
	}
	shown := list.items[:min(len(list.items), total)]
	for i, item := range shown {
		if i > 0 {
			w.text(string(w.in.of(list.words)), false)
		}
		if i < min(list.long, long) {
			w.phrase(item.Long)
		} else {
			w.phrase(item.Short)
		}
	}
	if more := len(list.items) - len(shown); more > 0 {
		if len(shown) > 0 {
			w.text(string(w.in.of(list.words)), false)
		}
		w.phrase(Say("{} more, in -format text", Number(more)))
	}
}
