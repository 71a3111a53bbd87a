"""What the test of whoop.py needs of BenchExec's interface, no more."""
