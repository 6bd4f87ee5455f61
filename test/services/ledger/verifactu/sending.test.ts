import assert from 'node:assert/strict';
import { loadConfig } from '../../../../config/index.ts';
import type { Context } from '../../../../db/context.ts';
import type { Annulment, Registration } from '../../../../domain/ledger/verifactu/records.ts';
import { type SendingStep, sendRecords } from '../../../../services/ledger/verifactu/sending/send-records.ts';
import { readStatus, resumeSending } from '../../../../services/ledger/verifactu/sending/status.ts';
import { replaceVerifactuSettings } from '../../../../services/ledger/verifactu/settings.ts';
import { loadSettings, replaceSettings } from '../../../../services/platform/settings/settings.ts';
import { readDocument } from '../../../../services/trade/documents/read.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { annulRecord, correctRecord } from '../../../../services/trade/lifecycle/verifactu-corrections.ts';
import { certify, issueInvoice, startTestAgency } from '../../../helpers/agency.ts';
import { addOwner } from '../../../helpers/company.ts';
import { use, useCompany } from '../../../helpers/hooks.ts';
import { ENCRYPTION_KEY } from '../../../helpers/worker.ts';

const any = { ifMatch: null };
const keys = [ENCRYPTION_KEY];
/** Persons, whose addresses invoices may leave out. */
const [CUSTOMER, SAME_CUSTOMER] = ['12345678Z', '87654321X'];

