// Search in window.pages, which search.js defines, and the menu on small screens.
"use strict";
(() => {
  const top = document.body.dataset.top;
  const field = document.getElementById("search");
  const list = document.getElementById("found");
  const menu = document.getElementById("menu");
  const button = document.getElementById("menu-button");

  button.addEventListener("click", () => {
    const open = menu.classList.toggle("open");
    button.setAttribute("aria-expanded", String(open));
  });

  const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

  // A word in a title counts more than in the text; every word must occur.
  function score(page, words) {
    let sum = 0;
    for (const word of words) {
      const title = page.title.toLowerCase().includes(word) ? 10 : 0;
      const name = page.page.toLowerCase().includes(word) ? 4 : 0;
      const count = page.text.toLowerCase().split(word).length - 1;
      if (title + name + count === 0) return 0;
      sum += title + name + Math.min(5, count);
    }
    return sum;
  }

  function excerpt(text, words) {
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 50);
    return (at > 0 ? "… " : "") + text.slice(at, at + 160) + (at + 160 < text.length ? " …" : "");
  }

  // Text is inserted as text, not as HTML; found words are bold.
  function mark(text, words) {
    const parts = document.createDocumentFragment();
    const pattern = new RegExp(`(${words.map(escape).join("|")})`, "i");
    text.split(pattern).forEach((piece, i) => {
      if (i % 2 === 0) return parts.append(piece);
      const bold = document.createElement("b");
      bold.textContent = piece;
      parts.append(bold);
    });
    return parts;
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.replaceChildren();
    list.hidden = words.length === 0;
    if (list.hidden) return;
    const found = window.pages
      .map((page) => [score(page, words), page])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, 12);
    for (const [, page] of found) {
      const link = document.createElement("a");
      link.href = top + page.url;
      const where = document.createElement("small");
      where.append(mark(excerpt(page.text, words), words));
      link.append(page.title === page.page ? page.title : `${page.page}: ${page.title}`, where);
      link.addEventListener("click", () => (list.hidden = true));
      const item = document.createElement("li");
      item.append(link);
      list.append(item);
    }
    if (found.length === 0) {
      const item = document.createElement("li");
      item.textContent = "Nothing found.";
      list.append(item);
    }
  }

  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") (field.value = ""), show();
    if (event.key === "Enter") list.querySelector("a")?.click();
    if (event.key === "ArrowDown") event.preventDefault(), list.querySelector("a")?.focus();
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const links = [...list.querySelectorAll("a")];
    const next = links.indexOf(document.activeElement) + step;
    (next < 0 ? field : links[Math.min(next, links.length - 1)]).focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/INPUT|TEXTAREA/.test(event.target.tagName)) event.preventDefault(), field.focus();
  });
  document.addEventListener("click", (event) => {
    if (!list.contains(event.target) && event.target !== field) list.hidden = true;
  });
})();
