/** Refuses regimes that do not suit a document: its side, its taxes, or the company's indirect tax (decisions 0364 and 0366). */
import type { Faults } from '../../../../domain/faults.ts';
import { decimal } from '../../../../domain/money.ts';
import { hasRegime, taxName } from '../../../../domain/trade/documents/tax-sets.ts';
import type { DocumentTypeInfo } from '../../../../domain/trade/documents/types.ts';
import { COMPENSATIONS, type TaxRates, type VatRegime } from '../../../../domain/trade/documents/vat.ts';
import type { DocumentInput } from '../schemas.ts';
import type { References } from './references.ts';

/** @param regime that of the document */
export function checkRegimes(
  { side }: Pick<DocumentTypeInfo, 'side'>,
  { lines }: Pick<DocumentInput, 'lines'>,
  regime: VatRegime,
  { taxSet }: Pick<References, 'taxSet'>,
  faults: Faults,
): void {
  const check = (pointer: string, wanted: VatRegime | undefined) => {
    if (wanted === undefined) return;
    if (!hasRegime(taxSet, wanted)) {
      const message = `cannot be ${wanted} because only VAT has it, and the company charges ${taxName(taxSet, 'en')}`;
      faults.add(pointer, 'not_applicable', message);
    } else if (wanted === 'agricultural' && side === 'sales') {
      faults.add(
        pointer,
        'not_applicable',
        'is agricultural only on purchases, from suppliers under the farming scheme',
      );
    }
  };
  check('/vatRegime', regime);
  for (const [index, { vatRegime }] of lines.entries()) check(`/lines/${index}/vatRegime`, vatRegime);
}

/** Refuses taxes that are no compensation on purchases under the farming scheme; those of IGIC are not known here. */
export function checkCompensation(
  { kind, rate }: Pick<TaxRates, 'kind' | 'rate'>,
  regime: VatRegime,
  pointer: string,
  { taxSet }: Pick<References, 'taxSet'>,
  faults: Faults,
): void {
  if (regime !== 'agricultural' || taxSet !== 'vat') return;
  if (kind === 'vat' && COMPENSATIONS.some((known) => decimal(known).eq(rate))) return;
  const known = COMPENSATIONS.join(' or ');
  faults.add(
    `${pointer}/taxGroupId`,
    'out_of_range',
    `must be a tax of ${known} %, which are the compensations of the farming scheme`,
  );
}
