// Numbers as people read them.

const kRounding = 1e-12; // of the scale: what is less reads 0

export function formatNumber(value: number, digits = 4, scale = 0): string {
  if (!Number.isFinite(value)) return "not finite";
  if (Math.abs(value) <= kRounding * scale) return "0";
  const size = Math.abs(value);
  const rounded = Number(value.toPrecision(digits));
  const text = size >= 1e5 || size < 1e-3 ? rounded.toExponential() : String(rounded);
  return text.replace("e+", "e").replaceAll("-", "\u2212");
}

export function formatVector(values: ArrayLike<number>, digits = 3, scale = 0): string {
  const size = Math.max(scale, ...Array.from(values, Math.abs));
  return Array.from(values, (v) => formatNumber(v, digits, size)).join(", ");
}

export function formatTime(t: number, span: number): string {
  const decimals = span < 0.1 ? 5 : span < 10 ? 3 : 2;
  return t.toFixed(decimals);
}

export function plural(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}

// A length with the unit that keeps its number short.
export function formatLength(metres: number): string {
  const [size, unit] = ([[1e3, "km"], [1, "m"], [1e-2, "cm"], [1e-3, "mm"]] as const).find(
    ([scale]) => metres >= 0.999 * scale,
  ) ?? [1e-6, "µm"];
  return `${formatNumber(metres / size, 3)} ${unit}`;
}
