#!/usr/bin/env python3
"""Tests of the playground.

    web_test.py server|movers|engine|hashes|page --command-line SUNDER --root SOURCES --folder FOLDER

server: what `sunder view` gives out and refuses. movers: how the page glides between
moving vertices. engine: rewinding, adding, recording in the WebAssembly engine, in node.
hashes: the WebAssembly engine and the command line give the same states. page: the page in Chromium.
Exit status 77, with a line "not run: ...", where what is needed is not installed or was not built.
"""

import argparse
import contextlib
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
# All kinds of shapes, level sets and compounds, thousands of contacts, free flight, fast bodies, joints, fracture, flesh, stress, bonds.
HASH_SCENES = {"wall": 300, "mixed_pile": 300, "ring_on_post": 300, "su09_fig2_stack": 300, "joint_bridge": 300,
               "su09_fig4_ball_breaks": 300, "jelly": 300, "parker09_glass": 30, "stress_beam": 300, "bonded_wall": 300}  # frames


def not_run(why):
    print(f"not run: {why}")
    sys.exit(SKIPPED)


def check(good, what):
    if not good:
        sys.exit(f"failed: {what}")


@contextlib.contextmanager
def viewing(program, *arguments):
    """`sunder view`; gives its port."""
    command = [str(program), "view", "--no-open", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            line = process.stdout.readline()
            found = re.match(r"http://127\.0\.0\.1:(\d+)/(\S*)", line)
            check(found, f"{command} said: {line}{process.stdout.read() if not found else ''}")
            yield int(found[1]), found[2]
        finally:
            process.send_signal(signal.SIGINT)
            status = process.wait(timeout=20)
    check(status == 0, f"sunder view ended with status {status} after Ctrl-C")


def ask(port, target, method="GET", host=None, extra=""):
    """Status, headers and contents; the target goes over as it is, which a library would not allow."""
    host = f"127.0.0.1:{port}" if host is None else host
    head = f"{method} {target} HTTP/1.1\r\n" + (f"Host: {host}\r\n" if host else "") + extra + "\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(head.encode("latin-1"))
        answer = b""
        while block := connection.recv(65536):
            answer += block
    head, _, contents = answer.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), headers, contents


def test_server(options):
    # A page of two files beside a copy of the program, so that this needs no build of the real one.
    folder = options.folder
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    (folder / "web/deep").mkdir(parents=True)
    program = folder / "bin/sunder"
    shutil.copy2(options.command_line, program)
    (folder / "web/index.html").write_text("the page")
    (folder / "web/sunder.wasm").write_bytes(b"\0asm")
    (folder / "web/deep/a b.txt").write_text("deep")
    (folder / "web/link.txt").symlink_to(folder / "secret.txt")
    (folder / "web2").mkdir()
    (folder / "web2/near.txt").write_text("secret")
    (folder / "secret.txt").write_text("secret")
    (folder / "mine.json").write_text('{"sunder": 1}')
    (folder / "mine.obj").write_text("v 0 0 0")

    with viewing(program, folder / "mine.json") as (port, query):
        check(query == "?open=open/mine.json", f"the page is told to open {query}")
        status, headers, contents = ask(port, "/")
        check((status, contents) == (200, b"the page"), f"/ gives {status} {contents}")
        for name, value in {"cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp",
                            "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff"}.items():
            check(headers.get(name) == value, f"header {name} is {headers.get(name)}")
        check("access-control-allow-origin" not in headers, "pages from elsewhere may read this")
        check(ask(port, "/sunder.wasm")[1]["content-type"] == "application/wasm", "type of sunder.wasm")
        check(ask(port, "/deep/a%20b.txt?x=1#y")[2] == b"deep", "a file in a folder, with a query")
        status, headers, contents = ask(port, "/", method="HEAD")
        check((status, headers["content-length"], contents) == (200, "8", b""), "HEAD gives the head alone")
        check(ask(port, "/open/mine.json")[2] == b'{"sunder": 1}', "the scene that was named")
        check(ask(port, "/open/mine.obj")[0] == 200, "a mesh beside the scene")

        for target in ("/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/deep/../../secret.txt", "/../web2/near.txt",
                       "/link.txt", "//etc/passwd", "/%2fetc/passwd", "/..\\secret.txt", "/open/secret.txt",
                       "/open/../secret.txt", "/open/..%2fsecret.txt", "/open/", "/open/..", "/deep", "/nothing",
                       "/index.html%00.txt", "/%zz", "secret.txt", "*"):
            status, _, contents = ask(port, target)
            check(status in (400, 403, 404) and b"secret" not in contents and b"root" not in contents,
                  f"{target} gives {status} {contents[:50]}")
        for host in ("example.com", f"example.com:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", "", f"127.0.0.1.example.com:{port}"):
            check(ask(port, "/", host=host)[0] == 403, f"answers to the name {host!r}")
        check(ask(port, "/", host=f"localhost:{port}")[0] == 200, "does not answer to localhost")
        check(ask(port, "/", extra="Host: example.com\r\n")[0] == 403, "answers to two names")
        check(ask(port, "/", method="POST")[0] == 405, "takes a POST")
        with socket.create_connection(("127.0.0.1", port)) as connection:  # a request that never ends
            connection.sendall(b"x" * 40000)
        check(ask(port, "/")[0] == 200, "does not survive a bad request")
        own = socket.gethostbyname_ex(socket.gethostname())[2]
        for address in (a for a in own if not a.startswith("127.")):
            with contextlib.suppress(OSError), socket.create_connection((address, port), timeout=2):
                check(False, f"listens on {address}")

    whole = b"SUNDERRC" + bytes([1, 0, 0, 0, 0, 0, 0, 0])
    for name, contents, said in (("absent", None, "no such file"), ("text", b"no recording", "is not a recording"),
                                 ("empty", b"", "is not a recording"), ("newer", whole[:8] + b"\x09" + whole[9:], "version 9"),
                                 ("huge", whole + b"INFO\xff\xff\xff\x7f" + bytes(8) + b"{}", "huge.sunder: "),
                                 ("head", whole + b"INFO", "head.sunder: "), ("folder", "folder", "is a folder")):
        file = folder / f"{name}.sunder"
        if contents == "folder":
            file.mkdir()
        elif contents is not None:
            file.write_bytes(contents)
        done = subprocess.run([program, "view", "--no-open", file], capture_output=True, text=True, timeout=20, check=False)
        check(done.returncode == 1 and said in done.stderr and str(file) in done.stderr and done.stderr.count("\n") == 1,
              f"view of a recording that is {name}: {done.returncode} {done.stderr}")

    shutil.rmtree(folder / "web")
    done = subprocess.run([program, "view"], capture_output=True, text=True, timeout=20, check=False)
    check(done.returncode == 1 and "make web" in done.stderr, f"without a page: {done.returncode} {done.stderr}")


