package httpapi

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// MaxCredentialFile limits the size of a file with credentials.
const MaxCredentialFile = 1 << 20

// fileError describes why a file cannot be used, without its path and content.
type fileError struct {
	text  string
	cause error
}

func (e *fileError) Error() string { return e.text }
func (e *fileError) Unwrap() error { return e.cause }

// ReadCredentialFile reads a file with credentials. All of them are read here: a
// pipe or a device could block for ever or never end, so only regular files up to
// MaxCredentialFile are read. Errors contain neither the path, which may be a
// secret in the wrong attribute, nor the content.
//
// A file of a network or of the kernel may block as well: it gets readFor.
func ReadCredentialFile(path string) ([]byte, error) {
	return within(readFor, func() ([]byte, error) { return readCredentialFile(path) })
}

// within returns what a function reads, unless that takes longer than a limit.
func within(limit time.Duration, read func() ([]byte, error)) ([]byte, error) {
	type result struct {
		content []byte
		err     error
	}
	ended := make(chan result, 1)
	go func() {
		content, err := read()
		ended <- result{content, err}
	}()
	select {
	case found := <-ended:
		return found.content, found.err
	case <-time.After(limit):
		return nil, &fileError{text: fmt.Sprintf("it could not be read within %s", limit)}
	}
}

// readFor is how long a file may take to be read.
const readFor = 10 * time.Second

func readCredentialFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &fileError{openProblem(err), err}
	}
	if err := checkCredentialFile(info); err != nil {
		return nil, err
	}
	// The file may have been replaced by a pipe in between.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, &fileError{openProblem(err), err}
	}
	defer func() { _ = file.Close() }()
	if info, err = file.Stat(); err != nil {
		return nil, &fileError{openProblem(err), err}
	}
	if err := checkCredentialFile(info); err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		// The kernel's files say so too, and some block when they are read.
		return nil, nil
	}
	content, err := io.ReadAll(io.LimitReader(file, MaxCredentialFile+1))
	if err != nil {
		return nil, &fileError{openProblem(err), err}
	}
	if len(content) > MaxCredentialFile {
		return nil, errLargeFile
	}
	return content, nil
}

var errLargeFile = &fileError{text: fmt.Sprintf("it is larger than %d MiB, which no file with credentials is", MaxCredentialFile>>20)}

func checkCredentialFile(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &fileError{text: "it is a directory, not a file"}
	case !info.Mode().IsRegular():
		return &fileError{text: "it is not a regular file but a pipe, a socket or a device, which could block"}
	case info.Size() > MaxCredentialFile:
		return errLargeFile
	}
	return nil
}

// openProblem is the text for an error of a file, without the path in it.
func openProblem(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file"
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return err.Error()
}
