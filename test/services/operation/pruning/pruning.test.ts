import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../../../config/index.ts';
import { idAt, newId } from '../../../../db/ids.ts';
import { verifyDatabase } from '../../../../db/verify.ts';
import { queueMail } from '../../../../services/messages/mail/queue.ts';
import { KINDS, type PrunedKind } from '../../../../services/operation/pruning/kinds.ts';
import { pruneBatch } from '../../../../services/operation/pruning/prune.ts';
import { storeDocumentPdf } from '../../../../services/platform/files/files.ts';
import { storeTaskFile } from '../../../../services/platform/files/task-files.ts';
import { endTask } from '../../../../services/platform/tasks/report.ts';
import { startTask } from '../../../../services/platform/tasks/tasks.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { addCompany, type TestCompany } from '../../../helpers/company.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { PACE } from '../../../helpers/mails.ts';

const { keep } = loadConfig({});
const DAY = 86_400_000;

describe('pruning', function () {
  this.timeout(60_000);
  let other: Omit<TestCompany, 'close'>;
  let admin: pg.Client;
  let dataDir: string;
  /** Far enough in the past that everything the test writes is young; or that many days later. */
  const after = (days: number) => new Date(Date.now() + days * DAY);

  const company = useCompany({ each: true, sound: false });
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'pruning-'));
    other = await addCompany(company.database, company.url);
    admin = new pg.Client({ connectionString: company.url });
    await admin.connect();
  });
  afterEach(async () => {
    await admin.end();
    rmSync(dataDir, { recursive: true });
  });

  /** Deletes all batches of a kind. @returns the number of rows deleted */
  async function prune(kind: PrunedKind, now: Date, limit = 3): Promise<number> {
    const deps = { database: company.database, keep, dataDir, store: null };
    let deleted = 0;
    let position: string | null = null;
    do {
      const batch = await pruneBatch(deps, kind, { now, after: position, limit });
      deleted += batch.deleted;
      position = batch.after;
    } while (position !== null);
    return deleted;
  }
  const ids = async (table: string) =>
    (await admin.query<{ id: string }>(`select id from ${table} order by id`)).rows.map(({ id }) => id);
  const count = async (table: string, where = 'true') =>
    (await admin.query<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`)).rows[0]?.n;

  async function event(of: Omit<TestCompany, 'close'>, state: 'handed over' | 'waits' | 'dead'): Promise<string> {
    const id = newId();
    await admin.query(
      `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at, processed_at, dead_at)
       values ($1, $2, 'document.created', 'SalesOrder', $1, '{}', now(), case $3 when 'handed over' then now() end, case $3 when 'dead'
         then now() end)`,
      [id, of.ctx.tenantId, state],
    );
    return id;
  }
  async function webhook(of: Omit<TestCompany, 'close'>): Promise<string> {
    const id = newId();
    await admin.query(
      `insert into webhooks (id, tenant_id, name, url, events, retry_policy, created_at, updated_at)
       values ($1, $2, 'w', 'https://example.test', '{*}', '{}', now(), now())`,
      [id, of.ctx.tenantId],
    );
    return id;
  }
  async function attempt(
    of: Omit<TestCompany, 'close'>,
    webhookId: string,
    eventId: string,
    nth = 1,
    days = 0,
  ): Promise<void> {
    await admin.query(
      `insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, attempt, status, response_body, sent_at)
       values ($1, $2, $3, $4, 'document.created', $5, 'failed', 'a body', $6)`,
      [newId(), of.ctx.tenantId, webhookId, eventId, nth, after(days)],
    );
  }

  it('deletes handed-over events, but not those that wait, are set aside or are in the attempts of a webhook', async () => {
    const handed = [
      await event(company, 'handed over'),
      await event(other, 'handed over'),
      await event(company, 'handed over'),
    ];
    const logged = await event(company, 'handed over');
    const stay = [logged, await event(other, 'waits'), await event(company, 'dead')];
    const hook = await webhook(company);
    await attempt(company, hook, logged);
    const before = await count('outbox');
    await prune('outbox', after(29));
    assert.equal(await count('outbox'), before, 'younger than 30 days');
    await prune('outbox', after(31));
    const left = await ids('outbox');
    for (const id of stay) assert.ok(left.includes(id), id);
    for (const id of handed) assert.ok(!left.includes(id), id);
    // Once the attempts are gone, so are their events.
    assert.equal(await prune('attempts', after(31)), 1);
    await prune('outbox', after(31));
    assert.deepEqual(await ids('outbox'), [...stay.slice(1)].sort());
  });

  it('deletes attempts: first the bodies, then all attempts of an event at a webhook together', async () => {
    const [mine, theirs] = [await webhook(company), await webhook(other)];
    const [old, retried] = [await event(company, 'handed over'), await event(company, 'handed over')];
    const foreign = await event(other, 'handed over');
    await attempt(company, mine, old);
    await attempt(company, mine, retried, 1);
    await attempt(company, mine, retried, 2, 20);
    await attempt(other, theirs, foreign);
    assert.equal(await prune('attempt_bodies', after(6)), 0);
    assert.equal(await prune('attempt_bodies', after(8)), 3);
    assert.equal(await count('webhook_attempts', 'response_body is not null'), 1);
    assert.equal(await prune('attempts', after(29)), 0);
    assert.equal(await prune('attempts', after(31)), 2);
    assert.equal(await count('webhook_attempts', `event_id = '${retried}'`), 2, 'the last is 11 days old');
    const deps = { database: company.database, keep, dataDir, store: null };
    const { deleted } = await pruneBatch(deps, 'attempts', { now: after(51), after: null, limit: 1 });
    assert.equal(deleted, 2, 'both at once');
  });

  it('deletes ended tasks, and before them their files and the links to these', async () => {
    const make = (of: Omit<TestCompany, 'close'>) =>
      of.run(async (trx) => {
        const ctx = { ...of.ctx, now: new Date() };
        const task = await startTask(trx, ctx, {
          kind: 'import',
          permission: null,
          input: {},
          message: 'm',
          title: 't',
        });
        const file = { taskId: task.id, name: 'f', contentType: 'text/plain', content: Buffer.from('x') };
        for (const kind of ['task_input', 'task_result'] as const) await storeTaskFile(trx, ctx, { ...file, kind });
        return task.id;
      });
    const [ended, running, foreign] = [await make(company), await make(company), await make(other)];
    for (const [of, id] of [
      [company, ended],
      [other, foreign],
    ] as const) {
      const ctx = { ...of.ctx, now: new Date() };
      await of.run((trx) => endTask(trx, ctx, id, { message: 'Done', resultUrl: `/api/tasks/${id}/result` }));
    }
    assert.equal(await prune('task_files', after(6)), 0);
    assert.equal(await prune('task_files', after(8)), 4);
    assert.equal(await count('files', `entity_id = '${running}'`), 2, 'what runs needs its files');
    assert.equal(await count('tasks', 'result_url is not null'), 0);
    assert.equal(await prune('tasks', after(89)), 0);
    assert.equal(await prune('tasks', after(91)), 2);
    assert.deepEqual(await ids('tasks'), [running]);
  });

  it('deletes PDFs that can be rendered again; those of posted documents stay, byte for byte', async () => {
    const ctx = { ...company.ctx, now: new Date() };
    const [draft, posted] = await company.run(async (trx) => {
      const input = { partnerId: company.customerId, lines: [{ itemId: company.itemId, quantity: 1 }] };
      return [await createDocument(trx, ctx, 'SINV', input), await createDocument(trx, ctx, 'SINV', input)];
    });
    await admin.query('update documents set posted_at = now() where id = $1', [posted?.id]);
    for (const document of [draft, posted]) {
      const file = { documentId: String(document?.id), version: 1, name: 'a.pdf', content: Buffer.from('%PDF') };
      await company.run((trx) => storeDocumentPdf(trx, ctx, file));
    }
    assert.equal(await prune('pdfs', after(6)), 0);
    assert.equal(await prune('pdfs', after(8)), 1);
    await prune('pdfs', after(10_000));
    assert.deepEqual((await admin.query('select entity_id as id, content from files')).rows, [
      { id: posted?.id, content: Buffer.from('%PDF') },
    ]);
  });

  async function addUser(): Promise<string> {
    const id = newId();
    await admin.query(
      `insert into users (id, email, name, created_at, updated_at) values ($1, 'a@example.test', 'A', now(), now())`,
      [id],
    );
    return id;
  }

  it('deletes refresh tokens a week after they ended, with their session', async () => {
    const user = await addUser();
    const optionalTime = (days: number | null) => (days === null ? null : after(days));
    const token = (hash: string, expires: number, revoked: number | null, session = expires) =>
      admin.query(
        `insert into refresh_tokens (id, family_id, user_id, tenant_id, token_hash, expires_at, revoked_at, session_ends_at, created_at)
         values ($1, $1, $2, $3, $4, $5, $6, $7, now())`,
        [newId(), user, company.ctx.tenantId, Buffer.from(hash), after(expires), optionalTime(revoked), after(session)],
      );
    await token('goes on', 30, null);
    await token('used before, in a session that goes on', 0, null, 90);
    await token('revoked', 30, 0);
    await token('expired', 0, null);
    assert.equal(await prune('refresh_tokens', after(6)), 0);
    assert.equal(await prune('refresh_tokens', after(8)), 2);
    assert.equal(await prune('refresh_tokens', after(38)), 1);
    assert.equal(await prune('refresh_tokens', after(96)), 0);
    assert.equal(await prune('refresh_tokens', after(98)), 1);
  });

  it('deletes idempotency keys after a day', async () => {
    for (const [key, status] of [
      ['a', 201],
      ['b', null],
    ]) {
      await admin.query(
        `insert into idempotency_keys (tenant_id, caller, path, key, request_hash, status, created_at)
         values ($1, 'user:x', '/p', $2, '', $3, now())`,
        [company.ctx.tenantId, key, status],
      );
    }
    assert.equal(await prune('idempotency_keys', after(0.9)), 0);
    assert.equal(await prune('idempotency_keys', after(1.1)), 2);
  });

  it('deletes notifications after a year, read ones after three months', async () => {
    const user = await addUser();
    const notice = (read: boolean) =>
      admin.query(
        `insert into notifications (id, tenant_id, user_id, type, title, body, read, read_at, created_at, updated_at)
         values ($1, $2, $3, 'system_alert', 't', 'b', $4, case when $4 then now() end, now(), now())`,
        [newId(), company.ctx.tenantId, user, read],
      );
    await notice(true);
    await notice(false);
    assert.equal(await prune('read_notifications', after(89)), 0);
    assert.equal(await prune('read_notifications', after(91)), 1);
    assert.equal(await prune('notifications', after(364)), 0);
    assert.equal(await prune('notifications', after(366)), 1);
  });

  it('deletes failed logins once they no longer count', async () => {
    await admin.query(`insert into login_limits (key, points, expire) values ('k', 1, $1)`, [after(1).getTime()]);
    assert.equal(await prune('login_limits', after(0)), 0);
    assert.equal(await prune('login_limits', after(2)), 1);
  });

  it('deletes settled invitations, and mails in files', async () => {
    const invite = (email: string, status: string, expires: number) =>
      admin.query(
        `insert into invitations (id, tenant_id, user_id, email, name, role, status, last_mail_at, expires_at, mails, mail_id, settled_at,
          created_at, updated_at)
         values ($1, $2, $1, $3, 'N', 'viewer', $4, now(), $5, 1, $1, case when $4 <> 'pending' then now() end, now(), now())`,
        [newId(), company.ctx.tenantId, email, status, after(expires)],
      );
    await invite('accepted', 'accepted', 7);
    await invite('ran out', 'pending', 7);
    assert.equal(await prune('invitations', after(89)), 0);
    assert.equal(await prune('invitations', after(91)), 1);
    assert.equal(await prune('invitations', after(98)), 1);

    assert.equal(await prune('mails', after(0)), 0, 'no mail was ever written');
    const folder = join(dataDir, 'mail');
    mkdirSync(folder);
    for (const [name, days] of Object.entries({
      'a.eml': -31,
      'b.eml.part': -31,
      'c.eml': -32,
      'd.eml': -33,
      'new.eml': -29,
    })) {
      writeFileSync(join(folder, name), 'text');
      utimesSync(join(folder, name), after(days), after(days));
    }
    assert.equal(await prune('mails', after(0)), 4);
    assert.deepEqual(readdirSync(folder), ['new.eml']);
  });

  it('deletes the log of mails once they are sent or given up, but no mail that waits', async () => {
    for (const status of ['sent', 'failed', 'queued']) {
      const ctx = { ...company.ctx, now: new Date() };
      const mail = { kind: 'report', to: 'ana@example.test', subject: status, text: 'Here it is' } as const;
      const { id } = await company.run((trx) => queueMail(trx, ctx, PACE, mail));
      await admin.query('update emails set status = $2 where id = $1', [id, status]);
    }
    const { emailsDays } = keep;
    assert.equal(await prune('emails', after(emailsDays - 1)), 0);
    assert.equal(await prune('emails', after(emailsDays + 1)), 2);
    assert.equal(await prune('emails', after(10_000)), 0);
    assert.deepEqual((await admin.query('select subject from emails')).rows, [{ subject: 'queued' }]);
  });

  it('deletes runs of automations, but not those under way or those that rules need to act once', async () => {
    await admin.query(
      `insert into automations (id, tenant_id, name, trigger, conditions, actions, stop_on_error, status, created_at, updated_at)
       values ($1, $1, 'r', '{}', '[]', '[]', false, 'active', now(), now())`,
      [company.ctx.tenantId],
    );
    await admin.query(
      `insert into automation_runs (id, tenant_id, automation_id, automation_version, trigger, cause, event, actions, stop_on_error,
         results, depth, status, executed_at, started_at)
       select gen_random_uuid(), $1, $1, 1, 't', cause, '{}', '[]', false, '[]', 0, status, now(), now()
       from (values ('a', 'success'), ('b', 'failed'), ('c', 'skipped'), ('d', 'running'), ('once/e', 'success')) r (cause, status)`,
      [company.ctx.tenantId],
    );
    assert.equal(await prune('automation_runs', after(29)), 0);
    assert.equal(await prune('automation_runs', after(31), 2), 3);
    const { rows } = await admin.query('select cause from automation_runs order by cause');
    assert.deepEqual(rows, [{ cause: 'd' }, { cause: 'once/e' }]);
  });

  it('never deletes documents, their audit records or the ledger, and the totals still add up', async () => {
    const ctx = { ...company.ctx, now: new Date() };
    const order = await company.run((trx) =>
      createDocument(trx, ctx, 'SO', {
        partnerId: company.customerId,
        lines: [{ itemId: company.itemId, quantity: 1 }],
      }),
    );
    const tables = (
      await admin.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)
    ).rows;
    const sizes = async () => {
      const all: Record<string, unknown> = {};
      for (const { name } of tables) all[name] = await count(name);
      for (const name of ['outbox', 'prunings', 'work_counts']) delete all[name];
      return all;
    };
    await admin.query('update outbox set processed_at = now()');
    const before = await sizes();
    for (const kind of Object.keys(KINDS)) await prune(kind as PrunedKind, after(5000), 100);
    assert.equal(await count('outbox'), 0);
    assert.deepEqual(await sizes(), before);
    const broken = async () => (await verifyDatabase(company.url)).filter(({ violations }) => violations > 0);
    assert.deepEqual(await broken(), []);
    // Later events are checked as before.
    const later = { ...ctx, now: after(1) };
    await admin.query(`update prunings set kept_since = $1 where kind = 'outbox'`, [later.now]);
    await company.run((trx) => cancelDocument(trx, later, String(order.id), { ifMatch: null }));
    assert.deepEqual(await broken(), []);
    await admin.query(`delete from outbox where event = 'document.cancelled'`);
    assert.deepEqual(
      (await broken()).map(({ name }) => name),
      ['one_event_per_change'],
    );
  });

  /** Inserts 20 000 young rows of each kind. */
  async function fillTables(): Promise<void> {
    const { tenantId } = company.ctx;
    const many = `generate_series(1, 20000) n`;
    const hook = await webhook(company);
    const user = newId();
    await admin.query(`insert into users (id, email, name, created_at, updated_at) values ('${user}', 'a@example.test', 'A', now(), now());
      insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at, processed_at)
        select gen_random_uuid(), '${tenantId}', 'e', 'E', gen_random_uuid(), '{}', now(), now() from ${many};
      insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, attempt, status, sent_at)
        select gen_random_uuid(), '${tenantId}', '${hook}', gen_random_uuid(), 'e', 1, 'failed', now() from ${many};
      insert into idempotency_keys (tenant_id, caller, path, key, request_hash, created_at)
        select '${tenantId}', 'c', 'p', n::text, '', now() from ${many};
      insert into refresh_tokens (id, family_id, user_id, tenant_id, token_hash, expires_at, session_ends_at, created_at)
        select gen_random_uuid(), gen_random_uuid(), '${user}', '${tenantId}', n::text::bytea, now(), now(), now() from ${many};
      insert into files (id, tenant_id, kind, name, content_type, entity_id, entity_version, content, created_at)
        select gen_random_uuid(), '${tenantId}', 'document_pdf', 'n', 't', gen_random_uuid(), 1, '', now() from ${many};
      insert into tasks (id, tenant_id, kind, type, status, progress, message, input, completed_at, created_at, updated_at)
        select gen_random_uuid(), '${tenantId}', 'import', 'sync', 'completed', 100, '', '{}', now(), now(), now() from ${many};
      insert into notifications (id, tenant_id, user_id, type, title, body, created_at, updated_at)
        select gen_random_uuid(), '${tenantId}', '${user}', 'system_alert', 't', 'b', now(), now() from ${many};
      insert into invitations (id, tenant_id, user_id, email, name, role, status, last_mail_at, expires_at, mails, mail_id, settled_at,
        created_at, updated_at)
        select gen_random_uuid(), '${tenantId}', '${user}', n::text, 'N', 'viewer', 'declined', now(), now(), 1, '${user}', now(), now(),
          now() from ${many};
      insert into emails (id, tenant_id, kind, addressees, subject, status, recipients, attachments, attach_document, tries, give_up_at,
        created_at, updated_at)
        select gen_random_uuid(), '${tenantId}', 'report', 'a@example.test', 's', 'sent', '[]', '[]', false, 1, now(), now(), now()
          from ${many};
      insert into mail_sendings (id, tenant_id, email_id, budget, address, sent_at)
        select gen_random_uuid(), '${tenantId}', gen_random_uuid(), 'payslips', n::text, now() from ${many};
      insert into password_resets (id, user_id, company_id, expires_at)
        select gen_random_uuid(), '${user}', '${tenantId}', now() from ${many};
      insert into automations (id, tenant_id, name, trigger, conditions, actions, stop_on_error, status, created_at, updated_at)
        values ('${tenantId}', '${tenantId}', 'r', '{}', '[]', '[]', false, 'active', now(), now());
      insert into automation_runs (id, tenant_id, automation_id, automation_version, trigger, cause, event, actions, stop_on_error, results,
        depth, status, executed_at, started_at)
        select gen_random_uuid(), '${tenantId}', '${tenantId}', 1, 't', n::text, '{}', '[]', false, '[]', 0, 'success', now(), now()
          from ${many};
      insert into login_limits (key, points, expire) select n::text, 1, 1e15 + n from ${many};
      analyze`);
  }

  it('finds rows by an index, however many there are', async () => {
    await fillTables();
    await admin.query('set role bms_system');
    const values: Record<string, string> = {
      cutoff: `'${after(-1).toISOString()}'`,
      before: `'${idAt(after(-1))}'`,
      after: `'${idAt(after(-2))}'`,
      limit: '1000',
    };
    for (const [kind, what] of Object.entries(KINDS)) {
      if (!('sql' in what)) continue;
      const text = what.sql.replace(/(?<!:):(\w+)/g, (_, name: string) => values[name] ?? '');
      const plan = (await admin.query<{ 'QUERY PLAN': string }>(`explain ${text}`)).rows
        .map((row) => row['QUERY PLAN'])
        .join('\n');
      assert.doesNotMatch(plan, /Seq Scan/, `${kind}\n${plan}`);
    }
  });
});
