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
	if target == nil {
		return err == nil
	}
	return found(err, func(err error) bool {
		x, ok := err.(interface{ Is(error) bool })
		return err == target || ok && x.Is(target)
	})
}

//whoop:for errors.As
func as(err error, target any) bool {
	if target == nil {
		panic("errors: target cannot be nil")
	}
	return found(err, func(err error) bool {
		x, ok := err.(interface{ As(any) bool })
		return assigned(err, target) || ok && x.As(target)
	})
}

// found reports whether an error, or one that it wraps, is the one that is looked for.
func found(err error, it func(error) bool) bool {
	for err != nil {
		if it(err) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if found(e, it) {
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

// assigned stores an error in what target points to, where that is a variable of its
// type, or of an interface that it implements: the front end knows it.
func assigned(err error, target any) bool { return false }

type joined struct{ errs []error }

func (j *joined) Error() string {
	text := j.errs[0].Error()
	for _, e := range j.errs[1:] {
		text += "\n" + e.Error()
	}
	return text
}

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
