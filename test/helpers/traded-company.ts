/** Companies that have done a bit of everything, through the services themselves. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { BankRule, BankStatementLine } from '../../db/models/bank/statements.ts';
import { Account, BankAccount, Partner, PaymentTerms, Zone } from '../../db/models/records/master-data.ts';
import { insertRow } from '../../db/write.ts';
import type { DocType } from '../../domain/trade/documents/types.ts';
import { createEntry, reverseEntry } from '../../services/bank/manual-entries/manual.ts';
import { orderCreditTransfers } from '../../services/bank/sepa/credit-transfers.ts';
import { acceptLines } from '../../services/bank/statements/accept.ts';
import { importStatements } from '../../services/bank/statements/import.ts';
import { readStatements } from '../../services/bank/statements/statement-file.ts';
import { sumEntries } from '../../services/ledger/accounting/balances/sum-entries.ts';
import { numberEntries } from '../../services/ledger/accounting/numbers.ts';
import { replaceVerifactuSettings } from '../../services/ledger/verifactu/settings.ts';
import {
  DEFAULT_SETTINGS,
  type FlagSettings,
  type SettingsName,
} from '../../services/platform/settings/definitions.ts';
import { loadVersionedSettings, replaceSettings } from '../../services/platform/settings/settings.ts';
import { series } from '../../services/records/master-data/series.ts';
import type { HookScope } from '../../services/records/resources/declaration.ts';
import { lockOne } from '../../services/records/resources/find.ts';
import { changeOne, createOne } from '../../services/records/resources/rows.ts';
import type { DocumentInput, DocumentLineInput } from '../../services/trade/documents/schemas.ts';
import { cancelDocument } from '../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { createFollowUp } from '../../services/trade/lifecycle/create-follow-up.ts';
import { deleteDocument } from '../../services/trade/lifecycle/delete.ts';
import { postInvoice } from '../../services/trade/lifecycle/post.ts';
import { updateDocument } from '../../services/trade/lifecycle/update/update.ts';
import { registerPayment } from '../../services/trade/payments/register.ts';
import { removePayment } from '../../services/trade/payments/remove.ts';
import { returnPayment } from '../../services/trade/payments/return.ts';
import { adjustStock } from '../../services/trade/stock/operations/adjust.ts';
import { transferStock } from '../../services/trade/stock/operations/transfer.ts';
import { IBAN, sample, sampleLine, writeCamt053 } from './bank-files.ts';
import type { TestCompany } from './company.ts';
import { changeCosts } from './invoiced-costs.ts';
import { payStaff } from './payrolls.ts';

interface Made {
  readonly id: string;
}

/** Ids of records that tests refer to. */
export interface TradedRecords {
  readonly tenant: string;
  readonly item: string;
  readonly order: string;
  readonly note: string;
  readonly invoice: string;
  readonly operation: string;
  /** The first order of a series that began above its firstNumber. */
  readonly continued: string;
  /** An order of which more was delivered, while that was allowed. */
  readonly exceeded: string;
}

const any = { ifMatch: null };

/** An invoice that is due in three parts, of which a payment covers the first and a bit. */
async function inParts({ ctx, run, customerId, taxId: taxGroupId }: TestCompany): Promise<void> {
  await run(async (trx) => {
    const part = { percent: null, days: 0, endOfMonth: false };
    const lines = [
      { ...part, percent: 30 },
      { ...part, percent: 30, days: 30 },
      { ...part, days: 60 },
    ];
    const terms = await insertRow(trx, ctx, PaymentTerms, { code: 'T', name: 'Three parts', lines, active: true });
    const sold = { description: 'Portes', quantity: 1, price: 10, taxGroupId };
    const input = { partnerId: customerId, paymentTermsId: terms.id, lines: [sold] };
    const { id } = (await createDocument(trx, ctx, 'SINV', input)) as unknown as Made;
    await postInvoice(trx, ctx, id, any);
    const paid = { partner_id: customerId, amount: 4, payment_date: '2026-06-15', payment_method: 'cash' } as const;
    const linked_documents = [{ document_type: 'sales_invoice' as const, document_id: id }];
    await registerPayment(trx, ctx, 'in', { ...paid, linked_documents });
    const last = [{ ...linked_documents[0], document_id: id, document_type: 'sales_invoice' as const, instalment: 3 }];
    await registerPayment(trx, ctx, 'in', { ...paid, amount: 1, linked_documents: last });
  });
}

