// Numbers as people read them.

export function formatNumber(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "not finite";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const rounded = Number(value.toPrecision(digits));
  const text = size >= 1e5 || size < 1e-3 ? rounded.toExponential() : String(rounded);
  return text.replace("e+", "e").replaceAll("-", "\u2212");
}

export function formatVector(values: ArrayLike<number>, digits = 3): string {
  return Array.from(values, (v) => formatNumber(Math.abs(v) < 1e-12 ? 0 : v, digits)).join(", ");
}

export function formatTime(t: number, span: number): string {
  const decimals = span < 0.1 ? 5 : span < 10 ? 3 : 2;
  return t.toFixed(decimals);
}

export function plural(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}
