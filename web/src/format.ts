/** Numbers as people read them; unknown is a dash. */
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function tokens(value: unknown): string {
  return typeof value === "number" ? whole.format(value) : "–";
}

/** 41,200 → 41k, for axes. */
export function short(value: number): string {
  if (Math.abs(value) >= 1e6) return `${trim(value / 1e6)}M`;
  return Math.abs(value) >= 1000 ? `${trim(value / 1000)}k` : String(value);
}

export function share(value: unknown): string {
  return typeof value === "number" ? value.toFixed(3) : "–";
}

export function dollars(value: unknown): string {
  if (typeof value !== "number") return "–";
  return `$${value.toFixed(value < 1 ? 3 : 2)}`;
}

export function milliseconds(value: unknown): string {
  return typeof value === "number" ? value.toFixed(value < 10 ? 1 : 0) : "–";
}

function trim(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}
