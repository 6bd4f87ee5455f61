import assert from 'node:assert/strict';
import { Changes } from '../../../db/changes/changes.ts';
import { giveBackNumber } from '../../../db/changes/numbering.ts';
import type { Db } from '../../../db/database.ts';
import { ConcurrentChange } from '../../../db/errors.ts';
import { newId } from '../../../db/ids.ts';
import { JournalEntry } from '../../../db/models/ledger/accounting.ts';
import { Period } from '../../../db/models/records/master-data.ts';
import { Document, DocumentLine } from '../../../db/models/trade/documents.ts';
import type { ScopedConnection } from '../../../db/scoped-connection.ts';
import { patchRow } from '../../../db/write.ts';
import { loadDocument } from '../../../services/trade/documents/read.ts';
import { createDocument } from '../../../services/trade/lifecycle/create.ts';
import { useCompany } from '../../helpers/hooks.ts';

describe('changes', () => {
  const company = useCompany({ sound: false });

  /** A draft with two lines. */
  async function draft() {
    const lines = [1, 2].map((quantity) => ({ itemId: company.itemId, quantity, price: 5 }));
    const input = { partnerId: company.customerId, lines };
    const { id } = await company.run((trx) => createDocument(trx, company.ctx, 'SINV', input));
    return await company.run((trx) => loadDocument(trx, String(id)));
  }
  const write = (change: (changes: Changes) => void) =>
    company.run(async (trx) => {
      const changes = new Changes(company.ctx);
      change(changes);
      await changes.write(trx);
    });
  const stored = async (id: string) => (await company.rows('select * from documents where id = ?', [id]))[0];
  const count = async (table: string) => Number((await company.rows(`select count(*) as n from ${table}`))[0]?.n);

  it('insert, change and remove rows in one statement, with audit records and events', async () => {
    const { row, lines } = await draft();
    const [first, second] = lines;
    assert.ok(first && second);
    let statements = 0;
    await company.run(async (trx) => {
      const changes = new Changes(company.ctx);
      const after = { ...row, notes: 'ja', version: row.version + 1 };
      changes.update(Document, [{ before: row, after }]).remove(DocumentLine, [first]);
      changes.insert(DocumentLine, [{ ...second, id: newId(), lineNumber: 3, description: 'tres' }]);
      changes.audit({ type: 'SalesInvoice', id: row.id }, { notes: null }, { notes: 'ja' });
      changes.emit({ type: 'SalesInvoice', id: row.id }, { name: 'document.updated', payload: { n: 1 } });
      await countStatements(trx, () => statements++);
      await changes.write(trx);
    });
    assert.equal(statements, 1);
    const after = await company.run((trx) => loadDocument(trx, row.id));
    assert.equal(after.row.notes, 'ja');
    assert.deepEqual(
      after.lines.map(({ lineNumber, description }) => [lineNumber, description]),
      [
        [2, second.description],
        [3, 'tres'],
      ],
    );
    const [audit] = await company.rows(
      `select action, old_value, new_value from audit_logs where entity_id = ? and action = 'UPDATE'`,
      [row.id],
    );
    assert.deepEqual(audit, { action: 'UPDATE', old_value: { notes: null }, new_value: { notes: 'ja' } });
  });

  it('write nothing at all when a row is no longer the one that was read', async () => {
    const { row, lines } = await draft();
    const [line] = lines;
    assert.ok(line);
    const [audits, events] = [await count('audit_logs'), await count('outbox')];
    const stale = { ...row, version: row.version + 5 };
    await assert.rejects(
      write((changes) => {
        changes.update(Document, [{ before: stale, after: { ...stale, notes: 'no', version: stale.version + 1 } }]);
        // Would be refused by its foreign key if it were tried.
        changes.insert(DocumentLine, [{ ...line, id: newId(), documentId: newId() }]);
        changes.audit({ type: 'SalesInvoice', id: row.id }, {}, {});
      }),
      { code: 'unavailable' },
    );
    assert.equal((await stored(row.id))?.notes, null);
    assert.deepEqual([await count('audit_logs'), await count('outbox')], [audits, events]);
  });

  it('are refused in a closed period before any other check', async () => {
    const { row } = await draft();
    const period = await company.run(async (trx) => {
      const may = await Period.query(trx).findOne({ code: '2026-05' }).throwIfNotFound();
      return await patchRow(trx, company.ctx, Period, may, { status: 'C' });
    });
    await assert.rejects(
      write((changes) => {
        const number = changes.hold('sales', period.id).takeNumber({ seriesId: row.seriesId });
        changes.update(Document, [{ before: row, after: { ...row, ...number.pending, version: row.version + 1 } }]);
      }),
      { code: 'period_closed', message: /2026-05/ },
    );
    assert.equal((await stored(row.id))?.number, null);
  });

  it('contain the number that they take, whatever its series puts around it', async () => {
    const { row } = await draft();
    const prefix = 'A"\\\\B\'-';
    const seriesId = newId();
    await company.rows(
      `insert into series (id, tenant_id, doc_type, prefix, next_number, padding, created_at, updated_at)
       values (?, ?, 'SINV', ?, 7, 3, now(), now()) returning 1`,
      [seriesId, company.ctx.tenantId, prefix],
    );
    const entry = newId();
    const taken = await company.run(async (trx) => {
      const changes = new Changes(company.ctx);
      const number = changes.takeNumber({ seriesId });
      assert.throws(() => changes.takeNumber({ seriesId }), /one number/);
      assert.throws(() => number.taken, /is known only after the write/);
      const after = { ...row, seriesId, ...number.pending, version: row.version + 1 };
      changes.update(Document, [{ before: row, after }]);
      changes.audit({ type: 'JournalEntry', id: entry }, null, { said: `Factura ${number.pending.code} de hoy` });
      await changes.write(trx);
      return number.taken;
    });
    assert.deepEqual(taken, { number: 7, code: `${prefix}007` });
    const { number, code } = (await stored(row.id)) ?? {};
    assert.deepEqual({ number, code }, taken);
    const [audit] = await company.rows('select new_value from audit_logs where entity_id = ?', [entry]);
    assert.deepEqual(audit?.new_value, { said: `Factura ${prefix}007 de hoy` });
  });

  it('count from one where the counter is new', async () => {
    const source = { counter: `test:${newId()}`, prefix: 'T', digits: 2 };
    const take = () =>
      company.run(async (trx) => {
        const changes = new Changes(company.ctx);
        const number = changes.takeNumber(source);
        changes.audit({ type: 'Counter', id: newId() }, null, { code: number.pending.code });
        await changes.write(trx);
        return number.taken.code;
      });
    assert.deepEqual([await take(), await take()], ['T01', 'T02']);
  });

  it('continue from one change of a row to the next, and refuse one that skips a version', async () => {
    const { row } = await draft();
    const once = { ...row, notes: 'uno', version: row.version + 1 };
    const twice = { ...once, reference: 'dos', version: once.version + 1 };
    await write((changes) => {
      changes.update(Document, [{ before: row, after: once }]).update(Document, [{ before: once, after: twice }]);
      assert.throws(() => changes.update(Document, [{ before: row, after: once }]), /changed twice/);
    });
    const { notes, reference, version } = (await stored(row.id)) ?? {};
    assert.deepEqual({ notes, reference, version }, { notes: 'uno', reference: 'dos', version: row.version + 2 });
  });

  it('let two lines swap positions', async () => {
    const { lines } = await draft();
    await write((changes) =>
      changes.update(
        DocumentLine,
        lines.map((line) => ({ before: line, after: { ...line, lineNumber: 3 - line.lineNumber } })),
      ),
    );
    const placed = await company.rows(
      'select line_number as place from document_lines where document_id = ? order by quantity',
      [lines[0]?.documentId],
    );
    assert.deepEqual(
      placed.map(({ place }) => place),
      [2, 1],
    );
  });

  it('do nothing if nothing differs, and refuse a change that keeps the version', async () => {
    const { row } = await draft();
    await write((changes) => changes.update(Document, [{ before: row, after: { ...row } }]));
    assert.equal((await stored(row.id))?.version, row.version);
    await assert.rejects(
      write((changes) => changes.update(Document, [{ before: row, after: { ...row, notes: 'x' } }])),
      /must have a later version/,
    );
  });

  it('belong only to the company that writes them', async () => {
    const { row } = await draft();
    const foreign = new Changes({ ...company.ctx, tenantId: newId() });
    foreign.audit({ type: 'SalesInvoice', id: row.id }, null, {});
    await assert.rejects(company.run((trx) => foreign.write(trx)));
  });

  it('find the columns that the tables have', async () => {
    for (const { tableName, columns } of [Document, DocumentLine, JournalEntry]) {
      const found = await company.rows(
        'select column_name as name from information_schema.columns where table_name = ?',
        [tableName],
      );
      const names = new Set(found.map(({ name }) => name));
      const lacking = Object.keys(columns).filter(
        (member) => !names.has(member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
      );
      assert.deepEqual(lacking, []);
    }
  });

  it('give back a number only as long as nobody has taken the next one', async () => {
    const receipt = () =>
      company.run((trx) =>
        createDocument(trx, company.ctx, 'PDN', {
          partnerId: company.supplierId,
          lines: [{ itemId: company.itemId, quantity: 1 }],
        }),
      );
    const { seriesId, number } = (await receipt()) as { seriesId: string; number: number };
    const next = async () =>
      (await company.rows('select next_number from series where id = ?', [seriesId]))[0]?.next_number;
    await receipt();
    const again = (of: number) =>
      company.run(async (trx) => await giveBackNumber(trx, seriesId, of).catch((error: unknown) => error));
    assert.ok((await again(number)) instanceof ConcurrentChange);
    assert.equal(await next(), number + 2);
    assert.equal(await again(number + 1), undefined);
    assert.equal(await next(), number + 1);
  });
});

/** Calls `count` for each statement that goes straight to the driver. */
async function countStatements(trx: Db, count: () => void): Promise<void> {
  const connection: ScopedConnection = await trx.client.acquireConnection();
  const run = connection.run.bind(connection);
  connection.run = (statement) => {
    count();
    return run(statement);
  };
}
