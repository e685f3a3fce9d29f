package kube

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientauthentication "k8s.io/client-go/pkg/apis/clientauthentication/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// pluginTimeout is the time limit of a credential plugin.
const pluginTimeout = time.Minute

// freshFor is for how long a new credential is used, even if it says that it expires
// before: to a clock that is wrong it may be expired when it comes, so that every request
// would run the plugin. The cluster refuses one that has expired, and it is replaced then.
const freshFor = 10 * time.Second

// errStopped means that the plugin was stopped, and would be again.
var errStopped = errors.New("was stopped")

// pluginSource is the source of the credentials of a plugin. client-go runs it
// without a limit and regardless of the context.
func pluginSource(plugin Exec, limit time.Duration) *source {
	var secrets []string
	for _, value := range plugin.Env {
		secrets = append(secrets, value)
	}
	return newSource(func(ctx context.Context) (*credential, error) {
		found, err := plugin.run(ctx, limit)
		if err != nil {
			return nil, fmt.Errorf("%s %w", describeCommand(plugin.Command), err)
		}
		return found, nil
	}, secrets...)
}

// run runs the plugin. Its errors have neither its arguments and environment nor
// its output.
func (e Exec) run(ctx context.Context, limit time.Duration) (*credential, error) {
	request, err := json.Marshal(clientauthentication.ExecCredential{
		TypeMeta: metav1.TypeMeta{APIVersion: e.APIVersion, Kind: "ExecCredential"},
		Spec:     clientauthentication.ExecCredentialSpec{Cluster: e.cluster},
	})
	if err != nil {
		return nil, errors.New("cannot be told about the cluster")
	}
	// Ctrl-C in a terminal also interrupts the providers, and the CLI does not stop
	// them in every phase of a run.
	interruptible, release := signal.NotifyContext(ctx, os.Interrupt)
	defer release()
	limited, cancel := context.WithTimeout(interruptible, limit)
	defer cancel()
	command := exec.CommandContext(limited, e.Command, e.Args...)
	command.Env = os.Environ()
	for name, value := range e.Env {
		command.Env = append(command.Env, name+"="+value)
	}
	command.Env = append(command.Env, "KUBERNETES_EXEC_INFO="+string(request))
	output := &boundedOutput{}
	command.Stdout = output
	// What it started may keep its output open.
	command.WaitDelay = time.Second
	killGroup(command)
	err = command.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it succeeded, and something that it started, such as an agent, goes on
	}
	switch {
	case interruptible.Err() != nil:
		return nil, fmt.Errorf("%w: the run was interrupted", errStopped)
	case limited.Err() != nil:
		return nil, fmt.Errorf("did not end within %s and %w", limit, errStopped)
	case output.full:
		return nil, errors.New("returned more than 1 MiB, which no credential has")
	case err != nil:
		return nil, runProblem(err)
	}
	return parseCredential(output.content, e.APIVersion)
}

// boundedOutput keeps an output up to the size of a file with credentials.
// It is no bytes.Buffer, whose ReadFrom would have no bound.
type boundedOutput struct {
	content []byte
	full    bool
}

// Write fails when there is too much, which ends the program.
func (b *boundedOutput) Write(p []byte) (int, error) {
	if b.full = b.full || len(b.content)+len(p) > httpapi.MaxCredentialFile; b.full {
		return 0, errors.New("too much output")
	}
	b.content = append(b.content, p...)
	return len(p), nil
}

// runProblem describes why a plugin failed.
func runProblem(err error) error {
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return fmt.Errorf("failed with exit code %d", exit.ExitCode())
	case errors.As(err, &exit):
		return errors.New("was killed by a signal")
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return errors.New("is not installed: there is no such file")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("cannot be run: it is not executable")
	}
	return errors.New("cannot be run on this machine")
}

// parseCredential parses the output of a plugin.
func parseCredential(output []byte, version string) (*credential, error) {
	if err := httpapi.CheckEncoding(output); err != nil {
		return nil, fmt.Errorf("returned no credential: %w", err)
	}
	var found clientauthentication.ExecCredential
	if json.Unmarshal(output, &found) != nil || found.Kind != "ExecCredential" {
		return nil, errors.New("returned no credential: its output is not a JSON object of the kind ExecCredential")
	}
	status := found.Status
	switch {
	case found.APIVersion != version:
		return nil, fmt.Errorf("returned a credential of another version than api_version (apiVersion in a kubeconfig) says, which is %q", httpapi.Text(version))
	case status == nil || status.Token == "" && status.ClientCertificateData == "" && status.ClientKeyData == "":
		return nil, errors.New("returned a credential with neither a token nor a client certificate")
	}
	if err := checkToken(status.Token); err != nil {
		return nil, fmt.Errorf("returned an invalid credential: %w", err)
	}
	result := &credential{token: status.Token, key: status.ClientKeyData}
	if status.ExpirationTimestamp != nil {
		result.expires = status.ExpirationTimestamp.Time
		if soon := time.Now().Add(freshFor); result.expires.Before(soon) {
			result.expires = soon
		}
	}
	if status.ClientCertificateData == "" && status.ClientKeyData == "" {
		return result, nil
	}
	if err := httpapi.CheckClientCertificate([]byte(status.ClientCertificateData), []byte(status.ClientKeyData)); err != nil {
		return nil, fmt.Errorf("returned an invalid credential: %w", err)
	}
	pair, err := tls.X509KeyPair([]byte(status.ClientCertificateData), []byte(status.ClientKeyData))
	if err != nil {
		return nil, errors.New("returned an invalid client certificate")
	}
	result.certificate = &pair
	return result, nil
}
