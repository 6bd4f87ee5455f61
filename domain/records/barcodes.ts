/** Barcodes of goods: GTIN (EAN-8, UPC-A, EAN-13, ITF-14) with their check digit (GS1 General Specifications, 7.9). */

const LENGTHS = [8, 12, 13, 14];

/** Whether a text is a GTIN: 8, 12, 13 or 14 digits, the last of which is the check digit of the others. */
export function isGtin(text: string): boolean {
  if (!/^[0-9]+$/.test(text) || !LENGTHS.includes(text.length)) return false;
  return checkDigit(text.slice(0, -1)) === text.at(-1);
}

/** The check digit: from the right, digits count three times and once in turn; it completes their sum to a multiple of ten. */
export function checkDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((all, digit, index) => all + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}
