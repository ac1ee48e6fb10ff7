"""What a command costs: processor seconds and peak memory as the kernel accounts them to the child, and wall time."""
import os
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    cpu: float  # user and system, seconds
    wall: float  # seconds
    peak: float  # MB of resident memory


@dataclass(frozen=True)
class Contender:
    name: str
    command: tuple  # of strings; () where the tool is not at hand
    codes: tuple = (0,)  # exit codes that are no failure


NOT_AT_HAND = "not at hand"


def run_once(command, output):
    """The run and the exit code. What is printed goes to a file, since some tools do less when it goes nowhere."""
    actions = [(os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
               (os.POSIX_SPAWN_DUP2, 1, 2)]
    start = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - start
    return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024), os.waitstatus_to_exitcode(status)


def interleaved(contenders, rounds, output, tell=lambda text: None):
    """Each contender's runs, or why there are none. Round by round, so that noise hits all alike."""
    results = {contender.name: [] if contender.command else NOT_AT_HAND for contender in contenders}
    for number in range(rounds):
        for contender in contenders:
            if isinstance(results[contender.name], str):
                continue
            tell(f"round {number + 1} of {rounds}: {contender.name}")
            run, code = run_once(contender.command, output)
            if code in contender.codes:
                results[contender.name].append(run)
            else:
                results[contender.name] = f"failed with exit code {code}"
    tell("")
    return results


def memory_floor(output):
    """MB below which a peak says nothing: a child starts as a copy of this process and is charged for it."""
    return run_once(("true",), output)[0].peak
