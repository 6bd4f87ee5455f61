/** Entries in short form: `D 430 121` is a debit of 121 on account 430, `H` a credit. */
import assert from 'node:assert/strict';
import type { TestApp } from '../../../helpers/app.ts';

type Body = Record<string, unknown>;

export interface Books {
  /** Ids of accounts by their codes. */
  readonly accounts: ReadonlyMap<string, string>;
  account(code: string): string;
  /** POST that must succeed. @returns its data */
  make<T = { id: string }>(path: string, body?: Body): Promise<T>;
  /** The entries of a document, payment or operation, in the order in which they were made, line by line. */
  enteredFor(sourceId: string): Promise<string[]>;
  /** Balances of the accounts that begin with the codes, debit − credit. */
  balance(...codes: string[]): Promise<number>;
}

export async function openBooks(app: TestApp): Promise<Books> {
  const { body } = await app.client.get('/api/accounts?limit=500');
  const accounts = new Map((body.data as { code: string; id: string }[]).map(({ code, id }) => [code, id]));
  const rows = <T>(sql: string, bindings: readonly unknown[]) =>
    app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
      return ((await db.raw(sql, bindings as never)) as { rows: T[] }).rows;
    });
  return {
    accounts,
    account(code) {
      const id = accounts.get(code);
      assert.ok(id !== undefined, `the chart has no account ${code}`);
      return id;
    },
    async make(path, sent = {}) {
      const answer = await app.client.post(path, sent);
      assert.ok(answer.status < 300, `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.data;
    },
    async enteredFor(sourceId) {
      const lines = await rows<{ line: string }>(
        `select case when l.credit > 0 then 'H ' else 'D ' end || a.code || ' ' || greatest(l.debit, l.credit)::float8 as line
         from journal_entries e join journal_lines l on l.entry_id = e.id join accounts a on a.id = l.account_id
         where e.source_id = ? order by e.seq, l.line_number`,
        [sourceId],
      );
      return lines.map(({ line }) => line);
    },
    async balance(...codes) {
      const [row] = await rows<{ balance: number }>(
        `select coalesce(sum(l.debit - l.credit), 0)::float8 as balance from journal_lines l join accounts a on a.id = l.account_id
         where exists (select from unnest(?::text[]) code where a.code like code || '%')`,
        [codes],
      );
      return row?.balance ?? 0;
    },
  };
}