def need_engine(options):
    web = options.root / "build/web"
    if not (web / "sunder.wasm").exists():
        not_run("the playground is not built; make web builds it")
    if not shutil.which("node"):
        not_run("node is not installed")
    return web


def node(*words):
    done = subprocess.run(["node", *map(str, words)], capture_output=True, text=True, timeout=550, check=False)
    if done.returncode != 0:
        print(done.stdout[-6000:], done.stderr[-6000:], sep="\n")
        sys.exit(f"failed: {words[0]} ended with status {done.returncode}")
    return done.stdout


def test_movers(_):
    if not shutil.which("node"):
        not_run("node is not installed")
    print(node(HERE / "movers_test.mjs"), end="")


def test_engine(options):
    print(node(HERE / "engine_test.mjs", need_engine(options), options.root), end="")


def test_hashes(options):
    web = need_engine(options)
    faults = []
    for scene, frames in HASH_SCENES.items():
        stats = options.folder / f"{scene}.jsonl"
        subprocess.run([options.command_line, "run", scene, "--frames", str(frames), "--threads", "1", "--stats", stats,
                        "--no-export", "--quiet"], check=True, timeout=300)
        native = [json.loads(line)["hash"] for line in stats.read_text().splitlines()]
        found = node(HERE / "hashes.mjs", web, options.root, scene, frames).splitlines()[:-1]
        check(len(native) == len(found) == frames + 1, f"{scene}: {len(native)} and {len(found)} hashes")
        different = [frame for frame, pair in enumerate(zip(native, found)) if pair[0] != pair[1]]
        print(f"{scene}: " + (f"first differs in frame {different[0]}" if different else f"{len(native)} hashes are the same"))
        if different:
            faults.append(scene)
    check(not faults, f"WebAssembly and native differ in {', '.join(faults)}")


def test_page(options):
    need_engine(options)
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        not_run("no chromium is installed")
    if not (options.root / "build/npm/node_modules/playwright-core").exists():
        not_run("playwright-core is not installed; make web installs it")
    # The page lies beside the release build's program, whichever build this is.
    with viewing(options.root / "build/bin/sunder") as (port, _):
        print(node(HERE / "page_test.mjs", f"http://127.0.0.1:{port}/", browser, options.root, options.folder), end="")


def main():
    tests = {"server": test_server, "movers": test_movers, "engine": test_engine, "hashes": test_hashes, "page": test_page}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=tests)
    parser.add_argument("--command-line", type=pathlib.Path, required=True)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    tests[options.part](options)
    print("passed")


if __name__ == "__main__":
    main()
