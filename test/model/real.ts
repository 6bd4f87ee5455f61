/** The service compared with the model: its setup, its calls, and the state that must be the same. */
import assert from 'node:assert/strict';
import { Batch } from '../../db/models/trade/stock.ts';
import { insertRow } from '../../db/write.ts';
import { ServiceError } from '../../domain/errors.ts';
import { loadDocuments } from '../../services/trade/documents/read.ts';
import type { DocumentLineInput } from '../../services/trade/documents/schemas.ts';
import { documentToJson } from '../../services/trade/documents/to-json.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { adjustStock } from '../../services/trade/stock/operations/adjust.ts';
import type { TestCompany } from '../helpers/company.ts';
import { type Answer, Books, type Outcome } from './books.ts';
import { documentTotals, TAX_PERCENTS } from './money.ts';
import { progressSeen, type Type, type Wanted } from './paper.ts';
import { BATCHES, type BatchPart } from './shelves.ts';
import type { Site } from './site.ts';

/** The items of each sequence: one plain, one kept by batch and of another tax. */
const BY_BATCH = [false, true];

/** The service with the items of one sequence. */
export interface Real {
  readonly company: TestCompany;
  readonly site: Site;
  readonly items: readonly string[];
  /** Counts of each operation, and of its refusals by code. */
  readonly seen: Map<string, number>;
}

/** New items with some stock; numbers go on from where the last sequence ended. */
export async function begin(company: TestCompany, site: Site, seen: Map<string, number>) {
  const items = await Promise.all(
    BY_BATCH.map(async (batchTracked, item) => {
      const taxes = { salesTaxGroupId: site.taxes[item], purchaseTaxGroupId: site.taxes[item] };
      return (await company.item({ batchTracked, ...taxes } as object)).id;
    }),
  );
  const [plain, batched] = items as [string, string];
  await company.run(async (trx) => {
    for (const { name, expiryDate, pending } of BATCHES) {
      const status = pending ? 'pending' : 'confirmed';
      await insertRow(trx, company.ctx, Batch, { itemId: batched, batchNum: name, expiryDate, status });
    }
    const counted = BATCHES.map(({ name }) => ({ itemId: batched, batchNum: name, countedQuantity: 5 }));
    const lines = [{ itemId: plain, countedQuantity: 12 }, ...counted];
    await adjustStock(trx, company.ctx, { warehouseId: company.warehouseId, reason: 'opening', lines });
  });
  const rows = await company.rows('select doc_type, rectifying, next_number from series where is_default');
  const model = new Books(
    BY_BATCH,
    Object.fromEntries(rows.map((row) => [`${row.doc_type}${row.rectifying ? ' R' : ''}`, Number(row.next_number)])),
  );
  const general = { warehouse: 0, zone: null };
  model.shelves.add({ place: { ...general, item: 0, batch: null }, quantity: 12 });
  for (const { name } of BATCHES) model.shelves.add({ place: { ...general, item: 1, batch: name }, quantity: 5 });
  const real: Real = { company, site, items, seen };
  return { model, real };
}

export async function createBoth(real: Real, type: Type, wanted: readonly Wanted[]): Promise<Answer> {
  const { company } = real;
  const partnerId = type.startsWith('S') ? company.customerId : company.supplierId;
  const lines = wanted.map((line) => lineInput(real, line));
  const made = await company.run((trx) => createDocument(trx, company.ctx, type, { partnerId, lines }));
  return made as unknown as Answer;
}

/** A line as a client sends it. Item, price and discount come from the base where there is one. */
export function lineInput({ items, site }: Real, line: Wanted): DocumentLineInput {
  const { item, quantity, price, discount, warehouse, zone, batches, allowExpired, base } = line;
  const own = { itemId: items[item] as string, price: price / 100, discountPercent: discount };
  return {
    ...(base === null ? own : { baseId: base.doc.id, baseLineId: base.id }),
    quantity,
    warehouseId: site.warehouses[warehouse] as string,
    ...(zone === null ? {} : { zoneId: site.zones[zone] as string }),
    ...(batches === null ? {} : { batchDetails: batchDetailsInput(batches) }),
    ...(allowExpired ? { allowExpired } : {}),
  };
}

