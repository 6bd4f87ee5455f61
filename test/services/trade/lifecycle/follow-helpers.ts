/** A company whose documents follow each other, through the services themselves. */
import assert from 'node:assert/strict';
import { ServiceError } from '../../../../domain/errors.ts';
import type { Step } from '../../../../domain/trade/documents/progress.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import { readDocument } from '../../../../services/trade/documents/read.ts';
import type { DocumentInput } from '../../../../services/trade/documents/schemas.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { createFollowUp, invoiceNotes } from '../../../../services/trade/lifecycle/create-follow-up.ts';
import type { Following } from '../../../../services/trade/lifecycle/follow-up-schemas.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import type { TestCompany } from '../../../helpers/company.ts';
import { type Soundness, use, useCompany } from '../../../helpers/hooks.ts';

/** The members of a document that these tests look at. */
export interface Doc {
  readonly id: string;
  readonly docType: DocType;
  readonly code: string | null;
  readonly status: string;
  readonly seriesId: string;
  readonly rectifies?: string | null;
  readonly returns?: string | null;
  readonly reason?: string | null;
  readonly withholdingRate: number;
  readonly withholdingAmount: number;
  readonly reference: string | null;
  readonly subtotal: number;
  readonly taxTotal: number;
  readonly total: number;
  readonly version: number;
  readonly taxes: readonly { base: number; amount: number; surchargeAmount: number }[];
  readonly lines: readonly {
    readonly id: string;
    readonly itemId: string | null;
    readonly description: string;
    readonly quantity: number;
    readonly price: number;
    readonly discountPercent: number;
    readonly amount: number;
    readonly baseType: string | null;
    readonly baseLineId: string | null;
    readonly batchDetails: readonly { batchNum: string; quantity: number }[] | null;
    readonly openQuantity: number;
    readonly deliveredQuantity: number;
    readonly invoicedQuantity: number;
    readonly returnedQuantity: number;
  }[];
}

const any = { ifMatch: null };

export interface Trade {
  readonly company: TestCompany;
  create(docType: DocType, input: Partial<DocumentInput> & Pick<DocumentInput, 'lines'>): Promise<Doc>;
  follow(base: Pick<Doc, 'id' | 'docType'>, step: Step, following?: Following): Promise<Doc>;
  fromNotes(docType: DocType, ids: readonly string[], head?: { supplierReference?: string }): Promise<Doc>;
  read(document: Pick<Doc, 'id'>): Promise<Doc>;
  post(document: Pick<Doc, 'id'>): Promise<Doc>;
  cancel(document: Pick<Doc, 'id'>): Promise<Doc>;
  /** Everything on hand of an item. */
  onHand(itemId: string): Promise<number>;
  /** Movements of a document: quantity, and the value by average cost. */
  movements(document: Pick<Doc, 'id'>): Promise<{ quantity: number; value: number; fifo: number }[]>;
  /** Expects a refusal, at a pointer where one is given, and that nothing at all was written. */
  refused(work: () => Promise<unknown>, code: string, pointer?: string): Promise<void>;
}

/** A company of the suite's own, with what follows from its documents at hand. */
export function useTrade(options: Soundness = {}): Trade {
  const company = useCompany(options);
  return use(() => companyTrade(company), options);
}

function companyTrade(company: TestCompany): Trade {
  const run = (work: Parameters<TestCompany['run']>[0]) => company.run(work) as Promise<unknown> as Promise<Doc>;
  return {
    company,
    create: (docType, input) => {
      const partnerId = DOCUMENT_TYPES[docType].side === 'sales' ? company.customerId : company.supplierId;
      return run((trx) => createDocument(trx, company.ctx, docType, { partnerId, ...input }));
    },
    follow: ({ id, docType }, step, following = {}) =>
      run((trx) => createFollowUp(trx, company.ctx, id, step, following, { docType, ifMatch: null })),
    fromNotes: (docType, ids, head = {}) => run((trx) => invoiceNotes(trx, company.ctx, docType, { ids, ...head })),
    read: ({ id }) => run((trx) => readDocument(trx, id)),
    post: ({ id }) => run((trx) => postInvoice(trx, company.ctx, id, any)),
    cancel: ({ id }) => run((trx) => cancelDocument(trx, company.ctx, id, any)),
    async onHand(itemId) {
      const sql = 'select coalesce(sum(on_hand), 0)::float as n from stock_levels where item_id = ?';
      return Number((await company.rows(sql, [itemId]))[0]?.n);
    },
    async movements({ id }) {
      const sql = `select m.quantity::float, l.average_change::float as value, l.fifo_change::float as fifo
        from stock_movements m join stock_layers l on l.id = m.id where m.document_id = ? order by m.seq`;
      return (await company.rows(sql, [id])) as unknown as { quantity: number; value: number; fifo: number }[];
    },
    async refused(work, code, pointer) {
      const written = () =>
        company.rows(`select (select count(*) from documents)::int d, (select count(*) from outbox)::int o,
          (select count(*) from audit_logs)::int a, (select sum(on_hand) from stock_levels) s`);
      const before = await written();
      await assert.rejects(work(), (error: unknown) => {
        assert.ok(error instanceof ServiceError, String(error));
        assert.equal(error.code, code, error.message);
        const pointers = error.errors.map((fault) => fault.pointer);
        if (pointer !== undefined) assert.ok(pointers.includes(pointer), `${pointer} in ${pointers}`);
        return true;
      });
      assert.deepEqual(await written(), before);
    },
  };
}

/** Returns the delivered, invoiced, returned and open quantity of each line, without zeros. */
export function lineProgress({ lines }: Doc): Record<string, number>[] {
  return lines.map((line) => {
    const progress = {
      quantity: line.quantity,
      delivered: line.deliveredQuantity,
      invoiced: line.invoicedQuantity,
      returned: line.returnedQuantity,
      open: line.openQuantity,
    };
    return Object.fromEntries(Object.entries(progress).filter(([, quantity]) => quantity !== 0));
  });
}
