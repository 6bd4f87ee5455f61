/** Orders direct debits for outstanding invoices, using the mandates of their customers. */

import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { creditorId } from '../../../domain/bank/sepa/creditor-id.ts';
import {
  type DebitScheme,
  debitBatches,
  directDebitMessage,
  directDebitRules,
} from '../../../domain/bank/sepa/direct-debit.ts';
import { compact } from '../../../domain/bank/statements/words.ts';
import { Faults } from '../../../domain/faults.ts';
import { decimal } from '../../../domain/money.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { lockDocuments } from '../../trade/documents/read.ts';
import type { LoadedDocument } from '../../trade/documents/stored.ts';
import { assertNotOrdered, loadOrderer, writeOrder } from './order.ts';
import { type DirectDebitInput, MAX_ITEMS } from './schemas.ts';

interface Mandate {
  readonly id: string;
  readonly partnerId: string;
  readonly name: string;
  readonly reference: string;
  readonly signedOn: string;
  readonly scheme: DebitScheme;
  readonly oneOff: boolean;
  readonly iban: string;
  readonly bic: string | null;
  readonly used: boolean;
}

/**
 * The latest active mandate of each partner; a one-off mandate only while it is unused. Locked, so that only one debit
 * is marked as first.
 */
const MANDATES_SQL = `
  with locked as (select * from sepa_mandates where partner_id = any(:partners::uuid[]) and active order by id for update),
  known as (select m.*, exists (select from sepa_order_items i where i.mandate_id = m.id) as used from locked m)
  select distinct on (m.partner_id) m.id, m.partner_id as "partnerId", p.name, m.reference, m.signed_on as "signedOn", m.scheme,
    m.one_off as "oneOff", m.iban, m.bic, m.used
  from known m join partners p on p.id = m.partner_id
  where not (m.one_off and m.used) order by m.partner_id, m.signed_on desc, m.id desc`;

/**
 * Creates an order of direct debits.
 * @returns the order as clients see it
 * @throws ServiceError validation_failed with a pointer for each invoice that cannot be included; duplicate when one is
 * already ordered
 */
export async function orderDirectDebits(trx: Db, ctx: Context, input: DirectDebitInput) {
  const { date, version = '02', creditor_suffix: suffix = '000' } = input;
  const orderer = await loadOrderer(trx, ctx, 'direct_debits', { date, bankAccountId: input.bank_account_id });
  const ids = input.document_ids.map((id) => id.toLowerCase());
  const documents = await lockDocuments(trx, ids);
  const partners = [...documents.values()].map(({ row }) => row.partner.id);
  const mandates = new Map(
    (await query<Mandate>(trx, MANDATES_SQL, { partners })).map((mandate) => [mandate.partnerId, mandate]),
  );
  const faults = new Faults();
  const started = new Set<string>();
  const debits = ids.flatMap((id, index) => {
    const at = `/document_ids/${index}`;
    const document = documents.get(id);
    const row = document?.row;
    const mandate = row === undefined ? undefined : mandates.get(row.partner.id);
    if (document === undefined || row === undefined || row.docType !== 'SINV') {
      faults.add(at, 'invalid_reference', 'refers to a sales invoice that does not exist');
    } else if (row.status !== DOCUMENT_STATUS.open || decimal(row.total).lte(row.paidTotal)) {
      faults.add(at, 'nothing_open', 'has nothing outstanding');
    } else if (row.exchangeRate !== null)
      faults.add(at, 'other_currency', `is in ${row.currency}, and SEPA orders are in euros`);
    else if (mandate === undefined)
      faults.add(at, 'no_mandate', `is owed by ${row.partner.name}, who has no active mandate`);
    else if (mandate.signedOn > date)
      faults.add(at, 'no_mandate', `is owed by ${mandate.name}, whose mandate is signed after the date of the order`);
    else if (mandate.oneOff && started.has(mandate.id)) {
      faults.add(at, 'no_mandate', `is owed by ${mandate.name}, whose mandate allows only one debit`);
    } else {
      const due = dueParts(document, date);
      const [next] = due;
      if (next === undefined) faults.add(at, 'nothing_due', `has nothing due until ${date}`);
      if (mandate.oneOff && due.length > 1)
        faults.add(
          at,
          'no_mandate',
          `is owed by ${mandate.name}, whose mandate allows only one debit, but ${due.length} are due`,
        );
      return due.map(({ instalment, amount, of }) => {
        const first = !mandate.used && !started.has(mandate.id);
        started.add(mandate.id);
        return {
          index,
          documentId: id,
          instalment,
          mandateId: mandate.id,
          // Identifies the payment in the bank's statement line.
          endToEndId: instalment === null ? compact(id) : `${compact(id)}.${instalment}`,
          amount,
          debtor: { name: mandate.name, iban: mandate.iban, bic: mandate.bic },
          text: instalment === null ? (row.code ?? '') : `${row.code} ${instalment}/${of}`,
          scheme: mandate.scheme,
          sequence: mandate.oneOff ? ('OOFF' as const) : first ? ('FRST' as const) : ('RCUR' as const),
          mandate: { id: mandate.reference, signedOn: mandate.signedOn },
        };
      });
    }
    return [];
  });
  if (debits.length > MAX_ITEMS)
    faults.add(
      '/document_ids',
      'too_many',
      `have ${debits.length} parts due together, but an order can have ${MAX_ITEMS}`,
    );
  faults.throwIfAny();
  await assertNotOrdered(
    trx,
    ctx,
    'direct_debits',
    debits.map(({ documentId, ...debit }) => ({ id: documentId, ...debit })),
    input.repeat,
  );
  const { messageId, createdAt, party, country, taxId } = orderer;
  const id = creditorId(country, taxId, suffix);
  const message = directDebitMessage({
    version,
    messageId,
    createdAt,
    initiator: { name: party.name, id },
    creditor: party,
    creditorId: id,
    date,
    debits,
  });
  const name = `pain.008.001.${version}`;
  const rules = directDebitRules(version);
  const batches = new Map(debitBatches(debits).flatMap((batch, index) => batch.map((debit) => [debit, index + 1])));
  const items = debits.map((debit) => ({ ...debit, batch: batches.get(debit) ?? 1 }));
  return writeOrder(trx, ctx, { kind: 'direct_debits', name, orderer, date, message, rules, items });
}

/**
 * Lists the parts of an invoice that are due on a day, one per debit; a single part for an invoice without instalments.
 */
function dueParts({ row, instalments }: LoadedDocument, day: string) {
  const of = instalments.length;
  if (of === 0) return [{ instalment: null, amount: decimal(row.total).minus(row.paidTotal).toFixed(), of }];
  return instalments
    .filter(({ dueDate, outstanding }) => dueDate <= day && decimal(outstanding).gt(0))
    .map(({ number, outstanding }) => ({ instalment: number, amount: decimal(outstanding).toFixed(), of }));
}
