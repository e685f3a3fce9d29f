package apiserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Server is a running program of testing/kubetest. It ends with this process.
type Server struct {
	*connection
	cmd      *exec.Cmd
	in       io.Closer
	problems bytes.Buffer
	// ended is closed when the program has ended, with err.
	ended chan struct{}
	err   error
}

// Start starts the program and waits until it serves. It writes a kubeconfig to this path.
func Start(ctx context.Context, program, kubeconfig string, arguments ...string) (*Server, error) {
	s := &Server{cmd: exec.Command(program, append([]string{"-kubeconfig", kubeconfig}, arguments...)...), ended: make(chan struct{})} // it ends with its input
	s.cmd.Stderr = &s.problems
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting an API server: %w", err)
	}
	ready := make(chan bool, 1)
	go func() {
		defer close(s.ended)
		line, _ := bufio.NewReader(out).ReadString('\n')
		ready <- line == "ready\n"
		if s.err = s.cmd.Wait(); s.err != nil {
			s.err = fmt.Errorf("%s: %w: %s", program, s.err, bytes.TrimSpace(s.problems.Bytes()))
		}
	}()
	stop := context.AfterFunc(ctx, func() { _ = s.in.Close() })
	defer stop()
	if !<-ready {
		return nil, errors.Join(errors.New("starting an API server: it ended before it was ready"), s.Close(), ctx.Err())
	}
	if s.connection, err = connect(kubeconfig); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Objects returns the objects of the server.
func (s *Server) Objects() *Objects { return &Objects{connection: s.connection} }

// Ended is closed when the program has ended.
func (s *Server) Ended() <-chan struct{} { return s.ended }

// Close ends the program, which deletes its data and the kubeconfig, and waits for it. It
// is no error if somebody has interrupted the program before.
func (s *Server) Close() error {
	err := s.in.Close()
	<-s.ended
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	return errors.Join(err, s.err)
}
