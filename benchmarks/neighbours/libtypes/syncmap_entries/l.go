// WANT: verify | racy | the sync.Map is safe, what its entries point to is not
package syncmap_entries

import "sync"

type session struct {
	user  string
	views int
}

// Sessions is safe for concurrent use.
type Sessions struct{ m sync.Map }

// Touch counts a view of the session.
func (s *Sessions) Touch(id, user string) int {
	v, _ := s.m.LoadOrStore(id, &session{user: user})
	e := v.(*session)
	e.views++      // RACE!
	return e.views // RACE!
}

// Busiest is the user with the most views.
func (s *Sessions) Busiest() string {
	best, name := 0, ""
	s.m.Range(func(k, v any) bool {
		if e := v.(*session); e.views > best { // RACE!
			best, name = e.views, e.user // RACE!
		}
		return true
	})
	return name
}
