// Package reach proves assertions of programs by going over all their states.
package reach
