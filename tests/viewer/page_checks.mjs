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

// Dichromats' vision in linear RGB (Machado, Oliveira and Fernandes, 2009, severity 1).
const kVision = {
  none: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deuteranopia: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  tritanopia: [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
};

// CIE L*a*b* of a colour #rrggbb as it is seen.
export function simulateColourBlindness(colour, kind) {
  const rgb = [1, 3, 5]
    .map((i) => parseInt(colour.slice(i, i + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const row = (m, i, v) => m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
  const seen = [0, 1, 2].map((i) => Math.min(1, Math.max(0, row(kVision[kind], i, rgb))));
  const kXyz = [0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505];
  const [x, y, z] = [0, 1, 2]
    .map((i) => row(kXyz, i, seen) / [0.9505, 1, 1.089][i])
    .map((t) => (t > 216 / 24389 ? Math.cbrt(t) : (841 / 108) * t + 4 / 29));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
