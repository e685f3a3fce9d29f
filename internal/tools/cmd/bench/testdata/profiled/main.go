// Command profiled is the provider as it is released, but each process writes a
// processor and a memory profile into files whose names begin with what
// KUSCIA_BENCH_PROFILES says. The CLI starts several processes for one command.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"runtime/pprof"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

func main() {
	if err := profiled(fmt.Sprintf("%s-%d", os.Getenv("KUSCIA_BENCH_PROFILES"), os.Getpid())); err != nil {
		log.Fatal(err)
	}
}

func profiled(name string) error {
	cpu, err := os.Create(name + ".cpu.pprof")
	if err != nil {
		return err
	}
	memory, err := os.Create(name + ".memory.pprof")
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return err
	}
	err = serve()
	pprof.StopCPUProfile()
	return errors.Join(err, cpu.Close(), pprof.Lookup("allocs").WriteTo(memory, 0), memory.Close())
}

func serve() error {
	if err := fastpath.SilenceLogs("kuscia"); err != nil {
		return err
	}
	return tf6server.Serve("registry.terraform.io/terraform-kuscia/kuscia", provider.NewServer(provider.Build{Version: "profiled"}, true))
}
