/** The service beside the model: does to it what the model does on paper. */
import { Account, Partner, Period } from '../../../db/models/records/master-data.ts';
import { insertRow, patchRow } from '../../../db/write.ts';
import { PERIOD_STATUS } from '../../../domain/ledger/accounting/periods.ts';
import { createEntry, reverseEntry } from '../../../services/bank/manual-entries/manual.ts';
import { cancelDocument } from '../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../services/trade/lifecycle/post.ts';
import { applyPayment } from '../../../services/trade/payments/apply.ts';
import { changePayment } from '../../../services/trade/payments/change.ts';
import { setOff } from '../../../services/trade/payments/offsets.ts';
import type { PaymentRow } from '../../../services/trade/payments/payment.ts';
import { registerPayment } from '../../../services/trade/payments/register.ts';
import { removePayment } from '../../../services/trade/payments/remove.ts';
import { returnPayment } from '../../../services/trade/payments/return.ts';
import type { TestCompany } from '../../helpers/company.ts';
import type { Answer, WantedLine } from './entries.ts';
import type { Asked } from './links.ts';
import type { Debt, Entry, Link, Payment, Side } from './papers.ts';

const any = { ifMatch: null };
const euros = (cents: number) => cents / 100;

export interface Desk {
  readonly company: TestCompany;
  /** The customer (in) and the supplier (out) of one history. */
  readonly partners: Readonly<Record<Side, string>>;
  /** Ids by code. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Terms of two halves. */
  readonly halvesId: string;
}

/** Creates new partners; everything else exists. */
export async function openDesk(company: TestCompany, halvesId: string, number: number): Promise<Desk> {
  const { ctx, customerId, supplierId, run } = company;
  return await run(async (trx) => {
    const like = async (id: string, name: string) => {
      const { groupId } = await Partner.query(trx).findById(id).throwIfNotFound();
      return (await insertRow(trx, ctx, Partner, { code: `${name}${number}`, name, groupId, countryCode: 'ES' })).id;
    };
    const partners = { in: await like(customerId, 'Cliente'), out: await like(supplierId, 'Proveedor') };
    const accounts = new Map((await Account.query(trx)).map(({ id, code }) => [code, id]));
    return { company, partners, accounts, halvesId };
  });
}

let references = 0;

export async function postOne(
  desk: Desk,
  side: Side,
  date: string,
  whole: number,
  due: string | 'halves',
): Promise<Answer> {
  const { company, partners, halvesId } = desk;
  const { ctx, taxId: taxGroupId } = company;
  const lines = [
    { description: 'Servicio', quantity: 1, price: euros(whole), taxGroupId, vatRegime: 'exempt' as const },
  ];
  const terms = due === 'halves' ? { paymentTermsId: halvesId } : { dueDate: due };
  const head = { partnerId: partners[side], date, ...terms, supplierReference: `F-${++references}` };
  const { supplierReference: _, ...sold } = head;
  return await company.run(async (trx) => {
    const { id } = await createDocument(trx, ctx, side === 'in' ? 'SINV' : 'PINV', {
      ...(side === 'in' ? sold : head),
      lines,
    });
    await postInvoice(trx, ctx, String(id), any);
    return { id: String(id), parts: [] };
  });
}

export async function cancelOne({ company: { run, ctx } }: Desk, { id }: Debt, date: string | null): Promise<Answer> {
  await run((trx) => cancelDocument(trx, ctx, id, { ...any, ...(date === null ? {} : { date }) }));
  return { id, parts: [] };
}

const TYPES = { in: 'sales_invoice', out: 'purchase_invoice' } as const;

function linkTo({ debt, amount, withholding, writeOff, instalment }: Asked) {
  return {
    document_type: debt.kind === 'item' ? 'open_item' : TYPES[debt.side],
    document_id: debt.id,
    ...(amount === null ? {} : { amount_applied: euros(amount) }),
    ...(withholding === 0 ? {} : { withholding: euros(withholding) }),
    ...(writeOff === 0 ? {} : { write_off: euros(writeOff) }),
    ...(instalment === null ? {} : { instalment }),
  };
}

const answered = ({ id, links }: PaymentRow): Answer => ({ id, parts: links.map((link) => link.id) });

