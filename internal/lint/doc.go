// Package lint holds tests about the source itself: import directions, package comments, formatting.
package lint
