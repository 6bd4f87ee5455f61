/** Creates orders to the bank: validates their message, stores it as a file, and prevents ordering anything twice. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { type OrderKind, SepaOrder, SepaOrderItem } from '../../../db/models/bank/sepa.ts';
import { Payroll } from '../../../db/models/records/people.ts';
import { findRow, findRows } from '../../../db/queries/find.ts';
import { TIME_ZONE, TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import type { Party } from '../../../domain/bank/sepa/parts.ts';
import { findFaults, type Rule } from '../../../domain/bank/sepa/rules.ts';
import { compact } from '../../../domain/bank/statements/words.ts';
import { invalidMember, notFound, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { type Permission, PRIVATE } from '../../../domain/permissions.ts';
import { type Node, serialize } from '../../../domain/xml.ts';
import { readFile, type StoredFile, storeFile } from '../../platform/files/files.ts';
import { loadSettings } from '../../platform/settings/settings.ts';

/** The ordering company, its account, and the time of the order. */
export interface Orderer {
  readonly party: Party;
  readonly bankAccountId: string;
  readonly country: string;
  readonly taxId: string;
  readonly messageId: string;
  /** Local time of the company, with seconds. */
  readonly createdAt: string;
}

/** Names of members of the body. */
const MEMBERS = {
  credit_transfers: { items: 'payment_ids', bankAccount: 'bank_account_id' },
  direct_debits: { items: 'document_ids', bankAccount: 'bank_account_id' },
  salaries: { items: 'ids', bankAccount: 'bankAccountId' },
} as const satisfies Record<OrderKind, object>;

export interface OrderItem {
  /** Index of its source in the body. */
  readonly index: number;
  readonly endToEndId: string;
  readonly amount: Decimal;
  /** Number of the batch, from 1, that the bank books as one sum; defaults to 1. */
  readonly batch?: number;
  readonly paymentId?: string;
  readonly documentId?: string;
  readonly instalment?: number | null;
  readonly mandateId?: string;
}

/**
 * Loads the company and its account.
 * @throws ServiceError validation_failed: no such account, a past date, a company whose currency is not the euro
 */
export async function loadOrderer(
  db: Db,
  ctx: Context,
  kind: OrderKind,
  { date, bankAccountId: id }: { readonly date: string; readonly bankAccountId: string | null | undefined },
): Promise<Orderer> {
  const company = await loadSettings(db, 'company');
  const [row] = await query<{ id: string; iban: string; bic: string | null; today: string; clock: string }>(
    db,
    `select b.id, b.iban, b.bic, ${TODAY} as today,
       to_char(:now::timestamptz at time zone ${TIME_ZONE}, 'YYYYMMDDHH24MISS') as clock
     from bank_accounts b where case when :id::uuid is null then b.is_default else b.id = :id::uuid end`,
    { id: id ?? null, now: ctx.now.toISOString() },
  );
  if (row === undefined) {
    throw invalidMember(
      `/${MEMBERS[kind].bankAccount}`,
      'invalid_reference',
      'refers to a bank account that does not exist',
    );
  }
  if (date < row.today) throw invalidMember('/date', 'out_of_range', `is in the past; today is ${row.today}`);
  if (company.currency !== 'EUR') {
    throw invalidMember(
      '',
      'other_currency',
      `SEPA orders are in euros, but the company keeps its accounts in ${company.currency}`,
    );
  }
  return {
    party: { name: company.name, iban: row.iban, bic: row.bic },
    bankAccountId: row.id,
    country: company.country,
    taxId: company.taxId,
    messageId: compact(newId()),
    createdAt: row.clock.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6'),
  };
}

/** An item to order, with its place in the body. */
interface OrderedSource {
  readonly id: string;
  readonly instalment: number | null;
  readonly index: number;
}

/**
 * Checks that nothing is ordered twice.
 * @throws ServiceError duplicate naming the first item that an earlier order contains, or may have contained before a restore
 */
export async function assertNotOrdered(
  db: Db,
  ctx: Context,
  kind: OrderKind,
  wanted: readonly OrderedSource[],
  repeat: boolean | undefined,
): Promise<void> {
  if (repeat === true) return;
  const column = kind === 'direct_debits' ? 'document_id' : 'payment_id';
  const found = await query<Omit<OrderedSource, 'index'> & { date: string }>(
    db,
    `select distinct on (i.${column}, i.instalment) i.${column} as id, i.instalment, o.date
     from sepa_order_items i join sepa_orders o on o.id = i.order_id
     where i.${column} = any(:ids::uuid[]) and not exists (select from payments b where b.returns = i.payment_id)
     order by i.${column}, i.instalment, o.id desc`,
    { ids: [...new Set(wanted.map(({ id }) => id))] },
  );
  const doubtful = await restoredSince(db, ctx, kind, wanted);
  const itemKey = ({ id, instalment }: Omit<OrderedSource, 'index'>) => `${id} ${instalment ?? ''}`;
  const dates = new Map(found.map((item) => [itemKey(item), item.date]));
  const errors = wanted.flatMap((item) => {
    const date = dates.get(itemKey(item));
    const pointer = `/${MEMBERS[kind].items}/${item.index}`;
    if (date !== undefined) return [{ pointer, code: 'duplicate', message: `is already in the order for ${date}` }];
    const time = doubtful.get(item.id);
    const message = `may be in an order that was lost, since the data were restored to ${time}; compare with the bank`;
    return time === undefined ? [] : [{ pointer, code: 'doubtful', message }];
  });
  const [first] = errors;
  if (first === undefined) return;
  const words = `${first.pointer} ${first.message}; send repeat: true to order it again`;
  throw new ServiceError('duplicate', words, { errors });
}

