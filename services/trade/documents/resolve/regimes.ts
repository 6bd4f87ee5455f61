/** Refuses regimes that the company's indirect tax does not have (decision 0364). */
import type { Faults } from '../../../../domain/faults.ts';
import { hasRegime, taxName } from '../../../../domain/trade/documents/tax-sets.ts';
import type { DocumentInput } from '../schemas.ts';
import type { References } from './references.ts';

/** @param regime that of the document */
export function checkRegimes(
  { lines }: Pick<DocumentInput, 'lines'>,
  regime: string,
  { taxSet }: Pick<References, 'taxSet'>,
  faults: Faults,
): void {
  const check = (pointer: string, wanted: string | undefined) => {
    if (wanted === undefined || hasRegime(taxSet, wanted)) return;
    const message = `cannot be ${wanted} because only VAT has it, and the company charges ${taxName(taxSet, 'en')}`;
    faults.add(pointer, 'not_applicable', message);
  };
  check('/vatRegime', regime);
  for (const [index, { vatRegime }] of lines.entries()) check(`/lines/${index}/vatRegime`, vatRegime);
}
