/**
 * Texts that a spreadsheet would take for a formula get a leading apostrophe in exports, which an import takes off again.
 * A text that already looks like a protected one gets one more, so that every text comes back as it was.
 */

/** What begins a formula: =, @, a tab or a line break. */
const FORMULA = /^[=@\t\r\n]/;
const SIGNED = /^[+\-−](.+)$/s;
/** Plain, grouped or scientific; a percent sign may follow. */
const NUMBER = /^(\d[\d.,\u00a0\u202f ]*|[.,]\d+)(e[+-]?\d+)?\s?%?$/i;
const PHONE = /^[\d(][\d ().\u00a0-]*$/;
const PHONE_DIGITS = { least: 6, most: 15 };

/** A text cell that no spreadsheet computes. */
export function protectText(text: string): string {
  return needsProtection(text) ? `'${text}` : text;
}

/** The text before `protectText`. */
export function unprotectText(text: string): string {
  return text.startsWith("'") && needsProtection(text.slice(1)) ? text.slice(1) : text;
}

function needsProtection(text: string): boolean {
  const bare = text.replace(/^'+/, '');
  if (FORMULA.test(bare)) return true;
  const rest = SIGNED.exec(bare)?.[1];
  return rest !== undefined && !NUMBER.test(rest) && !isPhone(rest);
}

/** Whether a text is a phone number without its sign: up to 15 digits (E.164), written with blanks, dots, hyphens or brackets. */
function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return PHONE.test(text) && digits >= PHONE_DIGITS.least && digits <= PHONE_DIGITS.most;
}
