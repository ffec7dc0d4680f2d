#!/usr/bin/env python3
"""Serves a release's files, and imitates the comment APIs of GitHub and GitLab.

    ci/runner/forge.py FOLDER WORK      FOLDER: the files of the release

Writes its port to WORK/port, and after each request the list of all comments to WORK/comments. Accepts only the token `a-token`,
in the header that each host expects. The addresses are those of github.com, GitHub Enterprise Server and GitLab, without the name of
the server.
"""
import http.server
import json
import os
import re
import sys

GITHUB = re.compile(r"(?:/api/v3)?/repos/[\w.-]+/[\w.-]+/issues/(?:\d+/comments|comments/(?P<id>\d+))")
GITLAB = re.compile(r"(?:/api/v4)?/projects/(?:\d+|[\w.-]+(?:%2F[\w.-]+)+)/merge_requests/\d+/notes(?:/(?P<id>\d+))?")
comments = []


class Forge(http.server.SimpleHTTPRequestHandler):
    def call(self):
        """Returns the request's host, path and comment number."""
        path = self.path.partition("?")[0]
        for host, addresses in (("github", GITHUB), ("gitlab", GITLAB)):
            found = addresses.fullmatch(path)
            if found:
                return host, path, found["id"]
        return None, path, None

    def answer(self, status, value):
        with open(sys.argv[2] + "/comments", "w", encoding="utf-8") as file:
            json.dump(comments, file)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())

    def do_GET(self):
        host, path, _ = self.call()
        if host:
            self.answer(200, [each for each in comments if each["at"] == path])
        else:
            super().do_GET()

    def write(self):
        host, path, number = self.call()
        text = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        token = self.headers["Authorization" if host == "github" else "PRIVATE-TOKEN"]
        if token != ("Bearer a-token" if host == "github" else "a-token"):
            return self.answer(403, {"message": "Forbidden"})
        if self.command != ("POST" if not number else {"github": "PATCH", "gitlab": "PUT"}.get(host)):
            return self.answer(404, {"message": "Not Found"})
        if number:
            comment, = (each for each in comments if each["id"] == int(number))
            comment["body"] = text
            return self.answer(200, comment)
        number = 100 + len(comments)
        if host == "github":
            url = f"http://{self.headers['Host']}{path.rpartition('/issues/')[0]}/issues/comments/{number}"
            comments.append({"url": url, "at": path, "id": number, "body": text})
        else:
            # Put the author's ID after the text, as GitLab's responses do.
            comments.append({"id": number, "at": path, "body": text, "author": {"id": 3}})
        return self.answer(201, comments[-1])

    do_POST = do_PATCH = do_PUT = write


work = os.path.abspath(sys.argv[2])
sys.argv[2] = work
os.chdir(sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Forge)
with open(work + "/port.new", "w", encoding="utf-8") as port:
    port.write(str(server.server_port))
os.rename(work + "/port.new", work + "/port")
server.serve_forever()
