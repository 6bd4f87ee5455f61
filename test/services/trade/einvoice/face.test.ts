import assert from 'node:assert/strict';
import { loadConfig } from '../../../../config/index.ts';
import type { Context } from '../../../../db/context.ts';
import { exchangeWithFace } from '../../../../services/trade/einvoice/face/exchange.ts';
import {
  enterRegistration,
  requestCancellation,
  requestSending,
} from '../../../../services/trade/einvoice/face/request.ts';
import { lastSubmission } from '../../../../services/trade/einvoice/face/submissions.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { certify, issueInvoice, issueToTown, serveTown, startTestAgency } from '../../../helpers/agency.ts';
import { addOwner } from '../../../helpers/company.ts';
import { use, useCompany } from '../../../helpers/hooks.ts';
import { ENCRYPTION_KEY, eventually } from '../../../helpers/worker.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

describe('invoices to public bodies', function () {
  this.timeout(60_000);
  const company = useCompany();
  let seconds = 0;
  const now = () => new Date(company.ctx.now.getTime() + seconds * 1000);
  const ctx = (): Context => ({ ...company.ctx, now: now() });
  const agency = use(() => startTestAgency(now), { close: (one) => one.close() });

  const exchange = (more: object = {}) =>
    exchangeWithFace(
      {
        database: company.database,
        config: loadConfig({ ...agency.env, ...more }).face,
        encryptionKeys: [ENCRYPTION_KEY],
        store: null,
        maxTotalBytes: 1e9,
        now,
      },
      company.ctx,
    );
  const issue = () => issueToTown(company, now());
  const send = (id: string) => company.run((trx) => requestSending(trx, ctx(), id, {}));
  const last = async (id: string) => (await company.run((trx) => lastSubmission(trx, id))) ?? assert.fail();
  const refused = (work: Promise<unknown>, message: RegExp) => assert.rejects(work, { message });
  const events = async () =>
    (
      await company.rows(
        `select event, payload->>'status' as status from outbox where event like 'facturae.%' order by seq`,
      )
    ).map(({ event, status }) => `${event} ${status}`);
  /** Sends an invoice that FACe registers. */
  const registered = async () => {
    const id = await issue();
    await send(id);
    await exchange();
    assert.equal((await last(id)).status, 'registered');
    return id;
  };

  before(() => addOwner(company));

  it('need offices, an address and a certificate', async () => {
    const id = await issueInvoice(company, now());
    await assert.rejects(send(id), (error: { errors: { pointer: string }[] }) => {
      assert.deepEqual(
        error.errors.map(({ pointer }) => pointer),
        ['/partnerId', '/email'],
      );
      return true;
    });
    await serveTown(company);
    await refused(send(await issue()), /no valid certificate/);
    await certify(company, agency, now());
    assert.deepEqual(await exchange(), { did: 'nothing', seconds: null });
  });

  it('are signed, sent once, kept with the invoice, and followed until they are paid', async () => {
    const id = await issue();
    const { status } = await send(id);
    assert.equal(status, 'waiting');
    await refused(send(id), /already waits/);
    assert.deepEqual(await exchange(), { did: 'send', seconds: 600 });
    const sent = await last(id);
    assert.deepEqual([sent.status, sent.code, sent.errors], ['registered', 1200, null]);
    const [one] = agency.face.invoices;
    assert.deepEqual([one?.registryCode, one?.email], [sent.registryCode, 'facturas@ejemplo.es']);
    const [file] = await company.rows(
      'select f.content from attachments a join files f on f.entity_id = a.id where a.id = ?',
      [sent.fileId],
    );
    assert.equal(Buffer.from(file?.content as Uint8Array).toString(), one?.content);
    await refused(send(id), /FACe has it/);
    assert.deepEqual(await exchange(), { did: 'nothing', seconds: 600 });
    for (const [state, expected] of [
      ['received', 'registered'],
      ['accounted', 'accounted'],
      ['paid', 'paid'],
    ] as const) {
      agency.face.move(sent.number, state);
      seconds += DAY;
      assert.equal((await exchange()).did, 'follow');
      assert.equal((await last(id)).status, expected);
    }
    assert.deepEqual(await exchange(), { did: 'nothing', seconds: null });
    assert.deepEqual(await events(), [
      'facturae.sent registered',
      'facturae.updated accounted',
      'facturae.updated paid',
    ]);
  });

  it('are told of if they are refused or rejected, and may be sent again', async () => {
    const id = await issue();
    await send(id);
    agency.face.behaviour.status = 400;
    assert.deepEqual(await exchange(), { did: 'send', seconds: null });
    agency.face.behaviour.status = null;
    assert.deepEqual((await last(id)).errors, [{ code: '400', text: 'Servicio no disponible' }]);
    await send(id);
    await exchange();
    agency.face.move((await last(id)).number, 'rejected', 'Falta el expediente');
    seconds += HOUR;
    await exchange();
    const { status, comment } = await last(id);
    assert.deepEqual([status, comment], ['rejected', 'Falta el expediente']);
    await send(id);
    await exchange();
    assert.equal((await last(id)).status, 'registered');
    const told = (await events()).slice(3);
    assert.deepEqual(told, [
      'facturae.refused refused',
      'facturae.sent registered',
      'facturae.updated rejected',
      'facturae.sent registered',
    ]);
    await clear();
  });

  it('wait while FACe does not answer, and go as the same file', async () => {
    const id = await issue();
    await send(id);
    const nobody = { FACE_TEST_URL: 'https://127.0.0.1:1/providers' };
    assert.deepEqual(await exchange(nobody), { did: 'send', seconds: 60 });
    seconds += 60;
    agency.face.behaviour.status = 503;
    assert.deepEqual(await exchange(), { did: 'send', seconds: 120 });
    agency.face.behaviour.status = null;
    const { fileId, status, errors } = await last(id);
    assert.deepEqual([status, errors?.length], ['waiting', 1]);
    seconds += 120;
    await exchange();
    const sent = await last(id);
    assert.deepEqual([sent.status, sent.failures, sent.fileId], ['registered', 0, fileId]);
    await clear();
  });

  it('are not sent again where it is not known whether they arrived', async () => {
    const [lost, arrived] = [await issue(), await issue()];
    for (const [id, drop] of [
      [lost, 'before'],
      [arrived, 'after'],
    ] as const) {
      await send(id);
      agency.face.behaviour.drop = drop;
      await exchange();
      agency.face.behaviour.drop = null;
      assert.equal((await last(id)).status, 'uncertain');
    }
    assert.deepEqual(await exchange(), { did: 'nothing', seconds: null });
    await send(lost);
    await exchange();
    assert.equal((await last(lost)).status, 'registered');
    // It is there: sending it again would be a repetition.
    await send(arrived);
    await exchange();
    const { status, errors } = await last(arrived);
    assert.deepEqual([status, errors?.[0]?.code], ['refused', 'INVALID_INVOICE-105']);
    await clear();
  });

  it('are followed once somebody has found them', async () => {
    const id = await issue();
    await send(id);
    agency.face.behaviour.drop = 'after';
    await exchange();
    agency.face.behaviour.drop = null;
    const code = agency.face.invoices.at(-1)?.registryCode as string;
    await company.run((trx) => enterRegistration(trx, ctx(), id, code));
    await refused(
      company.run((trx) => enterRegistration(trx, ctx(), id, code)),
      /FACe has it/,
    );
    agency.face.move(code, 'accounted');
    await exchange();
    assert.equal((await last(id)).status, 'accounted');
    await clear();
  });

  it('count as uncertain if the worker dies while it sends one', async () => {
    const id = await issue();
    const { id: submission } = await send(id);
    await company.run((trx) =>
      trx.raw(`update face_submissions set status = 'sending', next_at = ? where id = ?`, [
        now().toISOString(),
        submission,
      ]),
    );
    assert.deepEqual(await exchange(), { did: 'give_up', seconds: null });
    assert.equal((await last(id)).status, 'uncertain');
  });

  it('are cancelled there if the public body agrees', async () => {
    const cancel = (id: string) => company.run((trx) => requestCancellation(trx, ctx(), id, 'Importe equivocado'));
    const [agreed, kept] = [await registered(), await registered()];
    for (const [id, answer] of [
      [agreed, true],
      [kept, false],
    ] as const) {
      assert.equal((await cancel(id)).cancellation, 'waiting');
      await refused(cancel(id), /asked for already/);
      assert.equal((await exchange()).did, 'cancel');
      const { cancellation, number } = await last(id);
      assert.equal(cancellation, 'asked');
      agency.face.answerCancellation(number, answer);
      seconds += HOUR;
      await exchange();
      await exchange();
    }
    const [first, second] = [await last(agreed), await last(kept)];
    assert.deepEqual([first.status, first.cancellation], ['annulled', 'accepted']);
    assert.deepEqual([second.status, second.cancellation], ['registered', 'refused']);
    await refused(cancel(agreed), /cancelled at FACe/);
    await clear();
  });

  it('lose no request to cancel that comes while their state is asked for', async () => {
    const id = await registered();
    seconds += HOUR;
    agency.face.behaviour.slowMs = 400;
    const following = exchange();
    await eventually(() => assert.match(agency.face.calls.at(-1) ?? '', /^GET/));
    await company.run((trx) => requestCancellation(trx, ctx(), id, 'Importe equivocado'));
    assert.equal((await following).did, 'follow');
    agency.face.behaviour.slowMs = 0;
    assert.equal((await last(id)).cancellation, 'waiting');
    assert.equal((await exchange()).did, 'cancel');
    assert.equal((await last(id)).cancellation, 'asked');
    await clear();
  });

  it('are asked for less and less often, and not for ever', async () => {
    const id = await registered();
    const { calls } = agency.face;
    const before = calls.length;
    for (let day = 0; day < 40; day += 1) {
      seconds += DAY;
      await exchange();
    }
    assert.equal(calls.length - before, 40);
    seconds += 800 * DAY;
    assert.deepEqual(await exchange(), { did: 'follow', seconds: null });
    assert.equal((await last(id)).status, 'registered');
  });

  it('are refused with the reason if they cannot be written any more', async () => {
    const id = await issue();
    await send(id);
    await company.run((trx) => cancelDocument(trx, ctx(), id, { ifMatch: null }));
    await exchange();
    const { status, errors } = await last(id);
    assert.equal(status, 'refused');
    assert.match(errors?.[0]?.text ?? '', /cancelled invoice/);
  });

  it('are told to people where they must do something', async () => {
    const rows = await company.rows('select title from notifications', []);
    const titles = rows.map(({ title }) => String(title).replace(/ \S+$/, ''));
    const count = (title: string) => titles.filter((one) => one === title).length;
    assert.deepEqual(
      ['FACe refuses invoice', 'It is not known whether FACe has invoice', 'The public body rejects invoice'].map(
        count,
      ),
      [3, 4, 1],
    );
    assert.equal(count('FACe refuses to cancel invoice'), 1);
    assert.equal(titles.length, 9);
  });

  /** Ends whatever is followed, for the next test. */
  async function clear(): Promise<void> {
    await company.run((trx) =>
      trx.raw(`update face_submissions set status = 'annulled', next_at = null where next_at is not null`),
    );
  }
});
