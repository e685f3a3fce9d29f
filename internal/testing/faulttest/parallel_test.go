package faulttest_test

import (
	"iter"
	"sync"
	"testing"
)

// parallelCells is the number of cells that run at the same time, of all matrices.
// Cells mostly wait, so they are not limited to one per processor as parallel
// tests are.
const parallelCells = 10

// cellSlots has an element for each cell that runs. If each matrix had its own, many
// matrices would be so slow together that time limits pass.
var cellSlots = make(chan struct{}, parallelCells)

// runParallel runs a subtest for each case, a number of them at the same time.
func runParallel[T any](t *testing.T, cases iter.Seq2[string, T], test func(t *testing.T, testCase T)) {
	t.Helper()
	type subtest struct {
		name     string
		testCase T
	}
	todo := make(chan subtest)
	var all sync.WaitGroup
	for range parallelCells {
		all.Go(func() {
			for next := range todo {
				t.Run(next.name, func(t *testing.T) {
					cellSlots <- struct{}{}
					defer func() { <-cellSlots }()
					test(t, next.testCase)
				})
			}
		})
	}
	for name, testCase := range cases {
		todo <- subtest{name, testCase}
	}
	close(todo)
	all.Wait()
}
