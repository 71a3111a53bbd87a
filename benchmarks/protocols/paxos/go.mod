module paxos

go 1.22
