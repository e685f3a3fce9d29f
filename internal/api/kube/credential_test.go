//go:build !windows

package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// sleeping is a plugin that starts a program that sleeps. The file has its
// process id in a line for each start.
func (f folder) sleeping() (exec *Exec, file string) {
	f.t.Helper()
	file = filepath.Join(f.dir, "started")
	return &Exec{APIVersion: "client.authentication.k8s.io/v1", Command: f.write("sleeping", "#!/bin/sh\nsleep 600 &\necho $! >> "+file+"\nwait\n")}, file
}

// started are the process ids in the file.
func started(t *testing.T, file string) []int {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var all []int
	for line := range strings.Lines(string(content)) {
		id, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, id)
	}
	return all
}

func checkEnded(t *testing.T, processes []int) {
	t.Helper()
	for _, id := range processes {
		for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
			if errors.Is(syscall.Kill(id, 0), syscall.ESRCH) || err == nil && strings.Contains(string(state), ") Z ") {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("process %d still runs", id)
			}
		}
	}
}

// TestPluginEnds: a plugin that does not end is stopped with all that it has started, after its
// limit, or with the context of the calls that wait for it, which share the failure.
func TestPluginEnds(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]time.Duration{"limit": 500 * time.Millisecond, "context": time.Hour} {
		f := newFolder(t)
		exec, file := f.sleeping()
		client, err := New(Config{Host: "https://127.0.0.1:1", Exec: exec, MaxRetries: 5})
		if err != nil {
			t.Fatal(err)
		}
		client.source = pluginSource(*exec, limit)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() {
				err := second(client.Get(ctx, KusciaDeployments, CrossDomain, "kd"))
				stopped := err != nil && strings.Contains(err.Error(), `sleeping" did not end within 500ms and was stopped`) && errors.Is(err, apierror.ErrUnauthorized)
				if stopped != (name == "limit") || errors.Is(err, context.Canceled) != (name == "context") {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		for len(started(t, file)) == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		began := time.Now()
		if name == "context" {
			cancel()
		}
		calls.Wait()
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s: the calls took %s", name, took)
		}
		processes := started(t, file)
		if len(processes) != 1 {
			t.Errorf("%s: the plugin was started %d times", name, len(processes))
		}
		checkEnded(t, processes)
	}
	if pluginTimeout != time.Minute {
		t.Errorf("the limit is %s", pluginTimeout)
	}
}

// TestCredentialOfAnotherClock: a new credential that has expired by the clock of this machine
// is used for a while: the plugin does not run for each call.
func TestCredentialOfAnotherClock(t *testing.T) {
	t.Parallel()
	address, sent := seenBy(t, "Authorization")
	f := newFolder(t)
	runs := filepath.Join(f.dir, "runs")
	f.write("program", "#!/bin/sh\necho >> "+runs+"\necho '"+execCredential(`"token":"ours","expirationTimestamp":"2020-01-01T00:00:00Z"`)+"'\n")
	client, err := New(Config{ConfigPath: f.write("config", kubeconfigOf(`server: "`+address+`", insecure-skip-tls-verify: true`, "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./program, interactiveMode: Never}"))})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := second(client.Get(t.Context(), KusciaDeployments, CrossDomain, "kd")); err != nil || *sent != "Bearer ours" {
			t.Errorf("%q: %v", *sent, err)
		}
	}
	if content, err := os.ReadFile(runs); err != nil || len(content) != 1 {
		t.Errorf("the plugin ran %d times, %v", len(content), err)
	}
}

// TestReplacedCredentials: a token that the cluster no longer accepts is read
// again, from its file or from the plugin, and the call is repeated once.
func TestReplacedCredentials(t *testing.T) {
	t.Parallel()
	var valid atomic.Value
	var calls atomic.Int32
	valid.Store("first")
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if r.Header.Get("Authorization") != "Bearer "+valid.Load().(string) {
			answer(w, http.StatusUnauthorized, status(401, "Unauthorized", "refused "+r.Header.Get("Authorization"), ""))
			return
		}
		answer(w, http.StatusOK, storedDeployment)
	}))
	t.Cleanup(server.Close)
	f := newFolder(t)
	f.write("program", "#!/bin/sh\nprintf '"+execCredential(`"token":"%s"`)+"' \"$(cat "+filepath.Join(f.dir, "token")+")\"\n")
	cluster := `server: "` + server.URL + `", insecure-skip-tls-verify: true`
	for _, user := range []string{"tokenFile: token", "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./program, interactiveMode: Never}"} {
		f.write("token", "first")
		valid.Store("first")
		client, err := New(Config{ConfigPath: f.write("config", kubeconfigOf(cluster, user))})
		if err != nil {
			t.Fatal(err)
		}
		get := func() error { return second(client.Get(t.Context(), KusciaDeployments, CrossDomain, "kd")) }
		if err := get(); err != nil {
			t.Errorf("%s: %v", user, err)
		}
		f.write("token", "second\n")
		valid.Store("second")
		calls.Store(0)
		if err := get(); err != nil || calls.Load() != 2 {
			t.Errorf("%s: after %d calls: %v", user, calls.Load(), err)
		}
		valid.Store("unknown")
		calls.Store(0)
		err = get()
		if !errors.Is(err, apierror.ErrUnauthorized) || calls.Load() != 1 || strings.Contains(err.Error(), "second") {
			t.Errorf("%s: after %d calls: %v", user, calls.Load(), err)
		}
	}
}
