/**
 * Rates of VAT of the other member states as of 1 January 2026: code, standard rate, reduced rates, and name of the state. They are
 * where a company begins: it adds later ones like any tax. Rates of regions (Madeira, the Azores, Corsica …) are not among them.
 */
import type { RateKind } from '../../../../trade/documents/union-scheme.ts';
import type { TaxSeed } from '../chart.ts';
import type { TaxSetSeed } from './seed.ts';

const SINCE = '2026-01-01';
const ACCOUNT = '4775';

const RATES = `
AT 20 10,13 Austria
BE 21 6,12 Bélgica
BG 20 9 Bulgaria
CY 19 3,5,9 Chipre
CZ 21 12 Chequia
DE 19 7 Alemania
DK 25 - Dinamarca
EE 24 9,13 Estonia
FI 25.5 10,13.5 Finlandia
FR 20 2.1,5.5,10 Francia
GR 24 6,13 Grecia
HR 25 5,13 Croacia
HU 27 5,18 Hungría
IE 23 4.8,9,13.5 Irlanda
IT 22 4,5,10 Italia
LT 21 5,12 Lituania
LU 17 3,8,14 Luxemburgo
LV 21 5,12 Letonia
MT 18 5,7,12 Malta
NL 21 9 Países Bajos
PL 23 5,8 Polonia
PT 23 6,13 Portugal
RO 21 11 Rumanía
SE 25 6,12 Suecia
SI 22 5,9.5 Eslovenia
SK 23 5,19 Eslovaquia`;

function stateTaxes(line: string): TaxSeed[] {
  const [country, standard, reduced, ...name] = line.split(' ') as [string, string, string, string];
  const tax = (rate: string, rateKind: RateKind): TaxSeed => ({
    ...{ code: `OSS${country}${rate}`, name: `IVA de ${name.join(' ')} ${rate.replace('.', ',')} %` },
    ...{ rate: rate as TaxSeed['rate'], surchargeRate: '0', kind: 'vat', accounts: { output: ACCOUNT } },
    ...{ consumptionCountry: country, rateKind, validFrom: SINCE },
  });
  return [
    tax(standard, 'standard'),
    ...(reduced === '-' ? [] : reduced.split(',').map((rate) => tax(rate, 'reduced'))),
  ];
}

export const UNION: Pick<TaxSetSeed, 'accounts' | 'taxes'> = {
  accounts: [{ code: ACCOUNT, name: 'Hacienda Pública, IVA repercutido de otros Estados (OSS)', type: 'liability' }],
  taxes: RATES.trim().split('\n').flatMap(stateTaxes),
};