const DAY_MS = 86_400_000;
/** Days after a restore for which what was there before may be in a lost order. */
const DOUBTFUL_DAYS = 60;

/** Finds the items that were there before the time to which the data were restored, with that time. */
async function restoredSince(
  db: Db,
  { now }: Context,
  kind: OrderKind,
  wanted: readonly OrderedSource[],
): Promise<ReadonlyMap<string, string>> {
  const table = kind === 'direct_debits' ? 'documents' : 'payments';
  const since = new Date(now.getTime() - DOUBTFUL_DAYS * DAY_MS).toISOString();
  const found = await query<{ id: string; time: string }>(
    db,
    `select w.id, max(r.as_of) as time
     from ${table} w join restores r on r.as_of >= w.created_at and r.restored_at > :since::timestamptz
     where w.id = any(:ids::uuid[]) group by w.id`,
    { ids: [...new Set(wanted.map(({ id }) => id))], since },
  );
  return new Map(found.map(({ id, time }) => [id, new Date(time).toISOString()]));
}

/**
 * Stores an order with its file.
 * @param pointers to the sources of the message's transactions in the body, in order
 * @throws ServiceError validation_failed for anything that the bank would refuse
 */
export async function writeOrder(
  trx: Db,
  ctx: Context,
  order: {
    readonly kind: OrderKind;
    readonly name: string;
    readonly orderer: Orderer;
    readonly date: string;
    readonly message: Node;
    readonly rules: Rule;
    readonly items: readonly OrderItem[];
  },
) {
  const { kind, name, orderer, date, message, items } = order;
  const faults = findFaults(message, order.rules);
  if (faults.length > 0) {
    throw validationFailed(
      faults.slice(0, 100).map(({ path, message: words }) => {
        // Transactions are numbered within each batch, so the place is known only in messages with one.
        const place = /CdtTrfTxInf\[(\d+)\]/.exec(path)?.[1];
        return {
          pointer: place === undefined ? '' : `/${MEMBERS[kind].items}/${items[Number(place) - 1]?.index ?? 0}`,
          code: 'invalid_message',
          message: `${path.replace(/^Document\/\w+\//, '')} ${words}`,
        };
      }),
    );
  }
  const fileId = await storeFile(trx, ctx, {
    kind: 'sepa_order',
    name: `${name}-${date}-${orderer.messageId.slice(-8)}.xml`,
    contentType: 'application/xml',
    content: Buffer.from(serialize(message)),
  });
  const changes = new Changes(ctx);
  const stored = changes.create(SepaOrder, {
    kind,
    messageId: orderer.messageId,
    message: name,
    bankAccountId: orderer.bankAccountId,
    date,
    count: items.length,
    total: sum(items.map(({ amount }) => amount)).toFixed(),
    fileId,
  });
  for (const [index, item] of items.entries()) {
    const { endToEndId, amount, batch = 1, paymentId = null, documentId = null, mandateId = null } = item;
    const { instalment = null } = item;
    const row = {
      orderId: stored.id,
      position: index + 1,
      batch,
      endToEndId,
      amount,
      paymentId,
      documentId,
      instalment,
      mandateId,
    };
    changes.create(SepaOrderItem, row);
  }
  await changes.write(trx);
  return readOrder(trx, stored.id);
}

/** Permissions for the file of salaries, besides that for orders. */
const SALARIES_NEED: readonly Permission[] = [Payroll.access, PRIVATE];

/** Reads an order with its items. @throws ServiceError not_found */
export async function readOrder(reader: Reader, id: string) {
  const order = await findRow(reader, SepaOrder, { id });
  if (order === undefined) throw notFound('This order');
  const items = await findRows(reader, SepaOrderItem, { orderId: id }, 'position');
  return {
    ...SepaOrder.toJson({ ...order }),
    id,
    file_url: `/api/payments/sepa/orders/${id}/file`,
    items: items.map(({ batch, endToEndId, amount, paymentId, documentId, instalment, mandateId }) =>
      SepaOrderItem.toJson({ batch, endToEndId, amount, paymentId, documentId, instalment, mandateId }),
    ),
  };
}

/**
 * Reads the file for the bank.
 * @throws ServiceError not_found; forbidden for the file of salaries, which names employees and their accounts
 */
export async function orderFile(
  reader: Reader,
  { permissions }: { readonly permissions: ReadonlySet<string> },
  id: string,
): Promise<StoredFile> {
  const order = await findRow(reader, SepaOrder, { id });
  if (order === undefined) throw notFound('This order');
  const missing = SALARIES_NEED.find((permission) => !permissions.has(permission));
  if (order.kind === 'salaries' && missing !== undefined) {
    throw new ServiceError('forbidden', `The file of salaries names employees; this requires ${missing}`);
  }
  return readFile(reader, order.fileId);
}
