/** Kinds of investment goods in the codes of the VAT books. */

/** The kind of an investment good, by the account on which it is (PGC, groups 20 to 22). */
const GOODS: readonly (readonly [account: string, code: string])[] = [
  ['203', '31'],
  ['205', '32'],
  ['206', '33'],
  ['20', '39'],
  ['210', '11'],
  ['220', '11'],
  ['211', '12'],
  ['221', '12'],
  ['212', '25'],
  ['213', '21'],
  ['214', '28'],
  ['215', '25'],
  ['216', '24'],
  ['217', '23'],
  ['218', '22'],
];
const OTHER_GOODS = '29';

/** The code of an investment good's kind. @param account null if it is unknown */
export function goodType(account: string | null): string {
  return GOODS.find(([group]) => account?.startsWith(group) === true)?.[1] ?? OTHER_GOODS;
}
