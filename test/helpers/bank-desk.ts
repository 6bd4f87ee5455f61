/** A user who works through bank statements over HTTP. */
import assert from 'node:assert/strict';
import type { Trade } from '../api/trade/documents/trade.ts';
import type { TestApp } from './app.ts';
import { IBAN, type Sample, sample, writeCamt053 } from './bank-files.ts';
import type { Answer } from './client.ts';

type Row = Record<string, unknown>;
export const STATEMENTS = '/api/bank-statements';

export interface Posted {
  readonly id: string;
  readonly code: string;
  readonly total: number;
}

/** The statement of one day. */
export function bankDay(day: string, lines: Sample['lines']): Sample {
  return sample({ from: day, to: day, lines: lines.map((line) => ({ ...line, date: day, valueDate: day })) });
}

export class BankDesk {
  readonly app: TestApp;
  readonly #trade: Trade | undefined;

  /** @param trade whose partners it deals with, if it makes documents and payments */
  constructor(app: TestApp, trade?: Trade) {
    this.app = app;
    this.#trade = trade;
  }

  get trade(): Trade {
    if (this.#trade === undefined) throw new Error('this desk has no partners');
    return this.#trade;
  }

  /** @returns the id of the bank account */
  async openAccount(values: Row = {}): Promise<string> {
    return (await this.#made('/api/config/bank-accounts', { name: 'Main', iban: IBAN, ...values })).id as string;
  }

  async send(content: string | FormData, query = '', token = this.app.token): Promise<Answer> {
    const type = content instanceof FormData ? {} : { 'Content-Type': 'application/octet-stream' };
    const response = await fetch(`${this.app.address}${STATEMENTS}${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, ...type },
      body: content,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Sends a file of the bank to any address. */
  async upload(path: string, content: string): Promise<Answer> {
    const response = await fetch(`${this.app.address}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.app.token}`, 'Content-Type': 'application/octet-stream' },
      body: content,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** The ids of the open lines of a new statement, in its order. */
  async importLines(day: string, lines: Sample['lines'], more: Partial<Sample> = {}): Promise<string[]> {
    const answer = await this.send(writeCamt053([{ ...bankDay(day, lines), ...more }]));
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    const rows: Row[] = (await this.app.client.get(`${STATEMENTS}/${answer.body.data.statements[0].id}/lines`)).body
      .data;
    return rows.map(({ id }) => String(id));
  }

  accept(lines: readonly Row[], more: Row = {}): Promise<Answer> {
    return this.app.client.post(`${STATEMENTS}/accept`, { lines, ...more });
  }

  async accepted(line: Row): Promise<{ payment_ids: string[]; entry_id: string | null }> {
    const answer = await this.accept([line]);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data.accepted[0];
  }

  reopen(line_ids: readonly string[], more: Row = {}): Promise<Answer> {
    return this.app.client.post(`${STATEMENTS}/lines/reopen`, { line_ids, ...more });
  }

  async line(id: string) {
    return (await this.app.client.get(`${STATEMENTS}/lines/${id}`)).body.data;
  }

  /** A posted invoice of pieces at 10 and 21 % of VAT. */
  async invoice(quantity: number, more: Row = {}, path = '/api/sales/invoices'): Promise<Posted> {
    const partnerId = path.includes('sales') ? this.trade.customerId : this.trade.supplierId;
    const lines = [{ itemId: this.trade.itemId, quantity, price: 10 }];
    const made = await this.#made(path, { partnerId, lines, ...more });
    const posted = await this.app.client.post(`${path}/${made.id}/post`);
    assert.equal(posted.status, 200, JSON.stringify(posted.body));
    return posted.body.data;
  }

  /** Rectifies an invoice as a whole and posts the result. */
  async credit({ id }: Posted, path = '/api/sales/invoices'): Promise<Posted> {
    const draft = await this.#made(`${path}/${id}/rectify`, { reason: 'error' });
    const posted = await this.app.client.post(`${path}/${draft.id}/post`);
    assert.equal(posted.status, 200, JSON.stringify(posted.body));
    return posted.body.data;
  }

  async payment(direction: 'in' | 'out', values: Row): Promise<string> {
    const partner_id = direction === 'in' ? this.trade.customerId : this.trade.supplierId;
    const body = { partner_id, payment_method: 'transfer', ...values };
    return (await this.#made(`/api/payments/${direction}`, body)).id as string;
  }

  /** The id of an account of the ledger. */
  async account(code: string): Promise<string> {
    return (await this.app.client.get(`/api/accounts?code=${code}`)).body.data[0].id;
  }

  /** Code, debit and credit of an entry's lines. */
  async entry(id: string): Promise<[string, number, number][]> {
    const { lines } = (await this.app.client.get(`/api/journal-entries/${id}`)).body.data;
    return lines.map((line: { accountCode: string; debit: number; credit: number }) => [
      line.accountCode,
      line.debit,
      line.credit,
    ]);
  }

  async #made(path: string, body: Row): Promise<Row> {
    const answer = await this.app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  }
}
