package review

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/appconfig"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/launch"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/place"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// Values are the values of an object that change.
type Values struct {
	Address string          `json:"address"`
	Action  plan.Action     `json:"action"`
	Changes List[ValueDiff] `json:"changes"`

	effect phrase.Phrase
	// hidden is the number of changes with a value that a review does not show as it is.
	hidden int
}

// titledValues are the values of objects below a title.
type titledValues struct {
	title phrase.Words
	all   []Values
	// ofOthers: they are not judged.
	ofOthers bool
}

// titledValues are what the plan does, what others have done apart from it, and what is not judged.
func (r *Report) titledValues() []titledValues {
	return []titledValues{
		{title: "Values", all: r.Values}, {title: "Values changed outside of this plan", all: r.DriftValues},
		{title: "Values of other providers and of outputs", all: r.OtherValues, ofOthers: true},
	}
}

// allValues are all values that change, in this order.
func (r *Report) allValues() (all List[Values]) {
	for _, values := range r.titledValues() {
		all = append(all, values.all...)
	}
	return all
}

// ValueDiff is an attribute, or an element of one, before and after the change. A value may be
// "(sensitive)", "(known after apply)", "(not known)" or "(not shown: …)".
type ValueDiff struct {
	Path string `json:"path"`
	plan.Pair
	// Differs: the values are different, also where what is shown of them is the same.
	Differs bool `json:"differs"`
}

// Program is something that decides which program runs.
type Program struct {
	Address string `json:"address"`
	ValueDiff

	weight launch.Weight
	// isNew: it is of what did not run before.
	isNew bool
}

// What stands for a value with a secret, and for one before the change that the plan does not say.
const (
	notShown = "(not shown: it is named like a secret, or contains one)"
	notKnown = "(not known)"
)

// values reports every value that changes, and those that decide what runs.
func (b *builder) values() {
	for i := range b.objects {
		if o := &b.objects[i]; o.Touched() {
			b.addValues(o)
		}
	}
	b.report.Programs = byWeight(b.report.Programs)
}

// addValues reports the values of one object; what differs between one that ends and the one that takes its place
// once.
func (b *builder) addValues(o *plan.Object) {
	of := *o
	if whole, isHalf := o.Whole(); isHalf && o.TakesFrom == "" {
		if b.isSecond(o) {
			return
		}
		of = whole
	}
	v := Values{Address: o.Address, Action: of.Action, effect: newOther(*o).phrase()}
	from := of.AsChange()
	changes := b.changesOf(from)
	if len(changes) == 0 {
		from, changes = of, b.changesOf(of)
	}
	for _, d := range changes {
		diffs := b.diffs(from, d)
		for i := range diffs {
			if b.takesOver(from) {
				diffs[i].Before = notKnown
			}
		}
		v.Changes = append(v.Changes, diffs...)
		b.programs(of, d, diffs)
	}
	v.addTo(&b.report.Values)
}

// addTo adds the values to a list, if there are any.
func (v Values) addTo(list *List[Values]) {
	for i := range v.Changes {
		d := &v.Changes[i]
		if v.Action == plan.Forget { // nothing of it changes
			d.After, d.Differs = d.Before, false
		}
		if isHiddenText(d.Before) || isHiddenText(d.After) {
			v.hidden++
		}
	}
	if len(v.Changes) > 0 {
		*list = append(*list, v)
	}
}

// kubernetesSecret is a Secret in a text, and secretData are what it has, and what proves who sends a request.
var (
	kubernetesSecret = regexp.MustCompile(`kind\\*["']?\s*[:=]\s*\\*["']?Secret(?:List)?\b`)
	secretData       = []string{"data", "stringData", "binaryData"}
	secretHeaders    = []string{"authorization", "proxy-authorization", "cookie"}
)

// isSecretOfOthers reports whether a value is a secret by where it is, which providers of others do not mark: in a
// Secret of Kubernetes, or in a header of a request.
func isSecretOfOthers(o plan.Object, path []string) bool {
	for _, side := range []plan.Value{o.Before, o.After} {
		for _, key := range path {
			if slices.Contains(secretHeaders, strings.ToLower(key)) || slices.Contains(secretData, key) && side.At("kind").ID() == "Secret" {
				return true
			}
			side = side.At(key)
		}
	}
	return false
}

