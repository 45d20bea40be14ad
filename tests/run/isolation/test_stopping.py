"""Programs that are stopped and continued again and again, in whatever system call they wait: none is lost.

A stop ends some calls with EINTR, `epoll_wait` among them.  Virtual machines know that; a small program in C may not.
So a program that only waits is not stopped; one that works meanwhile, in another thread, is.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from fairplay.run.isolation.command import Command, parse_command
from fairplay.run.isolation.linux_child import LinuxChild
from fairplay.run.isolation.program import start_child
from fairplay.run.isolation.sandbox import ProgramLimits
from fairplay.run.isolation.timing import WATCHER, Turns
from run.programs import confine, need

ROOMY = ProgramLimits(start=60, memory=1 << 30)
ROUNDS = 12


@pytest.fixture(autouse=True)
def _in_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of the program's own."""
    folder = tmp_path / "bot"
    folder.mkdir()
    return folder


def echoes(program: Command) -> Iterator[LinuxChild]:
    """The program before each of some rounds of another seat, after which it has to echo a line again."""
    child, turns = start_child(program, ROOMY), Turns(WATCHER)
    assert isinstance(child, LinuxChild)
    child.share(turns)
    try:
        for number in range(ROUNDS):
            line = b"%d\n" % number
            assert child.exchange(line, 60, "late") == line
            with turns:
                yield child
    finally:
        child.end()


def count_stops(program: Command) -> int:
    """How often it stands still while another seat is awaited, until it does or for a long time."""
    stops = 0
    for child in echoes(program):
        end = monotonic() + 60
        while child.next_look() < float("inf") and monotonic() < end:
            sleep(0.001)
        stops += child.next_look() == float("inf")
    return stops


def wait_for_looks(program: Command) -> None:
    """Let it wait while another seat is awaited, and be looked at three times in each round."""
    for child in echoes(program):
        for _ in range(3):
            before, end = child.next_look(), monotonic() + 60
            while child.next_look() == before and monotonic() < end:
                sleep(0.001)
            assert child.next_look() > before


IN_C = r"""
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) { perror(what); exit(9); }

static void await_epoll(void) {
    static int watched = -1;
    struct epoll_event event = {EPOLLIN};
    if (watched < 0) epoll_ctl(watched = epoll_create1(0), EPOLL_CTL_ADD, 0, &event);
    if (epoll_wait(watched, &event, 1, -1) < 0) fail("epoll_wait");
}

static void await_poll(void) {
    struct pollfd entry = {0, POLLIN, 0};
    if (poll(&entry, 1, -1) < 0) fail("poll");
}

static void await_select(void) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    if (select(1, &set, 0, 0, 0) < 0) fail("select");
}

static void await_nanosleep(void) {
    struct pollfd entry = {0, POLLIN, 0};
    struct timespec nap = {0, 20000000};
    while (poll(&entry, 1, 0) == 0)
        if (nanosleep(&nap, 0) < 0) fail("nanosleep");
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *listen_elsewhere(void *unused) {
    await_poll();
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void await_condition(void) {
    pthread_t listener;
    ready = 0;
    pthread_create(&listener, 0, listen_elsewhere, 0);
    pthread_mutex_lock(&mutex);
    while (!ready)
        if (pthread_cond_wait(&condition, &mutex)) fail("pthread_cond_wait");
    pthread_mutex_unlock(&mutex);
    pthread_join(listener, 0);
}

static void await_read(void) {}

static void *spin(void *unused) { for (volatile long n = 0;; n++); return 0; }

int main(int count, char **words) {
    char line[64];
    pthread_t spinner;
    void (*await)(void) = strcmp(words[1], "epoll") == 0       ? await_epoll
                          : strcmp(words[1], "poll") == 0      ? await_poll
                          : strcmp(words[1], "select") == 0    ? await_select
                          : strcmp(words[1], "nanosleep") == 0 ? await_nanosleep
                          : strcmp(words[1], "condition") == 0 ? await_condition
                                                               : await_read;
    if (count > 2) pthread_create(&spinner, 0, spin, 0);
    for (;;) {
        await();
        ssize_t size = read(0, line, sizeof line);
        if (size < 0) fail("read");
        if (size == 0) return 0;
        if (write(1, line, size) != size) fail("write");
    }
}
"""


