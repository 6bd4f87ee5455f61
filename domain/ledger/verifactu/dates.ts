/** Dates as the tax agency writes them. */

/** @param date YYYY-MM-DD @returns DD-MM-YYYY */
export function printedDate(date: string): string {
  return date.split('-').reverse().join('-');
}

/** @param text DD-MM-YYYY @returns YYYY-MM-DD */
export function parsedDate(text: string): string {
  return text.split('-').reverse().join('-');
}
