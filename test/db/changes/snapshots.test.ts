import assert from 'node:assert/strict';
import { closeYear } from '../../../services/ledger/accounting/fiscal-years.ts';
import { generatePeriods } from '../../../services/ledger/periods/periods.ts';
import { employees } from '../../../services/records/master-data/employees.ts';
import { createOne } from '../../../services/records/resources/rows.ts';
import { previewPayrolls, startPayrolls } from '../../../services/staff/payroll/generate.ts';
import { cancelDocument } from '../../../services/trade/lifecycle/cancel.ts';
import { createFollowUp } from '../../../services/trade/lifecycle/create-follow-up.ts';
import { postInvoice } from '../../../services/trade/lifecycle/post.ts';
import { registerPayment } from '../../../services/trade/payments/register.ts';
import { assertSnapshot, describeAct } from '../../helpers/described.ts';
import { creating } from '../../helpers/documents.ts';
import { useCompany } from '../../helpers/hooks.ts';
import { ANA } from '../../helpers/payrolls.ts';

const ANY = { ifMatch: null };
const DAY = '2026-06-15';

describe('the writes of actions', () => {
  const company = useCompany();
  const create = creating<{ id: string }>(company);

  /** A draft of three pieces at 10, of an item that is on stock for 4 each. */
  async function draft(): Promise<string> {
    const item = await company.item();
    await company.stockUp(item.id, 20);
    const { id } = await create('SINV', {
      lines: [{ itemId: item.id, quantity: 3, price: 10, taxGroupId: company.taxId }],
    });
    return id;
  }
  async function posted(): Promise<string> {
    const id = await draft();
    await company.run((trx) => postInvoice(trx, company.ctx, id, ANY));
    return id;
  }

  it('are a number, goods, an entry and the frozen document when an invoice is posted', async () => {
    const id = await draft();
    assertSnapshot('post-invoice', await describeAct(company, (trx) => postInvoice(trx, company.ctx, id, ANY)));
  });

  it('are the reverse of that when it is cancelled', async () => {
    const id = await posted();
    assertSnapshot('cancel-invoice', await describeAct(company, (trx) => cancelDocument(trx, company.ctx, id, ANY)));
  });

  it('are an application and the entry of the payment when it is paid', async () => {
    const id = await posted();
    const linked = [{ document_id: id, document_type: 'sales_invoice' as const, amount_applied: 36.3 }];
    const payment = {
      partner_id: company.customerId,
      amount: 36.3,
      payment_date: DAY,
      payment_method: 'transfer' as const,
    };
    const pay = describeAct(company, (trx) =>
      registerPayment(trx, company.ctx, 'in', { ...payment, linked_documents: linked } as never),
    );
    assertSnapshot('pay-invoice', await pay);
  });

  it('are the returned goods when a delivery note is returned', async () => {
    const item = await company.item();
    await company.stockUp(item.id, 20);
    const { id } = await create('SDN', { lines: [{ itemId: item.id, quantity: 2 }] });
    const returning = describeAct(company, (trx) =>
      createFollowUp(trx, company.ctx, id, 'return', {}, { ...ANY, docType: 'SDN' }),
    );
    assertSnapshot('return-note', await returning);
  });

  it('are the payrolls with their entries when a month is run', async () => {
    const { ctx } = company;
    await company.run((trx) => createOne(employees, { trx, ctx, role: 'owner' }, ANA));
    const month = { year: 2026, month: 5, post: true };
    const run = describeAct(company, async (trx) => {
      const task = await startPayrolls(trx, ctx, month);
      const { payrolls } = await previewPayrolls(trx, ctx, task.id, month);
      assert.equal(payrolls.length, 1);
    });
    assertSnapshot('run-payroll', await run);
  });
});

describe('the writes of closing a year', () => {
  const company = useCompany();

  it('are the value of the stock, the result, and the closing and opening entries', async () => {
    const { ctx } = company;
    await company.run((trx) => generatePeriods(trx, ctx, 2026));
    const item = await company.item();
    await company.stockUp(item.id, 20);
    assertSnapshot('close-year', await describeAct(company, (trx) => closeYear(trx, ctx, 2026, ANY)));
  });
});
