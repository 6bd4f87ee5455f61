/** The place and batches of a line's goods, and the assignments of its amount. */

import type { BatchDetail } from '../../../../db/models/trade/documents.ts';
import type { Faults } from '../../../../domain/faults.ts';
import { decimal, sum } from '../../../../domain/money.ts';
import type { DocumentTypeInfo } from '../../../../domain/trade/documents/types.ts';
import type { DocumentLineInput } from '../schemas.ts';
import { checkDimensions } from './dimensions.ts';
import type { ItemReference, References } from './references.ts';
import { namedBatches, namingMember } from './serial-numbers.ts';

interface Place {
  readonly type: DocumentTypeInfo;
  readonly line: DocumentLineInput;
  readonly pointer: string;
  readonly references: References;
  readonly faults: Faults;
  readonly item: ItemReference | undefined;
  readonly warehouseId: string | null;
  /** Whether the line itself moves goods, and therefore names their place. */
  readonly moves: boolean;
  /** Whether it returns goods of a note. */
  readonly returns: boolean;
}

/**
 * Resolves the zone, which must belong to the line's warehouse. It is required if the company enforces zones and goods
 * move.
 */
export function resolveZone(context: Place): string | null {
  const { line, pointer, references, faults, item, warehouseId, moves } = context;
  if (line.zoneId === undefined) {
    if (moves && item?.stockTracked === true && references.enforceWarehouseZones) {
      faults.add(`${pointer}/zoneId`, 'required', 'is required because the company enforces zones');
    }
    return null;
  }
  const zone = references.zones.get(line.zoneId);
  if (!zone) faults.add(`${pointer}/zoneId`, 'invalid_reference', 'refers to a zone that does not exist');
  else if (!zone.active) faults.add(`${pointer}/zoneId`, 'inactive', 'refers to an inactive zone');
  else if (zone.warehouseId !== warehouseId) {
    faults.add(`${pointer}/zoneId`, 'wrong_warehouse', 'is a zone of another warehouse');
  }
  return item?.stockTracked ? line.zoneId : null;
}

/** Resolves the batches of an item tracked by batch, if goods move. They must add up to the line's quantity. */
export function resolveBatches(context: Place): readonly BatchDetail[] | null {
  const { type, line, pointer, faults, item, moves, returns } = context;
  const member = namingMember(line);
  const at = `${pointer}/${member}`;
  const details = namedBatches(line, item, pointer, faults);
  if (details === undefined) {
    if (item?.serialTracked && moves && type.direction > 0)
      faults.add(`${pointer}/serialNumbers`, 'required', 'is required because its pieces have serial numbers');
    else if (item?.batchTracked && moves && type.direction > 0) {
      faults.add(at, 'required', 'is required because the item is tracked by batch');
    }
    return null;
  }
  // The first receipt with batches starts tracking the item by batch.
  const begins = item?.stockTracked === true && moves && type.direction > 0;
  if (!item?.batchTracked && !begins) faults.add(at, 'not_applicable', 'is allowed only for items tracked by batch');
  else if (!moves && !returns) faults.add(at, 'not_applicable', 'is allowed only for lines that move goods');
  const names = new Set<string>();
  details.forEach(({ batchNum, expiryDate }, index) => {
    if (names.has(batchNum))
      faults.add(
        member === 'batchDetails' ? `${at}/${index}/batchNum` : at,
        'duplicate',
        'must not be named twice in this line',
      );
    names.add(batchNum);
    if (expiryDate !== undefined && (returns || type.direction < 0)) {
      faults.add(`${at}/${index}/expiryDate`, 'not_applicable', 'is allowed only for batches that come in');
    }
  });
  const total = sum(details.map(({ quantity }) => quantity));
  const quantity = decimal(line.quantity).abs();
  if (!total.eq(quantity)) {
    faults.add(at, 'wrong_sum', `add up to ${total.toFixed()}, but the line has ${quantity.toFixed()}`);
  }
  return details;
}

interface Assigned {
  readonly accountId?: string;
  readonly projectId?: string;
  readonly costCenterId?: string;
  readonly salespersonId?: string;
}

/** Checks the account, project and cost center of a line, or of a head (without account). */
export function checkAssignments(given: Assigned, pointer: string, references: References, faults: Faults): void {
  const { accountId, salespersonId } = given;
  if (accountId !== undefined) {
    const account = references.accounts.get(accountId);
    checkUsable(account, `${pointer}/accountId`, 'an account', faults);
    if (account?.isHeading)
      faults.add(`${pointer}/accountId`, 'wrong_type', 'is a heading; nothing can be posted to it');
  }
  checkDimensions(given, pointer, references, faults);
  if (salespersonId !== undefined) {
    checkUsable(references.salespeople.get(salespersonId), `${pointer}/salespersonId`, 'a salesperson', faults);
  }
}

function checkUsable(
  found: { readonly active: boolean } | undefined,
  pointer: string,
  words: string,
  faults: Faults,
): void {
  if (!found) faults.add(pointer, 'invalid_reference', `refers to ${words} that does not exist`);
  else if (!found.active) faults.add(pointer, 'inactive', `refers to ${words} that is inactive`);
}
