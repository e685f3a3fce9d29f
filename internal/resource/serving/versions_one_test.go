package serving

import (
	"errors"
	"net/http"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
)

// clusterWith is a cluster that calls image before it returns an app image.
func clusterWith(t *testing.T, image func(name string)) *kube.Client {
	t.Helper()
	return fakecluster.Client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, text := path.Base(r.URL.Path), ""
		switch {
		case strings.Contains(r.URL.Path, "/kusciadeployments/"):
			text = `{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"KusciaDeployment","metadata":{"namespace":"cross-domain","name":"` + name + `"},
				"spec":{"parties":[{"domainID":"alice","appImageRef":"first"},{"domainID":"bob","appImageRef":"` + name + `"}]}}`
		case strings.Contains(r.URL.Path, "/appimages/"):
			image(name)
			text = `{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"AppImage","metadata":{"name":"` + name + `","resourceVersion":"1"}}`
		}
		fakecluster.Respond(w, name, text)
	}))
}

// TestImagesKnown: a later response of Kuscia is not older than any of the
// versions, including cached ones.
func TestImagesKnown(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	answered, count := time.Time{}, 0
	client := clusterWith(t, func(string) {
		time.Sleep(5 * time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		answered, count = time.Now(), count+1
	})
	var images imageVersions
	for i, id := range []string{"a", "b", "a"} {
		objects, err := getVersions(t.Context(), client, id, &kuscia.ServingStatusDetail{}, &images)
		if err != nil {
			t.Fatal(err)
		}
		if i < 2 && objects.ImagesReadAt().Before(answered) {
			t.Errorf("%s: the versions were read at %s, and ImagesReadAt is %s", id, answered, objects.ImagesReadAt())
		}
	}
	if count != 3 {
		t.Errorf("%d app images were queried", count)
	}
}

// TestImageWithoutName: an app image that cannot be read has no version.
func TestImageWithoutName(t *testing.T) {
	t.Parallel()
	if _, err := (&imageVersions{}).get(t.Context(), nil, ""); !errors.Is(err, errNoName) {
		t.Errorf("got %v", err)
	}
}
