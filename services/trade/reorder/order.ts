/** Orders what should be ordered again: one purchase order, or request, for each supplier and warehouse. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { daysAfter } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { decimal, toNumber } from '../../../domain/money.ts';
import { loadToday } from '../../platform/settings/today.ts';
import type { DocumentAnswer } from '../documents/to-json.ts';
import { createDocument } from '../lifecycle/create.ts';
import { type Proposal, type ProposalFilter, proposals } from './proposals.ts';

export interface ReorderInput extends ProposalFilter {
  /** Defaults to order. */
  readonly kind?: 'order' | 'request';
  /** Only these, with other quantities if they say so. */
  readonly lines?: readonly { readonly ruleId: string; readonly quantity?: number }[];
}

export interface Reordered {
  readonly documents: readonly DocumentAnswer[];
  /** Rules without a supplier that can be ordered from, whose items nobody was asked for. */
  readonly skipped: readonly Proposal[];
}

/**
 * Orders the proposals. Two at once do not order twice: the second sees what the first has ordered.
 * @throws ServiceError validation_failed with pointers into `lines`; nothing_open if nothing is to be ordered; whatever refuses an order
 */
export async function reorder(
  trx: Db,
  ctx: Context,
  { kind = 'order', lines, ...filter }: ReorderInput,
): Promise<Reordered> {
  await lockName(trx, `reorder:${ctx.tenantId}`);
  const found = await proposals(trx, filter);
  const chosen = lines === undefined ? found : named(found, lines);
  const wanted = chosen.filter(({ orderable }) => orderable);
  const skipped = chosen.filter(({ orderable }) => !orderable);
  if (wanted.length === 0) {
    const why =
      skipped.length === 0
        ? 'nothing is below its minimum'
        : 'no rule of these items names a supplier that can be ordered from';
    throw new ServiceError('nothing_open', `Nothing was ordered: ${why}`);
  }
  const today = await loadToday(trx, ctx);
  const groups = groupBy(wanted, ({ supplierId, warehouseId }) => `${supplierId} ${warehouseId}`);
  const documents: DocumentAnswer[] = [];
  for (const group of groups.values()) documents.push(await orderFrom(trx, ctx, kind, group, today));
  return { documents, skipped };
}

/** The proposals that are named, with the quantities given. */
function named(found: readonly Proposal[], lines: NonNullable<ReorderInput['lines']>): Proposal[] {
  const faults = new Faults();
  const known = new Map(found.map((proposal) => [proposal.ruleId, proposal]));
  const seen = new Set<string>();
  const chosen = lines.flatMap(({ ruleId, quantity }, index): Proposal[] => {
    const at = `/lines/${index}/ruleId`;
    const proposal = known.get(ruleId);
    if (seen.has(ruleId)) faults.add(at, 'duplicate', 'must not be named twice');
    seen.add(ruleId);
    if (proposal === undefined) {
      faults.add(at, 'invalid_reference', 'refers to no rule whose item is below its minimum');
      return [];
    }
    if (!proposal.orderable)
      faults.add(at, 'not_applicable', 'refers to a rule without a supplier that can be ordered from');
    return [quantity === undefined ? proposal : { ...proposal, quantity: decimal(quantity).toFixed() }];
  });
  faults.throwIfAny();
  return chosen;
}

async function orderFrom(
  trx: Db,
  ctx: Context,
  kind: 'order' | 'request',
  group: readonly Proposal[],
  today: string,
): Promise<DocumentAnswer> {
  const [first] = group as readonly [Proposal, ...Proposal[]];
  const days = Math.max(...group.map(({ leadTimeDays }) => leadTimeDays));
  return await createDocument(trx, ctx, kind === 'order' ? 'PO' : 'PR', {
    partnerId: first.supplierId as string,
    ...(first.warehouseId === null ? {} : { warehouseId: first.warehouseId }),
    deliveryDate: daysAfter(today, days),
    lines: group.map(({ itemId, quantity }) => ({ itemId, quantity: toNumber(quantity) })),
  });
}
