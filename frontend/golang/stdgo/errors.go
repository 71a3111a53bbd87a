package stdgo

import "errors"

// wrapped is what fmt.Errorf makes of an error. What it says is not known.
type wrapped struct{ error }

func (w *wrapped) Unwrap() error { return w.error }

// wrap is fmt.Errorf with one %w.
func wrap(err error) error {
	if err == nil {
		return errors.New("")
	}
	return &wrapped{err}
}

//whoop:for errors.Unwrap
func unwrap(err error) error {
	if u, ok := err.(interface{ Unwrap() error }); ok {
		return u.Unwrap()
	}
	return nil
}

//whoop:for errors.Is
func is(err, target error) bool {
	for err != nil && target != nil {
		if err == target {
			return true
		}
		if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if is(e, target) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return err == target
}

//whoop:for errors.As
func as(err error, target any) bool {
	if target == nil {
		panic("errors: target cannot be nil")
	}
	for err != nil {
		if assigned(err, target) {
			return true
		}
		if x, ok := err.(interface{ As(any) bool }); ok && x.As(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if as(e, target) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// assigned stores an error in what target points to, where that is a variable of its type, or of an interface that it implements: the front end knows it.
func assigned(err error, target any) bool { return false }

type joined struct{ errs []error }

func (j *joined) Error() string { return j.errs[0].Error() }

func (j *joined) Unwrap() []error { return j.errs }

//whoop:for errors.Join
func join(errs ...error) error {
	var j joined
	for _, e := range errs {
		if e != nil {
			j.errs = append(j.errs, e)
		}
	}
	if len(j.errs) == 0 {
		return nil
	}
	return &j
}
