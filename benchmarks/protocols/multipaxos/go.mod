module multipaxos

go 1.22
