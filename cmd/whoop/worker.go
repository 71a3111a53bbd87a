package main

import (
	"io"
	"os"
	"os/exec"
	"sync"
)

// startWorker starts a worker of an exploration in a process of its own, which is reached
// by its standard input and output. It ends when its input does.
func startWorker() (io.ReadWriteCloser, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "explore", "--worker")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &workerPipe{Reader: out, WriteCloser: in, cmd: cmd}, nil
}

// workerPipe is the connection to a worker.
type workerPipe struct {
	io.Reader
	io.WriteCloser
	cmd  *exec.Cmd
	once sync.Once
}

// Close ends the worker, whatever it does.
func (w *workerPipe) Close() error {
	w.once.Do(func() {
		w.WriteCloser.Close()
		w.cmd.Process.Kill()
		w.cmd.Wait() // it was killed, or has ended by itself: both are as they should be
	})
	return nil
}