/** Does a bit of everything that moves stock and numbers. */
export async function trade(company: TestCompany): Promise<TradedRecords> {
  const { ctx, customerId, supplierId, itemId } = company;
  const create = (docType: DocType, lines: DocumentLineInput[], head: Partial<DocumentInput> = {}) =>
    company.run((trx) =>
      createDocument(trx, ctx, docType, {
        partnerId: docType.startsWith('P') ? supplierId : customerId,
        ...head,
        lines,
      }),
    ) as unknown as Promise<Made>;
  const post = (id: string) => company.run((trx) => postInvoice(trx, ctx, id, any));
  const cancel = (id: string) => company.run((trx) => cancelDocument(trx, ctx, id, any));

  const announced = await create('PO', [{ itemId, quantity: 100, price: 1.2 }]);
  await create('PDN', [{ baseId: announced.id, quantity: 60 }]);
  await cancel((await create('PDN', [{ itemId, quantity: 5 }])).id);

  const order = await create('SO', [
    { itemId, quantity: 7, price: 1.333333, discountPercent: 12.5 },
    { itemId, quantity: 3 },
    { description: 'Portes', quantity: 1, price: 4.95, taxGroupId: company.taxId },
  ]);
  const lines = [
    { baseId: order.id, itemId, quantity: 7 },
    { baseId: order.id, itemId, quantity: 2 },
  ];
  const note = await create('SDN', lines);
  const invoice = await create('SINV', [{ baseId: note.id, itemId, quantity: 7 }]);
  await post(invoice.id);
  const draft = await create('SINV', [{ baseId: note.id, itemId, quantity: 1 }]);
  await company.run((trx) => deleteDocument(trx, ctx, draft.id, any));

  // Invoiced without a note: posted, posted and cancelled, left as a draft, cancelled as a draft.
  const direct = await create('SO', [{ itemId, quantity: 4 }]);
  const owed = await create('SINV', [{ baseId: direct.id, quantity: 3 }]);
  await post(owed.id);
  // Paid in part, with something left over; and a payment that was deleted.
  const link = { document_type: 'sales_invoice', document_id: owed.id, amount_applied: 2 };
  const payment = {
    partner_id: customerId,
    amount: 5,
    payment_date: '2026-06-15',
    payment_method: 'cash',
    linked_documents: [link],
  } as const;
  await company.run((trx) => registerPayment(trx, ctx, 'in', payment));
  const mistaken = await company.run((trx) => registerPayment(trx, ctx, 'in', payment));
  await company.run((trx) => removePayment(trx, ctx, 'in', mistaken.id, null));
  const bounced = await company.run((trx) => registerPayment(trx, ctx, 'in', payment));
  await company.run((trx) => returnPayment(trx, ctx, 'in', bounced.id, { date: '2026-06-15', fees: 1 }));
  await company.run((trx) => enterByHand(trx, ctx, customerId, owed.id));
  // Paid and received by bank, the latter shown by a statement with something that is on an account.
  await company.run(async (trx) => {
    await insertRow(trx, ctx, BankAccount, { name: 'Bank', iban: IBAN, isDefault: true });
    const { id: accountId } = await Account.query(trx).findOne({ code: '769' }).throwIfNotFound();
    const rule = { name: 'Intereses', text: 'intereses', position: 1, active: true, accept: true, accountId };
    await insertRow(trx, ctx, BankRule, rule);
    const lines = [sampleLine(), sampleLine({ amount: '1', text: 'Intereses' })];
    const statement = sample({ from: '2026-06-15', to: '2026-06-15', lines });
    const content = Buffer.from(writeCamt053([statement]).replaceAll('2026-01-15', '2026-06-15'));
    await importStatements(trx, ctx, await readStatements(trx, { content, name: undefined }));
    const line = await BankStatementLine.query(trx).findOne({ position: 1 }).throwIfNotFound();
    await Partner.query(trx).patch({ iban: IBAN });
    const issued = {
      ...payment,
      partner_id: company.supplierId,
      payment_method: 'transfer',
      linked_documents: [],
    } as const;
    const { id } = await registerPayment(trx, ctx, 'out', issued);
    await orderCreditTransfers(trx, ctx, { payment_ids: [id], date: '2026-06-20' });
    const parts = [{ partner_id: customerId, amount: 120 }, { account_code: '759' }];
    await acceptLines(trx, ctx, [{ line_id: line.id, parts }], { partial: false, leastScore: 100 });
  });
  await inParts(company);
  await payStaff(company);
  const undone = await create('SINV', [{ itemId, quantity: 2 }]);
  await post(undone.id);
  await cancel(undone.id);
  await create('SINV', [{ itemId, quantity: 1 }], { discountPercent: 10, chargeAmount: 5 });
  await cancel((await create('SINV', [{ itemId, quantity: 1 }])).id);
  await cancel((await create('SO', [{ itemId, quantity: 9 }])).id);

  // Counted, and put into a zone of the same warehouse.
  const { warehouseId } = company;
  const zone = { warehouseId, code: 'A-01' };
  const { id: toZoneId } = await company.run((trx) => insertRow(trx, ctx, Zone, zone));
  const counts = { warehouseId, lines: [{ itemId, countedQuantity: 40 }] };
  const counted = (await company.run((trx) => adjustStock(trx, ctx, counts))) as unknown as Made;
  const put = { warehouseId, toZoneId, lines: [{ itemId, quantity: 5 }] };
  await company.run((trx) => transferStock(trx, ctx, put));

  await settle(company);
  await changeCosts(company);
  await record(company);
  const { continued, exceeded } = await tradeFreely(company);
  await company.run((trx) => numberEntries(trx, ctx));
  await sumEntries(company.database, ctx);
  return {
    tenant: ctx.tenantId,
    item: itemId,
    order: order.id,
    note: note.id,
    invoice: invoice.id,
    operation: counted.id,
    continued,
    exceeded,
  };
}

