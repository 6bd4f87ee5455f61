/**
 * Protects texts that a spreadsheet would treat as formulas: exports add an apostrophe, imports remove it. A text that already looks
 * protected gets another one, so that every text survives unchanged.
 */

/** First characters of formulas: =, @, a tab or a line break. */
const FORMULA = /^[=@\t\r\n]/;
const SIGNED = /^[+\-−](.+)$/s;
/** Plain, grouped or scientific, with an optional percent sign. */
const NUMBER = /^(\d[\d.,\u00a0\u202f ]*|[.,]\d+)(e[+-]?\d+)?\s?%?$/i;
const PHONE = /^[\d(][\d ().\u00a0-]*$/;
const PHONE_DIGITS = { least: 6, most: 15 };

/** Protects a text from being evaluated by spreadsheets. */
export function protectText(text: string): string {
  return needsProtection(text) ? `'${text}` : text;
}

/** Reverses `protectText`. */
export function unprotectText(text: string): string {
  return text.startsWith("'") && needsProtection(text.slice(1)) ? text.slice(1) : text;
}

function needsProtection(text: string): boolean {
  const bare = text.replace(/^'+/, '');
  if (FORMULA.test(bare)) return true;
  const rest = SIGNED.exec(bare)?.[1];
  return rest !== undefined && !NUMBER.test(rest) && !isPhone(rest);
}

/** Whether a text is a phone number without its plus: up to 15 digits (E.164), with blanks, dots, hyphens or parentheses. */
function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return PHONE.test(text) && digits >= PHONE_DIGITS.least && digits <= PHONE_DIGITS.most;
}
