// Package appimage plays app images.
package appimage