@pytest.fixture
def in_c(home: Path) -> Path:
    compiler = shutil.which("cc")
    need(compiler, "a C compiler")
    (home / "bot.c").write_text(IN_C)
    subprocess.run([str(compiler), "-O1", "-pthread", "-o", home / "bot", home / "bot.c"], check=True, timeout=300)
    return home / "bot"


@pytest.mark.parametrize("call", ["poll", "select", "read", "nanosleep", "condition"])
def test_c_that_works_meanwhile(in_c: Path, call: str) -> None:
    assert count_stops(parse_command(f"{in_c} {call} busy")) == ROUNDS


@pytest.mark.parametrize("call", ["epoll", "poll", "select", "read", "nanosleep", "condition"])
def test_c_that_only_waits(in_c: Path, call: str) -> None:
    wait_for_looks(parse_command(f"{in_c} {call}"))


IN_NODE = """
const { Worker } = require('worker_threads');
if (BUSY) new Worker('for (;;);', { eval: true });
setInterval(() => {}, 5);
require('readline').createInterface({ input: process.stdin }).on('line', line => console.log(line));
"""


@pytest.mark.parametrize("busy", [False, True])
def test_node(home: Path, busy: bool) -> None:
    need(shutil.which("node"), "Node")
    (home / "bot.js").write_text(IN_NODE.replace("BUSY", str(busy).lower()))
    program = parse_command(f"node {home / 'bot.js'}")
    if busy:
        assert count_stops(program) == ROUNDS
    else:
        wait_for_looks(program)


IN_JAVA = """
import java.io.*;
import java.util.concurrent.*;

public class Bot {
    public static void main(String[] words) throws Exception {
        if (words.length > 0) {
            Thread spinner = new Thread(() -> { for (;;) Thread.onSpinWait(); });
            spinner.setDaemon(true);
            spinner.start();
        }
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> {
            try {
                var input = new BufferedReader(new InputStreamReader(System.in));
                for (String line; (line = input.readLine()) != null;) lines.add(line);
            } catch (IOException error) {
                error.printStackTrace();
            }
            System.exit(0);
        });
        reader.start();
        while (true) {
            System.out.println(lines.take());
            Thread.sleep(1);
        }
    }
}
"""


@pytest.mark.parametrize("busy", ["", " busy"])
def test_java(home: Path, busy: str) -> None:
    compiler = shutil.which("javac")
    need(compiler, "Java")
    (home / "Bot.java").write_text(IN_JAVA)
    subprocess.run([str(compiler), home / "Bot.java"], check=True, timeout=300)
    program = parse_command(f"java -cp {home} Bot{busy}")
    if busy:
        assert count_stops(program) == ROUNDS
    else:
        wait_for_looks(program)


IN_GO = """
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	if len(os.Args) > 1 {
		go func() {
			for {
			}
		}()
	}
	lines := make(chan string)
	go func() {
		scanner := bufio.NewScanner(os.Stdin)
		for scanner.Scan() {
			lines <- scanner.Text()
		}
		os.Exit(0)
	}()
	ticker := time.NewTicker(5 * time.Millisecond)
	for {
		select {
		case line := <-lines:
			fmt.Println(line)
		case <-ticker.C:
		}
	}
}
"""


@pytest.mark.parametrize("busy", ["", " busy"])
def test_go(home: Path, tmp_path: Path, busy: str) -> None:
    compiler = shutil.which("go")
    if compiler is None:
        pytest.skip("Go is missing")
    (home / "bot.go").write_text(IN_GO)
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "GOCACHE": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    subprocess.run([compiler, "build", "-o", home / "bot", home / "bot.go"], check=True, env=environment, timeout=300)
    program = parse_command(f"{home / 'bot'}{busy}")
    if busy:
        assert count_stops(program) == ROUNDS
    else:
        wait_for_looks(program)
