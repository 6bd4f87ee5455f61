/** Country names as the wholesaler's till writes them. */

const OWN_NAMES: Readonly<Record<string, string>> = { eire: 'IE', rsa: 'ZA', usa: 'US', 'channel islands': 'JE' };
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const byName = new Map<string, string>();
const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
  const name = names.of(code);
  // Former codes (DD, FX, …) are converted to those that replaced them, and name the same country.
  const current = new Intl.Locale(`und-${code}`).region === code;
  if (name !== undefined && current) byName.set(name.toLowerCase(), code);
}

/** Returns the ISO 3166 code of an English country name; undefined for other names (Unspecified, European Community). */
export function countryCode(name: string): string | undefined {
  const key = name.trim().toLowerCase();
  return OWN_NAMES[key] ?? byName.get(key);
}
