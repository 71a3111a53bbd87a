package models

import "testing"

func load(t *testing.T) *Set {
	t.Helper()
	s, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLoad(t *testing.T) {
	s := load(t)
	f := s.Func("pthread_mutex_trylock")
	if f == nil || f.Op != OpLock || f.Arg["lock"] != 0 || f.Success != "zero" {
		t.Fatalf("pthread_mutex_trylock: %+v", f)
	}
	if s.Func("no_such_function") != nil {
		t.Error("a model for no_such_function")
	}
}