// addOtherValues reports the values of an object that this program does not judge. What only its provider
// sets is not known before the apply.
func (b *builder) addOtherValues(o plan.Object, effect phrase.Phrase) []ValueDiff {
	block, v := b.blocks.Of(o.Address), Values{Address: o.Address, Action: o.Action, effect: effect}
	for _, d := range o.Differences() {
		if plan.IsUnset(d.Before) && (plan.IsUnset(d.After) || d.After.IsUnknown() && !block.MaySet(d.Path[0])) {
			continue
		}
		diff := shownDifference(o, d)
		if isSecretOfOthers(o, d.Path) || kubernetesSecret.MatchString(diff.Before) || kubernetesSecret.MatchString(diff.After) {
			for _, text := range []*string{&diff.Before, &diff.After} {
				if isText(*text) {
					*text = notShown
				}
			}
		}
		v.Changes = append(v.Changes, diff)
	}
	v.addTo(&b.report.OtherValues)
	return v.Changes
}

// isSecond reports whether an object takes the place of the one before it.
func (b *builder) isSecond(o *plan.Object) bool {
	if o.Index == 0 || o.Action != plan.Create {
		return false
	}
	first := b.objects[o.Index-1]
	_, isHalf := first.Whole()
	return isHalf && first.Address == o.Address
}

// changesOf are the differences of an object: of a new one all that it has, and of one that goes or
// stays all that it had.
func (b *builder) changesOf(o plan.Object) []plan.Difference {
	var all []plan.Difference
	if o.Action == plan.Update || o.Action == plan.Replace {
		all = slices.Clone(b.differences(o))
	} else {
		all = o.Differences()
	}
	all = slices.DeleteFunc(all, func(d plan.Difference) bool {
		return plan.IsUnset(d.Before) && plan.IsUnset(d.After) || d.After.IsUnknown() && category.ByServer(o.Kind, d.Path, o.Action == plan.Create)
	})
	if o.Kind == "kuscia_domain_data" || o.Kind == "kuscia_domain_data_source" { // of what is cut, the first is left
		slices.SortStableFunc(all, func(x, y plan.Difference) int { return cmp.Compare(place.Of(x.Path), place.Of(y.Path)) })
	}
	return all
}

// programs adds what decides which program runs, and is not in the table of servings.
func (b *builder) programs(o plan.Object, d plan.Difference, diffs []ValueDiff) {
	weight, isNew := weightOf(o, d), b.startsNew(o, d)
	categories, ok := category.Of(o.Kind, d.Path, d.After.Unknown == true)
	last := d.Path[len(d.Path)-1]
	isOfParty := len(d.Path) == 3 && d.Path[0] == "parties"
	switch {
	case isOfParty && last == "image": // is in the table of servings
		return
	case o.IsAnother() && slices.Contains(plan.Identity(o.Kind), d.Path[0]): // only its name
		return
	case isNew && !decidesNew(o, d, weight), !isNew && (!b.alters(o) || b.isOneSided(o, d)):
		return
	case !ok || !slices.Contains(categories, category.Code) || strings.HasSuffix(last, "_wo_version"):
		return
	}
	for _, diff := range diffs {
		b.addProgram(Program{Address: o.Address, ValueDiff: diff, weight: weight, isNew: isNew})
	}
	if isOfParty && last == "app_image" && !isNew {
		b.movedPrograms(o.Provider, d)
	}
}

// isOneSided reports whether a difference is one of a party that comes or leaves.
func (b *builder) isOneSided(o plan.Object, d plan.Difference) bool {
	w := b.workloadOf(o)
	return w != nil && len(d.Path) > 1 && d.Path[0] == "parties" && w.oneSided[d.Path[1]]
}

// startsNew reports whether a difference is one of something that runs and did not before: of a party, an
// edge deployment, or an app image that a new party uses.
func (b *builder) startsNew(o plan.Object, d plan.Difference) bool {
	switch {
	case plan.IsUnset(d.After):
		return false
	case b.isOneSided(o, d):
		return true
	case o.Action != plan.Create || b.takesOver(o):
		return false
	case o.Kind == "kuscia_app_image":
		return b.isStarted(o)
	}
	return o.Kind == "kuscia_edge_deployment"
}

// isStarted reports whether a new party has an app image, or may have it.
func (b *builder) isStarted(image plan.Object) bool {
	if b.started == nil {
		b.started = map[string][]string{}
		for _, w := range b.workloads {
			for _, p := range w.parties {
				if name := p.pair.after.At("app_image"); w.Touched() && name.Exists() && !p.pair.before.Exists() {
					b.started[name.ID()] = append(b.started[name.ID()], w.Provider)
				}
			}
		}
	}
	name := image.After.At("name").ID()
	isOf := func(provider string) bool { return plan.SameProvider(provider, image.Provider) != plan.No }
	if slices.ContainsFunc(b.started[""], isOf) {
		return true
	}
	if name != "" {
		return slices.ContainsFunc(b.started[name], isOf)
	}
	for _, providers := range b.started {
		if slices.ContainsFunc(providers, isOf) {
			return true
		}
	}
	return false
}

