#!/usr/bin/python3
"""Builds the documentation as plain HTML files: make_site.py [--out out/site] [--playground FOLDER] [--check].

Pages are docs/*.md in the order of docs/site.txt. All files of the project to which a page links (sources,
scenes, experiments) are copied below files/. Search, dark mode and everything else work from a disk, without a
server and without a request to any other site. --check fails if a link or anchor does not exist."""
import argparse
import html
import json
import pathlib
import re
import shutil
import sys
from html.parser import HTMLParser
from urllib.parse import quote, unquote

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURES = {".png", ".gif", ".svg", ".jpg", ".webp"}
MOST_BYTES = 400_000  # of a source that is shown as a page


def slugify(text, _separator="-"):
    """Makes anchors like those of common Git hosts, which the links of the docs use."""
    text = re.sub(r"<[^>]*>", "", text).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def read_outline(root):
    """Returns [(section, [(page, title)])] from docs/site.txt: sections are not indented, their pages are."""
    outline = []
    for line in (root / "docs" / "site.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            page, title = line.strip().split(None, 1)
            outline[-1][1].append((page, title))
        else:
            outline.append((line.strip(), []))
    return outline


class Site:
    def __init__(self, root, out, playground=None):
        import markdown  # Debian: python3-markdown
        self.markdown = markdown
        self.root, self.out = root, out
        self.has_playground = playground is not None
        self.outline = read_outline(root)
        self.pages = [page for _, pages in self.outline for page in pages]
        self.queue, self.known = [], set()  # files of the project that some page links to
        self.search = []
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        if playground is not None:
            shutil.copytree(playground, out / "playground")

    def build(self):
        for k, (page, title) in enumerate(self.pages):
            source = self.root / "docs" / f"{page}.md"
            self.write_page(source, self.out / f"{page}.html", title, k)
        while self.queue:
            self.copy_file(self.queue.pop())
        shutil.copytree(self.root / "docs" / "images", self.out / "images", dirs_exist_ok=True)
        (self.out / "search.js").write_text("window.pages = " + json.dumps(self.search, ensure_ascii=False) + ";\n")
        for name in ("site.css", "site.js"):
            shutil.copy(self.root / "tools" / "site" / name, self.out / name)

    # --- links -------------------------------------------------------------------------------------------------

    def find_target(self, source, link):
        """Returns the target of a link of a Markdown file, relative to the site's top folder."""
        path, _, anchor = link.partition("#")
        anchor = f"#{anchor}" if anchor else ""
        if not path:
            return anchor
        target = (source.parent / unquote(path)).resolve()
        inside = target.relative_to(self.root)
        if inside.parts[0] == "docs" and target.suffix == ".md" and target.stem in dict(self.pages):
            return f"{target.stem}.html{anchor}"
        if inside.parts[:2] == ("docs", "images"):
            return "/".join(inside.parts[1:])
        if inside not in self.known:
            self.known.add(inside)
            self.queue.append(inside)
        return self.place_of(inside) + (anchor if target.suffix == ".md" else "")

    def place_of(self, inside):
        target = self.root / inside
        if target.is_dir():
            return f"files/{inside.as_posix()}/index.html"
        if target.suffix in PICTURES:
            return f"files/{inside.as_posix()}"
        return f"files/{inside.as_posix()}.html"

    def rewrite_links(self, text, source, depth):
        up = "../" * depth

        def rewrite(match):
            name, link = match[1], html.unescape(match[2])
            if re.match(r"[a-z]+:", link):
                return match[0]
            target = self.find_target(source, link)
            place = target if target.startswith("#") else up + quote(target, safe="/#.-_~")
            return f'{name}="{html.escape(place)}"'

        text = re.sub(r'\b(href|src)="([^"]*)"', rewrite, text)
        return self.add_play_links(text, up) if self.has_playground else text

    def add_play_links(self, text, up):
        """Adds links to play the scenes of the gallery to which a page links."""
        return re.sub(r'(<a href="[^"]*files/scenes/([\w-]+)\.yaml\.html">.*?</a>)',
                      lambda m: f'{m[1]} <a class="play" href="{up}playground/index.html#example={m[2]}">play</a>', text)

    # --- pages -------------------------------------------------------------------------------------------------

    def render(self, text):
        converter = self.markdown.Markdown(extensions=["tables", "fenced_code", "toc", "sane_lists", "attr_list"],
                                           extension_configs={"toc": {"slugify": slugify, "toc_depth": "2-3"}})
        # Fences may name a file after the language, as the tutorial's do.
        text = re.sub(r"^```(\w+) [^\n]*$", r"```\1", text, flags=re.MULTILINE)
        # python-markdown requires an empty line between a paragraph and a list.
        text = re.sub(r"(?m)^((?!\s*[-*] |\s*\d+\. |\s*$|#|\||    ).+)\n(?=[-*] |\d+\. )", r"\1\n\n", text)
        body = converter.convert(text)
        return body, converter.toc_tokens

    def write_page(self, source, place, title, number=None):
        body, toc = self.render(source.read_text())
        depth = len(place.relative_to(self.out).parts) - 1
        body = self.rewrite_links(body, source, depth)
        body = body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
        url = place.relative_to(self.out).as_posix()
        if number is not None:
            self.add_to_search(url, title, body)
        self.write(place, title, body, toc, number)

    def add_to_search(self, url, title, body):
        """Adds one entry per section: its heading, its address and its words."""
        pieces = re.split(r'(?=<h[1-3] id=")', body)
        for piece in pieces:
            match = re.match(r'<h([1-3]) id="([^"]*)">(.*?)</h\1>', piece, re.DOTALL)
            heading = re.sub(r"<[^>]*>", "", match[3]) if match else title
            text = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", piece[match.end():] if match else piece)))
            anchor = f"#{match[2]}" if match and match[1] != "1" else ""
            if text.strip() or match:
                self.search.append({"page": title, "title": html.unescape(heading), "url": url + anchor, "text": text.strip()})

    def write(self, place, title, body, toc, number):
        depth = len(place.relative_to(self.out).parts) - 1
        up = "../" * depth
        here = place.relative_to(self.out).as_posix()
        menu = "".join(
            f"<section><h2>{html.escape(section)}</h2><ul>" + "".join(
                f'<li><a href="{up}{page}.html"{" aria-current=page" if here == page + ".html" else ""}>'
                f"{html.escape(name)}</a></li>" for page, name in pages) + "</ul></section>"
            for section, pages in self.outline)
        if self.has_playground:
            menu += f'<section><ul><li><a href="{up}playground/index.html">Playground</a></li></ul></section>'
        on_page = ""
        if len(toc) > 1 or any(token["children"] for token in toc):
            tokens = toc[0]["children"] if len(toc) == 1 else toc
            on_page = '<nav class="here" aria-label="On this page"><h2>On this page</h2><ul>' + "".join(
                f'<li><a href="#{t["id"]}">{html.escape(html.unescape(t["name"]))}</a></li>' for t in tokens) + "</ul></nav>"
        turn = ""
        if number is not None:
            turn = '<nav class="turn" aria-label="Pages">'
            if number > 0:
                turn += f'<a rel="prev" href="{up}{self.pages[number - 1][0]}.html">← {html.escape(self.pages[number - 1][1])}</a>'
            if number + 1 < len(self.pages):
                turn += f'<a rel="next" href="{up}{self.pages[number + 1][0]}.html">{html.escape(self.pages[number + 1][1])} →</a>'
            turn += "</nav>"
        text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)} – Tenpin</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{up}site.css">
