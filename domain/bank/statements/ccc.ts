/** The Spanish account number (CCC) in an IBAN: bank, branch, two check digits, account. */

const WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6] as const;

/** Builds the IBAN of a Spanish account, with check digits. @param bank 4 digits, @param branch 4, @param account 10 */
export function cccToIban(bank: string, branch: string, account: string): string {
  const number = `${bank}${branch}${checkDigit(`00${bank}${branch}`)}${checkDigit(account)}${account}`;
  return `ES${checkDigits(`${number}ES00`)}${number}`;
}

function checkDigit(tenDigits: string): number {
  const rest = [...tenDigits].reduce((total, digit, index) => total + Number(digit) * (WEIGHTS[index] ?? 0), 0) % 11;
  return rest < 2 ? rest : 11 - rest;
}

/**
 * Computes check digits by ISO 7064 (mod 97-10), for IBANs and creditor identifiers.
 * @param text letters A–Z and digits, with 00 in place of the check digits, moved to the end
 */
export function checkDigits(text: string): string {
  let rest = 0;
  for (const sign of text) {
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97;
  }
  return String(98 - rest).padStart(2, '0');
}