describe('sending records to the tax agency', () => {
  const company = useCompany();
  let seconds = 0;
  const now = () => new Date(company.ctx.now.getTime() + seconds * 1000);
  const agency = use(() => startTestAgency(now), { close: (one) => one.close() });

  const ctx = (): Context => ({ ...company.ctx, now: now() });
  const config = () => loadConfig({ ...agency.env }).verifactu;
  const issue = () => issueInvoice(company, now());
  const send = (): Promise<SendingStep> =>
    sendRecords({ database: company.database, config: config(), encryptionKeys: keys, now }, company.ctx);
  /** Sends once the waiting time is over. */
  const sendLater = () => {
    seconds += 60;
    return send();
  };
  const results = () =>
    company.rows(
      `select r.seq, r.kind, e.status, e.error->>'code' as error, e.duplicate from verifactu_records r
       left join verifactu_results e on e.record_id = r.id order by r.seq`,
      [],
    );
  const last = async (count: number) => (await results()).slice(-count).map(({ status, error }) => [status, error]);
  const status = () => company.run((trx) => readStatus(trx, config()));
  const upload = (taxId: string) => certify(company, agency, now(), taxId);
  const stored = () => agency.book.entries.flatMap((entry) => entry.stored);
  const isUnbroken = () => agency.book.entries.every(({ arrived }) => arrived.every(({ isLinked }) => isLinked));

  const told = () => company.rows('select title, body from notifications order by id', []);

  before(async () => {
    await addOwner(company);
    await company.run(async (trx) => {
      const value = await loadSettings(trx, 'company');
      const address = { address: 'Calle Mayor 1', city: 'Madrid' };
      await replaceSettings(trx, company.ctx, 'company', { ...value, ...address });
      await replaceVerifactuSettings(trx, company.ctx, { enabled: true }, null);
    });
  });

  it('waits for a certificate, and says so', async () => {
    assert.deepEqual(await send(), { next: 'nothing' });
    await issue();
    assert.deepEqual(await send(), { next: 'stop', code: 'no_certificate' });
    const { queued, problem } = await status();
    assert.deepEqual([queued, problem?.code], [1, 'no_certificate']);
    await send();
    const [notice, ...others] = await told();
    assert.match(String(notice?.body), /no certificate/);
    assert.deepEqual(others, []);
  });

  it('sends what waits in one message, and waits as long as the agency says', async () => {
    await upload('B12345674');
    const cancelled = await issue();
    await company.run((trx) => cancelDocument(trx, ctx(), cancelled, any));
    const step = await send();
    assert.deepEqual(step, { next: 'sent', seconds: 60, waiting: 0, accepted: 3, wrong: 0 });
    assert.deepEqual(await last(3), Array(3).fill(['accepted', null]));
    assert.equal(agency.book.entries.length, 1);
    const { lastSubmission, queued, problem } = await status();
    assert.equal(lastSubmission?.csv, agency.book.entries[0]?.csv);
    assert.deepEqual([lastSubmission?.state, queued, problem], ['accepted', 0, null]);
    await issue();
    assert.deepEqual(await send(), { next: 'wait', seconds: 60, waiting: 1 });
    const later = await sendLater();
    assert.equal(later.next, 'sent');
    assert.deepEqual(await send(), { next: 'nothing' });
  });

  it('knows of records that arrived though no answer did, and stores none twice', async () => {
    const before = stored().length;
    await issue();
    agency.behaviour.drop = 'after';
    const failed = await sendLater();
    assert.deepEqual(failed, { next: 'failed', code: 'unreachable', seconds: 60 });
    agency.behaviour.drop = null;
    await issue();
    const repeated = await sendLater();
    assert.equal(repeated.next, 'sent');
    assert.deepEqual(await last(2), [
      ['accepted', null],
      [null, null],
    ]);
    assert.equal((await results()).at(-2)?.duplicate, true);
    await sendLater();
    assert.deepEqual(await last(1), [['accepted', null]]);
    assert.equal(stored().length, before + 2);
    assert.ok(isUnbroken());
  });

  it('tries again ever more seldom, once an hour at least, and tells that records come late', async () => {
    await issue();
    agency.behaviour.drop = 'before';
    const waits: number[] = [];
    for (let tries = 0; tries < 9; tries++) {
      const step = await send();
      assert.ok(step.next === 'failed' || step.next === 'wait');
      if (step.next === 'failed') waits.push(step.seconds);
      seconds += step.seconds;
    }
    assert.deepEqual(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600]);
    assert.match(String((await told()).at(-1)?.body), /does not answer/);
    agency.behaviour.drop = null;
    await issue();
    assert.equal((await send()).next, 'sent');
    assert.deepEqual(await last(2), [
      ['accepted', null],
      [null, null],
    ]);
    assert.equal(agency.book.entries.at(-1)?.incident, true);
    await sendLater();
    assert.equal(agency.book.entries.at(-1)?.incident, false);
    assert.deepEqual(await last(1), [['accepted', null]]);
  });

  it('shows what the agency refuses, and goes on with the others', async () => {
    await company.rows('update partners set nif = ? where id = ? returning 1', [CUSTOMER, company.customerId]);
    agency.behaviour.unknown.add(CUSTOMER);
    await issue();
    const refused = await sendLater();
    assert.deepEqual(refused, { next: 'sent', seconds: 60, waiting: 0, accepted: 0, wrong: 1 });
    assert.deepEqual(await last(1), [['rejected', '1193']]);
    agency.behaviour.unknown.clear();
    await issue();
    await sendLater();
    assert.deepEqual(await last(1), [['accepted', null]]);
    assert.equal((await status()).rejected, 1);
    assert.ok(isUnbroken());
    const events = await company.rows(
      `select event, count(*)::int as count from outbox where event like 'verifactu.%' group by event order by event`,
      [],
    );
    assert.deepEqual(events.at(-1), { event: 'verifactu.rejected', count: 1 });
  });

  it('mends what was refused with a record of its own, with what invoice and partner say by then', async () => {
    const [refused] = await company.rows(
      `select r.id, r.document_id from verifactu_records r join verifactu_results e on e.record_id = r.id where e.status = 'rejected'`,
      [],
    );
    const [id, documentId] = [String(refused?.id), String(refused?.document_id)];
    await company.rows('update partners set nif = ? where id = ? returning 1', [SAME_CUSTOMER, company.customerId]);
    const correct = (recordId: string) => company.run((trx) => correctRecord(trx, ctx(), recordId));
    const corrected = await correct(id);
    const sent = corrected.record as Registration;
    assert.deepEqual([sent.correction, sent.rejected, sent.recipients?.[0]?.taxId], ['S', 'X', SAME_CUSTOMER]);
    await assert.rejects(correct(id), /its invoice has a later one/);
    await assert.rejects(correct(corrected.id), /has not answered yet/);
    await assert.rejects(
      company.run((trx) => annulRecord(trx, ctx(), corrected.id)),
      /has not answered yet/,
    );
    await sendLater();
    assert.deepEqual(await last(1), [['accepted', null]]);
    assert.equal((await status()).rejected, 0);
    const again = (await correct(corrected.id)).record as Registration;
    assert.deepEqual([again.correction, again.rejected], ['S', undefined]);
    await sendLater();
    assert.deepEqual(await last(1), [['accepted', null]]);
    const { verifactu } = await company.run((trx) => readDocument(trx, documentId));
    assert.deepEqual([verifactu?.status, verifactu?.errors], ['accepted', []]);
    assert.ok(isUnbroken());
  });

  it('annuls anew what the agency could not annul', async () => {
    agency.behaviour.unknown.add(SAME_CUSTOMER);
    const documentId = await issue();
    await sendLater();
    agency.behaviour.unknown.clear();
    assert.deepEqual(await last(1), [['rejected', '1193']]);
    await company.run((trx) => cancelDocument(trx, ctx(), documentId, any));
    const [, annulment] = await company.rows(
      'select id, record from verifactu_records where document_id = ? order by seq',
      [documentId],
    );
    assert.equal((annulment?.record as Annulment | undefined)?.withoutRecord, 'S');
    await sendLater();
    assert.deepEqual(await last(1), [['accepted', null]]);
    await assert.rejects(
      company.run((trx) => annulRecord(trx, ctx(), String(annulment?.id))),
      /has accepted it/,
    );
    const waiting = await issue();
    await company.run((trx) => cancelDocument(trx, ctx(), waiting, any));
    agency.behaviour.unknown.add(SAME_CUSTOMER);
    await sendLater();
    assert.deepEqual(await last(2), [
      ['rejected', '1193'],
      ['rejected', '3002'],
    ]);
    agency.behaviour.unknown.clear();
    const [refused] = await company.rows('select id from verifactu_records order by seq desc limit 1', []);
    const anew = await company.run((trx) => annulRecord(trx, ctx(), String(refused?.id)));
    const { withoutRecord, rejected } = anew.record as Annulment;
    assert.deepEqual([withoutRecord, rejected], ['S', 'S']);
    await sendLater();
    assert.deepEqual(await last(1), [['accepted', null]]);
  });

  it('sends again what the agency failed with, and only that', async () => {
    for (let nth = 0; nth < 4; nth++) await issue();
    agency.behaviour.fail = '1256';
    const failed = await sendLater();
    assert.deepEqual(failed, { next: 'sent', seconds: 60, waiting: 2, accepted: 2, wrong: 0 });
    assert.deepEqual((await status()).problem?.error?.code, '1256');
    agency.behaviour.fail = null;
    const before = agency.book.entries.length;
    assert.deepEqual(await sendLater(), { next: 'sent', seconds: 60, waiting: 0, accepted: 2, wrong: 0 });
    assert.equal(agency.book.entries.at(before)?.stored.length, 2);
    assert.deepEqual(await last(4), Array(4).fill(['accepted', null]));
    assert.equal((await status()).problem, null);
  });

  it('stops when the agency has suspended access, until a person resumes', async () => {
    await issue();
    agency.behaviour.refuse = '4141';
    assert.deepEqual(await sendLater(), { next: 'failed', code: 'suspended', seconds: 3600 });
    seconds += 4000;
    agency.behaviour.refuse = null;
    assert.deepEqual(await send(), { next: 'nothing' });
    assert.equal((await status()).problem?.error?.code, '4141');
    await company.run((trx) => resumeSending(trx, ctx()));
    assert.equal((await send()).next, 'sent');
  });

  it('is told of a certificate that may not send, and of pages in place of answers', async () => {
    await upload('A58818501');
    await issue();
    assert.deepEqual(await sendLater(), { next: 'failed', code: 'refused', seconds: 3600 });
    assert.equal((await status()).problem?.error?.code, '4112');
    await upload('B12345674');
    agency.behaviour.page = 403;
    assert.deepEqual(await send(), { next: 'failed', code: 'refused', seconds: 3600 });
    assert.match(String((await status()).problem?.error?.text), /status 403/);
    agency.behaviour.page = 502;
    await company.run((trx) => resumeSending(trx, ctx()));
    const step = await send();
    assert.ok(step.next === 'failed' && step.code === 'unreachable');
    agency.behaviour.page = null;
    await company.run((trx) => resumeSending(trx, ctx()));
    assert.equal((await send()).next, 'sent');
    const hashes = stored().map(({ hash }) => hash);
    assert.equal(new Set(hashes).size, hashes.length);
  });
});
