package lockset

import (
	"context"
	"errors"
)

// outOfTime is the end of a context, in words for reports.
type outOfTime struct{ error }

func (e outOfTime) Error() string {
	switch {
	case errors.Is(e.error, context.DeadlineExceeded):
		return "its share of the time was up"
	case errors.Is(e.error, context.Canceled):
		return "interrupted"
	}
	return e.error.Error()
}

func (e outOfTime) Unwrap() error { return e.error }