// decidesNew reports whether a value of what is new is shown beside the image, which the table of servings
// has but for edge deployments: the command, what else is loaded, and what it may do.
func decidesNew(o plan.Object, d plan.Difference, weight launch.Weight) bool {
	switch raw := d.After.Raw.(type) {
	case bool:
		return raw && weight == launch.Host
	case []any:
		if len(raw) == 0 {
			return false
		}
	}
	return slices.Contains([]launch.Weight{launch.Command, launch.Arguments, launch.Host, launch.Loader}, weight) ||
		weight == launch.Image && o.Kind == "kuscia_edge_deployment"
}

// movedPrograms adds in what the app image to which a party moves differs from that before, beside
// the image, as far as they are in the plan.
func (b *builder) movedPrograms(provider string, d plan.Difference) {
	last := func(all []*plan.Object) *plan.Object {
		if all = ofProvider(all, provider); len(all) == 0 {
			return nil
		}
		return all[len(all)-1]
	}
	from, to := last(b.uses.appsWere[d.Before.ID()]), last(b.uses.apps[d.After.ID()])
	if to == nil || from == to {
		return
	}
	both := *to
	both.Before, both.Action = plan.Value{}, plan.Update
	if from != nil {
		both.Before = from.Before
	}
	for _, part := range both.Differences() {
		categories, ok := category.Of(both.Kind, part.Path, part.After.Unknown == true)
		if !ok || part.Path[0] == "name" || part.Path[0] == "image" || !slices.Contains(categories, category.Code) || plan.IsUnset(part.Before) && plan.IsUnset(part.After) {
			continue
		}
		p := Program{Address: to.Address, ValueDiff: shownDifference(both, part), weight: weightOf(both, part)}
		if from == nil {
			p.Before = notKnown
		}
		b.addProgram(p)
	}
}

// addProgram adds what decides which program runs, once for all parties that move to an app image.
func (b *builder) addProgram(p Program) {
	if !b.programKnown[p] {
		b.report.Programs = append(b.report.Programs, p)
	}
	b.programKnown[p] = true
}

// weightOf is how much a difference of an object decides which program runs.
func weightOf(o plan.Object, d plan.Difference) launch.Weight {
	weight := launch.Of(d.Path, func(path []string) []string {
		var all []string
		for _, side := range []plan.Value{o.Before, o.After} {
			if v := side.At(path...); v.Exists() {
				all = append(all, v.ID())
			}
		}
		return all
	})
	if weight == launch.Image {
		return launch.OfImages(d.Before.ID(), d.After.ID())
	}
	return weight
}

// maxFirst is the number of values of one weight that an object has before the other objects.
const maxFirst = 20

// byWeight sorts what decides most first, among objects and within each. Of many values of one weight in
// one object all but the first come last, so that they hide nothing.
func byWeight(all []Program) []Program {
	type kind struct {
		address string
		weight  launch.Weight
	}
	heaviest, places, counts := map[string]launch.Weight{}, map[string]int{}, map[kind]int{}
	for _, p := range all {
		weight := p.weight
		if p.isNew {
			weight = launch.New
		}
		if before, known := heaviest[p.Address]; known {
			weight = launch.Heavier(before, weight)
		} else {
			places[p.Address] = len(places)
		}
		heaviest[p.Address] = weight
	}
	compare := func(x, y Program) int {
		return cmp.Or(launch.CompareObjects(heaviest[x.Address], heaviest[y.Address]), cmp.Compare(places[x.Address], places[y.Address]), cmp.Compare(x.weight, y.weight))
	}
	var first, last []Program
	for _, p := range all {
		of := kind{p.Address, p.weight}
		if counts[of]++; counts[of] > maxFirst {
			last = append(last, p)
		} else {
			first = append(first, p)
		}
	}
	slices.SortStableFunc(first, compare)
	slices.SortStableFunc(last, compare)
	return append(first, last...)
}

// diffs are those of a difference: of a text that is read one for each of its parts, and all of it where these
// do not have what differs.
func (b *builder) diffs(o plan.Object, d plan.Difference) []ValueDiff {
	w := b.workloadOf(o)
	isText := len(d.Path) == 1 && slices.Contains(configTexts, d.Path[0])
	if w == nil || !isText || !w.text.Readable() {
		return []ValueDiff{shownDifference(o, d)}
	}
	var all []ValueDiff
	if w.text.OnlyInText {
		all = append(all, shownDifference(o, d))
	}
	for _, part := range w.text.Differences() {
		path := d.Path[0]
		if len(part.Path) > 0 {
			path += ": " + strings.Join(part.Path, ".")
		}
		all = append(all, ValueDiff{
			Path: path, Differs: true,
			Pair: plan.Pair{Before: shownText(part.Path, part.Before, nil), After: shownText(part.Path, part.After, nil)},
		})
	}
	return all
}