</head>
<body data-top="{up}">
<a class="skip" href="#content">To the text</a>
<header>
  <a class="brand" href="{up}{self.pages[0][0]}.html">Tenpin</a>
  <label><span class="sr">Search</span><input id="search" type="search" placeholder="Search (press /)" autocomplete="off"></label>
  <button id="menu-button" type="button" aria-expanded="false" aria-controls="menu">Menu</button>
  <ol id="found" hidden></ol>
</header>
<nav id="menu" aria-label="Pages">{menu}</nav>
<main id="content">{body}{turn}</main>
{on_page}
<script src="{up}search.js"></script>
<script src="{up}site.js"></script>
</body>
</html>
"""
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def copy_file(self, inside):
        source = self.root / inside
        place = self.out / self.place_of(inside)
        if source.is_dir():
            names = sorted(p for p in source.iterdir() if not p.name.startswith((".", "__")))
            links = "".join(f'<li><a href="{quote(p.relative_to(self.root).as_posix())}">{html.escape(p.name)}</a></li>' for p in names)
            # Links are relative to the project here, as in a file at its top.
            body = self.rewrite_links(f"<h1>{html.escape(inside.as_posix())}</h1><ul>{links}</ul>",
                                      self.root / "README.md", len(place.relative_to(self.out).parts) - 1)
            self.write(place, inside.as_posix(), body, [], None)
        elif source.suffix in PICTURES:
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, place)
        elif source.suffix == ".md":
            title = source.read_text().split("\n", 1)[0].lstrip("# ")
            self.write_page(source, place, title)
        else:
            text = source.read_bytes()[:MOST_BYTES].decode("utf-8", "replace")
            body = f"<h1>{html.escape(inside.as_posix())}</h1><pre><code>{html.escape(text)}</code></pre>"
            if self.has_playground and inside.parts[0] == "scenes" and source.suffix == ".yaml":
                up = "../" * (len(place.relative_to(self.out).parts) - 1)
                body = (f'<p><a class="play" href="{up}playground/index.html#example={source.stem}">play this scene</a></p>') + body
            self.write(place, inside.as_posix(), body, [], None)


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.ids = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            elif name in ("href", "src") and value is not None:
                self.links.append(value)


def find_dead_links(out):
    """Returns 'page: link' for every link of the site that has no target, and for all that is loaded from other sites."""
    read = {}
    for page in sorted(out.rglob("*.html")):
        if "playground" in page.relative_to(out).parts[:1]:
            continue
        read[page] = Links()
        read[page].feed(page.read_text())
    dead = []
    for page, links in read.items():
        for link in links.links:
            if re.match(r"(data|mailto):", link):
                continue
            if re.match(r"[a-z]+:", link):
                if not link.startswith("https://"):
                    dead.append(f"{page.relative_to(out)}: {link}")
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / unquote(path)).resolve() if path else page
            if not target.is_file():
                dead.append(f"{page.relative_to(out)}: {link}")
            elif anchor and target in read and unquote(anchor) not in read[target].ids:
                dead.append(f"{page.relative_to(out)}: {link} (no such heading)")
    return dead


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out" / "site")
    parser.add_argument("--playground", type=pathlib.Path, help="folder that `make playground` wrote")
    parser.add_argument("--check", action="store_true", help="fail on dead links")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    playground = arguments.playground
    if playground is not None and not (playground / "index.html").exists():
        print(f"{playground} has no playground: scenes are shown as text", file=sys.stderr)
        playground = None
    Site(ROOT, out, playground).build()
    if arguments.check:
        dead = find_dead_links(out)
        if dead:
            sys.exit("\n".join(dead))
    print(f"{out / 'index.html'}")


if __name__ == "__main__":
    main()
