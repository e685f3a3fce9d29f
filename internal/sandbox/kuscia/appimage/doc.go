// Package appimage simulates app images.
package appimage