// shownDifference is what may be shown of a difference.
func shownDifference(o plan.Object, d plan.Difference) ValueDiff {
	path := o.Visible(d.Path)
	var parents [2]plan.Value
	if n := len(d.Path); n > 1 && len(path) == n {
		parents = [2]plan.Value{o.Before.At(d.Path[:n-1]...), o.After.At(d.Path[:n-1]...)}
	}
	return ValueDiff{
		Path: strings.Join(path, "."), Differs: true,
		Pair: plan.Pair{Before: shownText(path, d.Before, &parents[0]), After: shownText(path, d.After, &parents[1])},
	}
}

// shownText is what may be shown of a value at a path in its parent: no secrets, not even those
// that are not marked as sensitive.
func shownText(path []string, v plan.Value, parent *plan.Value) string {
	text := v.Text()
	if len(path) == 0 || v.Raw == nil || text == plan.SensitiveText {
		return text
	}
	name := path[len(path)-1]
	isPlace := slices.Contains(places, name)
	if parent != nil {
		if list, ok := parent.Raw.([]any); ok && plan.IsIndex(name) {
			name = ""
			if isSecretArgument(list, path[len(path)-1]) {
				return notShown
			}
		} else if sibling := parent.At("name").Name(); name == "value" && sibling != "" {
			name = sibling // of a variable or a header
		}
	}
	switch raw, isText := v.Raw.(string); {
	case isPlace:
		text = secrets.MaskedPath(text)
	case isText && address.MatchString(raw):
		text = appconfig.WithoutCredentials(text)
	}
	if text == notShown || text == notKnown {
		return strconv.Quote(text) // these are words of a review
	}
	if _, isBool := v.Raw.(bool); !isBool && (secrets.Is(name, text) && !isScript(path, text) || len(secrets.Keys(secrets.Masked(text))) > 0) { // which only a parser finds
		return notShown
	}
	return text
}

// isScript reports whether a text is a file of several words, of which its name says nothing.
func isScript(path []string, text string) bool {
	return len(path) > 1 && path[0] == "config_templates" && len(strings.Fields(text)) > 1
}

// places are attributes that say where data is. No part of them hides another.
var places = []string{"relative_uri", "path", "prefix"}

// address is what may be one address, and with a scheme also with spaces: no command or JSON with one, which may
// have anything beside it.
var address = regexp.MustCompile("^(?:[A-Za-z][A-Za-z0-9+.:-]*://[^\t\n\"'`|<>${}\\\\;&]*|[^\\s\"'`|<>${}\\\\;&]*)(?:&[\\w.~%-]+=[^\\s\"'`|<>${}\\\\;&]*)*$")

// isSecretArgument reports whether an element of a command is a secret by the element before it.
func isSecretArgument(list []any, index string) bool {
	at, err := strconv.Atoi(index)
	if err != nil || at < 1 || at >= len(list) {
		return false
	}
	var arguments []string
	const before = 20 // of a command that says what the argument is
	list = list[max(0, at-before) : at+1]
	for _, argument := range list {
		text, _ := argument.(string)
		arguments = append(arguments, text)
	}
	return secrets.IsOfCommand(arguments, len(arguments)-1)
}

// Phrase shows both values.
func (d ValueDiff) Phrase() phrase.Phrase {
	if d.isHidden() {
		return d.after()
	}
	return d.Pair.Phrase()
}

// isHidden reports whether the values differ, and what is shown of them does not.
func (d ValueDiff) isHidden() bool {
	isLong := phrase.IsCut(d.After, phrase.MaxShown) // and has its length and hash in a cell
	return d.Differs && phrase.IsCut(d.Before, phrase.MaxShown) == isLong && looks(d.Before) == looks(d.After)
}

// before and after are the values in words.
func (d ValueDiff) before() phrase.Phrase { return orDash(d.Before) }

func (d ValueDiff) after() phrase.Phrase {
	if d.isHidden() {
		return phrase.Say("another value: {}", orDash(d.After))
	}
	return orDash(d.After)
}

// isText reports whether a value is shown, and no words stand for it.
func isText(text string) bool {
	return !slices.Contains([]string{"", notShown, plan.SensitiveText, plan.UnknownText}, text)
}

// looks is what a page shows of a text in a cell.
func looks(text string) string { return strings.Join(strings.Fields(secrets.Masked(text)), " ") }

func orDash(text string) phrase.Phrase {
	switch text {
	case "":
		return phrase.Say("none")
	case notShown:
		return phrase.Say(notShown)
	case notKnown:
		return phrase.Say(notKnown)
	}
	return plan.Shown(text)
}
