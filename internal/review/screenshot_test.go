package review

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// TakePicture shows a review in a browser, and returns a PNG of it.
func TakePicture(t *testing.T, review, theme string) string {
	t.Helper()
	page, file := newPage(t, map[string]string{"review": review}), filepath.Join(t.TempDir(), "picture.png")
	if got := inBrowser(t, page, theme, mermaids[0])["review"]; len(got.Errors) > 0 || got.Graphs != 1 {
		t.Fatalf("the review is shown as %+v", got)
	}
	// Twice as many points as the page has: screens have them.
	if _, err := browse(t, page, theme, mermaids[0], "--screenshot="+file, "--hide-scrollbars", "--force-device-scale-factor=2", "--window-size=892,3000"); err != nil {
		t.Fatal(err)
	}
	screen, err := png.Decode(strings.NewReader(testfile.Read(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	area := usedArea(screen)
	if area == screen.Bounds() {
		t.Fatal("the review is longer than the window")
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, inPalette(screen, area)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// usedArea is the screen without the empty rows at its end, but for the margin of the page.
func usedArea(screen image.Image) image.Rectangle {
	const margin = 32
	area := screen.Bounds()
	background := screen.At(area.Max.X-1, area.Max.Y-1)
	for y := area.Max.Y - 1; y > area.Min.Y; y-- {
		for x := range area.Max.X {
			if screen.At(x, y) != background {
				area.Max.Y = min(area.Max.Y, y+margin)
				return area
			}
		}
	}
	return area
}

// inPalette is an area with its 256 most frequent colors, which makes the file a third as large.
// The others are shades at the edges of letters.
func inPalette(screen image.Image, area image.Rectangle) *image.Paletted {
	counts := map[color.Color]int{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			counts[screen.At(x, y)]++
		}
	}
	frequent := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	palette := color.Palette(frequent[:min(len(frequent), 256)])
	nearest := map[color.Color]uint8{}
	picture := image.NewPaletted(area, palette)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			shade := screen.At(x, y)
			index, ok := nearest[shade]
			if !ok {
				index = uint8(palette.Index(shade)) // at most 255
				nearest[shade] = index
			}
			picture.SetColorIndex(x, y, index)
		}
	}
	return picture
}
