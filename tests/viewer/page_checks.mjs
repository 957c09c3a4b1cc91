// Checks that run inside the page.

// Controls without a name, or out of the keyboard's reach.
export function findUnreachable() {
  const bad = [];
  for (const element of document.querySelectorAll("button, select, input, #canvas")) {
    if (!element.checkVisibility()) continue;
    const name =
      element.getAttribute("aria-label") ||
      element.textContent.trim() ||
      element.labels?.[0]?.textContent.trim();
    if (!name || element.tabIndex < 0) bad.push(element.outerHTML.slice(0, 120));
  }
  return bad;
}

// Text whose contrast with what is behind it is below 4.5 : 1 (WCAG 1.4.3).
export function findFaintText() {
  const parse = (text) => (text.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b]
      .map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const background = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if ((colour[3] ?? 1) > 0.8) return colour;
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !element.checkVisibility() || element.closest("script, style")) continue;
    const text = luminance(parse(getComputedStyle(element).color));
    const back = luminance(background(element));
    const ratio = (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
    if (ratio < 4.5) bad.push(`${ratio.toFixed(2)} ${element.outerHTML.slice(0, 100)}`);
  }
  return bad;
}

// How many different colours a picture has.
export async function countColours(png) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  return new Set(pixels).size;
}
