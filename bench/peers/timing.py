"""How every program here takes its time: CPU seconds, user's and system's together, the least of several where runs are short.

The kernel shares them out between user and system by ticks, so that user seconds alone mean nothing in runs of milliseconds. A process
under a limit of CPU time has its clock moved by ticks too, that of a thread stays exact; all of these run on one thread.
"""
import resource
import time

SHORT = 0.5  # seconds; a shorter run is repeated
LEAST, MOST, ENOUGH = 3, 10, 0.5  # so many times, and on until the runs together took so many seconds


def of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(run):
    before = time.thread_time()
    run()
    return time.thread_time() - before


def least(seconds):
    """The least of what repeated calls of `seconds` return."""
    times = [seconds()]
    while times[0] < SHORT and (len(times) < LEAST or (len(times) < MOST and sum(times) < ENOUGH)):
        times.append(seconds())
    return min(times)