export async function payOne(
  { company: { run, ctx }, partners }: Desk,
  direction: Side,
  partner: Side,
  { amount, day, links }: { readonly amount: number; readonly day: string; readonly links: readonly Asked[] },
): Promise<Answer> {
  const head = {
    partner_id: partners[partner],
    amount: euros(amount),
    payment_date: day,
    payment_method: 'transfer' as const,
  };
  const linked_documents = links.map(linkTo);
  return answered(await run((trx) => registerPayment(trx, ctx, direction, { ...head, linked_documents })));
}

export async function applyOne(
  { company: { run, ctx } }: Desk,
  { id, direction }: Payment,
  links: readonly Asked[],
  date: string | null,
): Promise<Answer> {
  const input = { mode: 'manual' as const, linked_documents: links.map(linkTo), ...(date === null ? {} : { date }) };
  return answered(await run((trx) => applyPayment(trx, ctx, direction, id, input, null)));
}

export async function relinkOne(
  { company: { run, ctx } }: Desk,
  { id, direction, links }: Payment,
  link: Link,
  amount: number | null,
): Promise<Answer> {
  const linked_documents = links.flatMap((one) => {
    const { document_type, document_id } = linkTo(one);
    if (one === link && amount === null) return [];
    return [
      { id: one.id, document_type, document_id, ...(one === link ? { amount_applied: euros(amount ?? 0) } : {}) },
    ];
  });
  const { payment } = await run((trx) => changePayment(trx, ctx, direction, id, { linked_documents }, null));
  return answered(payment);
}

export async function offsetOne({ company: { run, ctx }, partners }: Desk, debts: readonly Debt[]): Promise<Answer> {
  const linked_documents = debts.map((debt) =>
    linkTo({ debt, amount: null, withholding: 0, writeOff: 0, instalment: null }),
  ) as never;
  const [first] = debts as [Debt];
  return answered(await run((trx) => setOff(trx, ctx, { partner_id: partners[first.partner], linked_documents })));
}

export async function returnOne(
  { company: { run, ctx, rows } }: Desk,
  { id, direction }: Payment,
  date: string,
  charged: number,
): Promise<Answer> {
  const fees = charged === 0 ? {} : { fees: euros(charged), fees_borne_by: 'partner' as const };
  const back = await run((trx) => returnPayment(trx, ctx, direction, id, { date, ...fees }));
  const items = await rows(
    'select i.id from open_items i join journal_entries e on e.id = i.entry_id where e.source_id = ?',
    [back.id],
  );
  return { id: back.id, parts: items.map((item) => String(item.id)) };
}

export async function removeOne({ company: { run, ctx } }: Desk, { id, kind }: Payment): Promise<Answer> {
  await run((trx) => removePayment(trx, ctx, kind, id, null));
  return { id, parts: [] };
}

/** Against capital, whatever the lines do not balance. */
export async function enterOne(
  { company: { run, ctx }, partners, accounts }: Desk,
  date: string,
  wanted: readonly WantedLine[],
): Promise<Answer> {
  const line = (code: string, net: number, more: object = {}) => {
    const amount = net > 0 ? { debit: euros(net) } : { credit: euros(-net) };
    return { accountId: accounts.get(code) as string, ...amount, ...more };
  };
  const nets = wanted.map(({ debt, side, cents }) => cents * (side === 'in' ? 1 : -1) * (debt === null ? 1 : -1));
  const rest = -nets.reduce((sum, net) => sum + net, 0);
  const lines = wanted.map(({ debt, side, account, due }, index) => {
    const named = debt === null ? { dueDate: due } : { settlesId: debt.id };
    return line(account, nets[index] as number, { partnerId: partners[debt?.partner ?? side], ...named });
  });
  const all = [...lines, ...(rest === 0 ? [] : [line('100', rest)])];
  const entry = await run((trx) => createEntry(trx, ctx, { date, post: true, lines: all }));
  return { id: entry.id, parts: entry.lines.flatMap(({ openItemId }) => openItemId ?? []) };
}

export async function reverseOne({ company: { run, ctx } }: Desk, { id }: Entry, date: string | null): Promise<Answer> {
  const on = date === null ? any : { ...any, date };
  await run((trx) => reverseEntry(trx, ctx, id, on));
  return { id, parts: [] };
}

/** Closes or opens a month, as `2026-03`. */
export async function setMonth({ company: { run, ctx } }: Desk, month: string, closed: boolean): Promise<void> {
  await run(async (trx) => {
    const period = await Period.query(trx)
      .findOne({ from: `${month}-01` })
      .throwIfNotFound();
    await patchRow(trx, ctx, Period, period, { status: closed ? PERIOD_STATUS.closed : PERIOD_STATUS.open });
  });
}
