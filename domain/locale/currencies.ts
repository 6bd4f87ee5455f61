/** The currencies in use, by their ISO 4217 codes, and the decimals of their amounts. */

/** Codes by decimals; those with two are most. */
const CODES: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP ' +
    'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD ' +
    'KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR ' +
    'PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU ' +
    'UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const PLACES: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES).flatMap(([places, codes]) => codes.split(' ').map((code) => [code, Number(places)] as const)),
);

/** Decimals of exchange rates. */
export const RATE_PLACES = 12;

export function isCurrency(code: string): boolean {
  return PLACES.has(code);
}

/** Decimals of amounts in a currency; two for one that is no longer in use. */
export function currencyPlaces(code: string): number {
  return PLACES.get(code) ?? 2;
}

/** SQL for the decimals of amounts in a currency. @param code SQL of the code */
export function currencyPlacesSql(code: string): string {
  const cases = [0, 3, 4].map((places) => {
    const codes = (CODES[places] ?? '').split(' ').map((one) => `'${one}'`);
    return `when ${code} in (${codes.join(', ')}) then ${places}`;
  });
  return `case ${cases.join(' ')} else 2 end`;
}
