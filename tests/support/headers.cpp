// Nothing but the headers that most tests read: they are compiled once for all of them.
