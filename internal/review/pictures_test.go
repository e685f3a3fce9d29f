package review_test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

const repository = "../.."

// pictures are those of the README and the guides: the review that each shows, up to a heading.
var pictures = map[string]struct{ review, until string }{
	"review":             {"redirected-grant/review.md", "\n### Values"},
	"review.zh-CN":       {"redirected-grant/review.zh.md", "\n### 变化的值"},
	"review-replacement": {"replaced-serving/review.md", ""},
}

// TestPicturesOfReviews: the pictures are those of the recorded reviews. With -update it takes
// them in a browser (make review-pictures).
func TestPicturesOfReviews(t *testing.T) {
	t.Parallel()
	page := filepath.Join("internal", "review", "testdata", "browser.html")
	files := []string{page}
	for name, picture := range pictures {
		source := filepath.Join("internal", "review", "testdata", picture.review)
		files = append(files, source)
		text := testfile.Read(t, filepath.Join(repository, source))
		if picture.until != "" {
			shown, _, ok := strings.Cut(text, picture.until)
			if !ok {
				t.Errorf("%s has no %q", source, picture.until)
			}
			text = shown
		}
		for _, theme := range []string{"light", "dark"} {
			file := filepath.Join(".github", "pictures", name+"-"+theme+".png")
			files = append(files, file)
			if acctest.Updating() {
				acctest.Record(t, filepath.Join(repository, file), review.TakePicture(t, text, theme))
			}
		}
	}
	slices.Sort(files)
	var sums strings.Builder
	for _, file := range files {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256([]byte(testfile.Read(t, filepath.Join(repository, file)))), filepath.ToSlash(file))
	}
	// A difference means that the pictures are older than the reviews: make review-pictures.
	acctest.Golden(t, filepath.Join(repository, ".github", "pictures", "reviews.sha256"), sums.String())
}