/** Issues two invoices with records for the tax agency, and cancels one. */
async function record({ ctx, run, customerId, taxId: taxGroupId }: TestCompany): Promise<void> {
  await run(async (trx) => {
    const { value } = await loadVersionedSettings(trx, 'company');
    await replaceSettings(trx, ctx, 'company', { ...value, name: 'Almacenes Prueba SL', taxId: 'B12345674' });
    await replaceVerifactuSettings(trx, ctx, { enabled: true }, null);
  });
  const sold = { description: 'Portes', quantity: 1, taxGroupId };
  const lines = [{ ...sold, price: 10.01 }];
  const issue = () =>
    run(async (trx) => {
      const { id } = await createDocument(trx, ctx, 'SINV', { partnerId: customerId, lines });
      return await postInvoice(trx, ctx, String(id), any);
    });
  await substitute(String((await issue()).id));
  const { id } = await issue();
  await run((trx) => cancelDocument(trx, ctx, String(id), any));

  /** Rectifies by substitution, so that the parts rounded apart differ from the whole. */
  async function substitute(rectified: string): Promise<void> {
    await run(async (trx) => {
      const as = { reason: 'Precio', rectificationMethod: 'substitution' } as const;
      const draft = (await createFollowUp(trx, ctx, rectified, 'rectify', as, {
        docType: 'SINV',
        ...any,
      })) as unknown as Made & {
        lines: { id: string }[];
      };
      const [taken, stated] = draft.lines.map((line) => line.id);
      const lines = [{ id: taken }, { id: stated, price: 10.03, withholdingRate: 1 }, { ...sold, priceWithTax: 0.03 }];
      await updateDocument(trx, ctx, draft.id, { lines } as never, any);
      await postInvoice(trx, ctx, draft.id, any);
    });
  }
}

/** Sets everything that can be set. */
async function settle({ ctx, run }: Pick<TestCompany, 'ctx' | 'run'>): Promise<void> {
  for (const name of Object.keys(DEFAULT_SETTINGS) as SettingsName[]) {
    const { value } = await run((trx) => loadVersionedSettings(trx, name));
    await run((trx) => replaceSettings(trx, ctx, name, value));
  }
}

/** Writes 1 of the invoice off by hand and adds a debt of 3; then reverses the entry and makes it again. */
async function enterByHand(trx: Db, ctx: Context, partnerId: string, settlesId: string): Promise<void> {
  const accounts = await Account.query(trx).whereIn('code', ['430', '650']);
  const [customers = '', losses = ''] = ['430', '650'].map((one) => accounts.find(({ code }) => code === one)?.id);
  const lines = [
    { accountId: customers, partnerId, credit: 1, settlesId },
    { accountId: customers, partnerId, debit: 3 },
    { accountId: losses, debit: 1 },
    { accountId: losses, credit: 3 },
  ];
  const enter = () => createEntry(trx, ctx, { date: '2026-06-15', post: true, lines });
  const { id } = await enter();
  await reverseEntry(trx, ctx, id, any);
  await enter();
}

/** Trades legally though it looks illegal: continues a series of another program, and uses flags that are off again. */
async function tradeFreely(company: TestCompany): Promise<{ continued: string; exceeded: string }> {
  const { ctx, customerId, run } = company;
  const portes = { description: 'Portes', quantity: 1, price: 5, taxGroupId: company.taxId };
  const scope = <T>(work: (scope: HookScope) => Promise<T>) => run((trx) => work({ trx, ctx, role: 'owner' }));
  const create = (docType: DocType, input: Partial<DocumentInput> & { lines: DocumentLineInput[] }) =>
    run((trx) => createDocument(trx, ctx, docType, { partnerId: customerId, ...input })) as unknown as Promise<Made>;
  const flags = (value: Partial<FlagSettings>) => run((trx) => replaceSettings(trx, ctx, 'flags', value));

  const began = await scope((within) => createOne(series, within, { docType: 'SO', prefix: 'OLD-', nextNumber: 40 }));
  const went = { id: String(began.id), nextNumber: 501 };
  await scope(async (within) => changeOne(series, within, await lockOne(within.trx, series, { id: went.id }), went));
  const continued = await create('SO', {
    seriesId: went.id,
    lines: [portes],
  });
  await create('SO', { seriesId: went.id, lines: [portes] });
  const renamed = { name: 'From the old program' };
  await scope(async (within) => changeOne(series, within, await lockOne(within.trx, series, { id: went.id }), renamed));

  const { id: itemId } = await company.item();
  await company.stockUp(itemId, 3);
  await flags({ allowOverDelivery: true, allowNegativeStock: true });
  const order = await create('SO', { lines: [{ itemId, quantity: 5 }] });
  await create('SDN', { lines: [{ baseId: order.id, quantity: 4 }] });
  await create('SDN', { lines: [{ baseId: order.id, quantity: 3 }] });
  await flags({});
  await company.stockUp(itemId, 1);
  return { continued: continued.id, exceeded: order.id };
}
