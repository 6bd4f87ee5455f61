/** Formats of a new company outside Spain: the language and dates of its country, and its time zone. */

interface Region {
  /** BCP 47. */
  readonly locale: string;
  /** IANA; the capital's. Left out where it is not known here. */
  readonly timezone?: string;
  readonly dateFormat?: string;
}

/** Language, time zone, and how dates are written unless as dd/MM/yyyy. */
const REGIONS = `
AT de Europe/Vienna dd.MM.yyyy
BE nl Europe/Brussels
BG bg Europe/Sofia dd.MM.yyyy
CH de Europe/Zurich dd.MM.yyyy
CY el Asia/Nicosia
CZ cs Europe/Prague dd.MM.yyyy
DE de Europe/Berlin dd.MM.yyyy
DK da Europe/Copenhagen dd.MM.yyyy
EE et Europe/Tallinn dd.MM.yyyy
FI fi Europe/Helsinki dd.MM.yyyy
FR fr Europe/Paris
GB en Europe/London
GR el Europe/Athens
HR hr Europe/Zagreb dd.MM.yyyy
HU hu Europe/Budapest yyyy.MM.dd
IE en Europe/Dublin
IT it Europe/Rome
LT lt Europe/Vilnius yyyy-MM-dd
LU fr Europe/Luxembourg
LV lv Europe/Riga dd.MM.yyyy
MT en Europe/Malta
NL nl Europe/Amsterdam dd-MM-yyyy
PL pl Europe/Warsaw dd.MM.yyyy
PT pt Europe/Lisbon
RO ro Europe/Bucharest dd.MM.yyyy
SE sv Europe/Stockholm yyyy-MM-dd
SI sl Europe/Ljubljana dd.MM.yyyy
SK sk Europe/Bratislava dd.MM.yyyy
US en America/New_York MM/dd/yyyy
`;

const BY_COUNTRY: ReadonlyMap<string, Region> = new Map(
  REGIONS.trim()
    .split('\n')
    .map((line) => {
      const [country, language, timezone, dateFormat] = line.split(' ') as [string, string, string, string?];
      const region = { locale: `${language}-${country}`, timezone };
      return [country, dateFormat === undefined ? region : { ...region, dateFormat }];
    }),
);

/** @param country ISO 3166; texts are English in one that is not known here */
export function regionFor(country: string): Region {
  return BY_COUNTRY.get(country) ?? { locale: `en-${country}` };
}
