package sandbox

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// world holds every object of the sandbox. All of it is guarded by mu; the
// handlers take the lock, catch up with the clock and then work on it.
type world struct {
	mu     sync.Mutex
	clock  *clock
	now    time.Time // the time up to which everything has happened
	events eventQueue
	seq    uint64

	timing   Timing
	version  kusciaVersion
	autonomy string // the domain id of a P2P node
	seed     uint64
	rng      *rand.Rand
	uids     uint64

	domains     map[string]*domain
	namespaces  map[string]bool // stay when their domain is deleted
	appImages   map[string]*appImage
	servings    map[string]*serving
	deployments map[objectKey]*deployment
	services    map[objectKey]*service
	byOwner     map[objectKey][]*service // services by the Deployment they lead to
	owned       map[string]*belongings   // by serving id
	usedPorts   map[string]map[int32]bool
	// cleaning is until when the controller is busy removing what a deleted
	// serving left; a new serving of that id waits, unless leftovers are adopted.
	cleaning       map[string]time.Time
	adoptLeftovers bool
	// stores are what the registered objects keep, by type; see stored.
	stores map[reflect.Type]any
}

// objectKey names an object in a namespace.
type objectKey struct{ namespace, name string }

func (k objectKey) compare(other objectKey) int {
	if order := strings.Compare(k.namespace, other.namespace); order != 0 {
		return order
	}
	return strings.Compare(k.name, other.name)
}

// appImage is a stored app image with canonical quantities.
type appImage struct {
	kuscia.AppImage
	uid     uint64
	created time.Time
}

func newWorld(o Options, version kusciaVersion) *world {
	c := newClock(o.FrozenClock)
	seed := o.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	w := &world{
		clock:          c,
		now:            c.now(),
		timing:         o.Timing,
		version:        version,
		autonomy:       o.Autonomy,
		seed:           seed,
		rng:            rand.New(rand.NewPCG(seed, seed)),
		domains:        map[string]*domain{},
		namespaces:     map[string]bool{},
		appImages:      map[string]*appImage{},
		servings:       map[string]*serving{},
		deployments:    map[objectKey]*deployment{},
		services:       map[objectKey]*service{},
		byOwner:        map[objectKey][]*service{},
		owned:          map[string]*belongings{},
		cleaning:       map[string]time.Time{},
		adoptLeftovers: o.AdoptLeftovers,
		usedPorts:      map[string]map[int32]bool{},
	}
	for _, id := range o.Domains {
		role := ""
		if o.Autonomy != "" && id != o.Autonomy {
			role = domainRolePartner
		}
		d := w.addDomain(id, role)
		d.withNode, d.nodeSince = role == "", w.now
	}
	w.seedObjects()
	return w
}

// enter takes the lock and catches up; the caller must call the returned
// function when done.
func (w *world) enter() func() {
	w.mu.Lock()
	w.catchUp()
	return w.mu.Unlock
}

func (w *world) nextUID() uint64 {
	w.uids++
	return w.uids
}
