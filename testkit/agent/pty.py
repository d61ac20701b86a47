# Two serial ports that are wired to each other: prints their names, and passes bytes between them until stdin ends.
import os, select, sys, tty

pairs = [os.openpty() for _ in range(2)]
for _, slave in pairs:
    tty.setraw(slave)
print(*(os.ttyname(slave) for _, slave in pairs), flush=True)
(one, _), (other, _) = pairs
while True:
    ready, _, _ = select.select([one, other, sys.stdin], [], [])
    if sys.stdin in ready:
        break
    for fd in ready:
        os.write(other if fd == one else one, os.read(fd, 4096))