export function batchDetailsInput(batches: readonly BatchPart[]) {
  return batches.map(({ batch, quantity }) => ({ batchNum: batch, quantity }));
}

/** Takes the step in the service, and checks that the model predicted the outcome. */
export async function both(
  books: Books,
  real: Real,
  what: string,
  outcome: Outcome,
  act: () => Promise<Answer>,
): Promise<void> {
  const answer = await act().catch((error: unknown) => {
    if (error instanceof ServiceError) return error;
    throw error;
  });
  const result = 'refused' in outcome ? outcome.refused : what;
  real.seen.set(result, (real.seen.get(result) ?? 0) + 1);
  if (answer instanceof ServiceError) {
    assert.equal(answer.code, 'refused' in outcome ? outcome.refused : 'allowed', answer.message);
  } else {
    assert.ok('apply' in outcome, `${what} was done, which the model refuses with ${result}`);
    outcome.apply(answer);
  }
  assert.deepEqual(await storedState(real, books), foretold(books));
}

function foretold({ docs, shelves, commitments }: Books) {
  return {
    shelves: shelves.all(),
    commitments: Object.fromEntries(
      [...commitments].filter(([, { reserved, incoming }]) => reserved !== 0 || incoming !== 0),
    ),
    docs: docs.map((doc) => ({
      type: doc.type,
      status: doc.status,
      number: doc.number,
      ...documentTotals(doc.lines, TAX_PERCENTS),
      lines: doc.lines.map((line) => progressSeen(line, docs)),
    })),
  };
}

const LEVELS_SQL = `select i.place - 1 as item, l.warehouse_id as warehouse, l.zone_id as zone, b.batch_num as batch,
    l.on_hand::float as "onHand", l.reserved::float as reserved, l.incoming::float as incoming
  from unnest(?::uuid[]) with ordinality as i(id, place) join stock_levels l on l.item_id = i.id left join batches b on b.id = l.batch_id`;

interface Level extends Record<'item' | 'onHand' | 'reserved' | 'incoming', number> {
  readonly warehouse: string;
  readonly zone: string | null;
  readonly batch: string | null;
}

/** The same as the model has it, as the service shows it. */
async function storedState({ company, site, items }: Real, books: Books): Promise<unknown> {
  const ids = books.docs.map(({ id }) => id);
  const [levels, docs] = await company.database.readTenant(company.ctx, async (db) => {
    const { rows } = (await db.raw(LEVELS_SQL, [[...items]] as never)) as { rows: Level[] };
    return [rows, await loadDocuments(db, ids)] as const;
  });
  const shelves: Record<string, number> = {};
  const commitments: Record<string, object> = {};
  for (const { item, warehouse, zone, batch, onHand, reserved, incoming } of levels) {
    const place = `${item} ${site.warehouses.indexOf(warehouse)}`;
    if (onHand !== 0) shelves[`${place} ${site.zoneCode(zone) ?? '-'} ${batch ?? '-'}`] = onHand;
    if (reserved !== 0 || incoming !== 0) commitments[place] = { reserved, incoming };
  }
  const byId = new Map(docs.map((doc) => [doc.row.id, documentToJson(doc)]));
  return { shelves, commitments, docs: ids.map((id) => shown(byId.get(id) as never)) };
}

type Shown = Record<'subtotal' | 'discountTotal' | 'taxTotal' | 'total', number> & {
  docType: string;
  status: string;
  number: number | null;
  lines: Record<`${'open' | 'delivered' | 'invoiced' | 'returned'}Quantity` | 'quantity', number>[];
};

function shown(doc: Shown) {
  const cents = (amount: number) => Math.round(amount * 100) || 0;
  const { docType: type, status, number, subtotal, discountTotal, taxTotal, total, lines } = doc;
  return {
    type,
    status,
    number,
    subtotal: cents(subtotal),
    discountTotal: cents(discountTotal),
    taxTotal: cents(taxTotal),
    total: cents(total),
    lines: lines.map((line) => {
      const { quantity, openQuantity, deliveredQuantity, invoicedQuantity, returnedQuantity } = line;
      return [quantity, openQuantity, deliveredQuantity, invoicedQuantity, returnedQuantity];
    }),
  };
}
