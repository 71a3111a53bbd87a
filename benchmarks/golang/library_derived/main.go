// Library objects that are made of others, with options in structs, keep what those keep; and what is in the fields of their options is read and called.
package main

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"sync"
)

type handler struct{ n int }

func (h *handler) Enabled(context.Context, slog.Level) bool { return true }
func (h *handler) Handle(context.Context, slog.Record) error {
	h.n++ // RACE!
	return nil
}
func (h *handler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h *handler) WithGroup(string) slog.Handler      { return h }

var replaced int

func main() {
	h := &handler{}
	with := slog.New(h).With("a", 1)
	opts := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		replaced++ // RACE!
		return a
	}}
	text := slog.New(slog.NewTextHandler(io.Discard, opts))
	cfg := &tls.Config{ServerName: "x"}
	var plain net.Conn
	conn := tls.Client(plain, cfg)

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		with.Info("x")
		text.Info("x")
		conn.Handshake() // RACE!
	}()
	h.n = 2              // RACE!
	replaced = 2         // RACE!
	cfg.ServerName = "y" // RACE!
	wg.Wait()
}
