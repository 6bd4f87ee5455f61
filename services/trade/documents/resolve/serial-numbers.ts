/** Serial numbers of a line, as a list or a range: batches of one piece each. */
import type { BatchDetail } from '../../../../db/models/trade/documents.ts';
import type { Faults } from '../../../../domain/faults.ts';
import { expandRange, MAX_SERIALS, type RangeFault } from '../../../../domain/trade/stock/serial-numbers.ts';
import type { DocumentLineInput } from '../schemas.ts';
import type { ItemReference } from './references.ts';

const RANGE_FAULTS: Readonly<Record<RangeFault, string>> = {
  form: 'must go from a number to one with the same beginning and as many digits at its end',
  order: 'must not end before it begins',
  many: `must have at most ${MAX_SERIALS} numbers`,
};

/** The member by which a line names its pieces or batches. */
export function namingMember({ serialNumbers, serialRange }: DocumentLineInput): string {
  return serialNumbers !== undefined ? 'serialNumbers' : serialRange !== undefined ? 'serialRange' : 'batchDetails';
}

/** The batches that a line names, by serial number or as batches; undefined if it names none. Adds faults with pointers. */
export function namedBatches(
  line: DocumentLineInput,
  item: ItemReference | undefined,
  pointer: string,
  faults: Faults,
): readonly BatchDetail[] | undefined {
  const { serialNumbers, serialRange, batchDetails } = line;
  if (serialNumbers === undefined && serialRange === undefined) {
    if (item?.serialTracked === true) checkPieces(batchDetails, pointer, faults);
    return batchDetails;
  }
  const at = `${pointer}/${namingMember(line)}`;
  if (item?.serialTracked !== true) {
    faults.add(at, 'not_applicable', 'is allowed only for items with serial numbers');
    return batchDetails;
  }
  if (batchDetails !== undefined) faults.add(at, 'exclusive', 'cannot be given together with batchDetails');
  if (line.uomId !== undefined && line.uomId !== item.uomId)
    faults.add(`${pointer}/uomId`, 'wrong_unit', "must be the item's own unit because its pieces have serial numbers");
  const range = serialRange === undefined ? [] : expandRange(serialRange);
  if (typeof range === 'string') {
    faults.add(`${pointer}/serialRange`, 'invalid', RANGE_FAULTS[range]);
    return batchDetails;
  }
  const numbers = [...(serialNumbers ?? []), ...range];
  if (numbers.length > MAX_SERIALS) faults.add(at, 'too_many', RANGE_FAULTS.many);
  return numbers.map((batchNum) => ({ batchNum, quantity: 1 }));
}

function checkPieces(details: readonly BatchDetail[] | undefined, pointer: string, faults: Faults): void {
  details?.forEach(({ quantity }, index) => {
    if (Number(quantity) !== 1)
      faults.add(
        `${pointer}/batchDetails/${index}/quantity`,
        'out_of_range',
        'must be 1 because it is a serial number',
      );
  });
}
