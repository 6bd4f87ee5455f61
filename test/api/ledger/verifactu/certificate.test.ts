import assert from 'node:assert/strict';
import { findEndingCertificates, warnOfCertificate } from '../../../../services/ledger/verifactu/certificate/expiry.ts';
import { startTestAgency } from '../../../helpers/agency.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PATH = '/api/verifactu/certificate';
const DAY_MS = 86_400_000;

describe('the certificate for the tax agency', () => {
  const app = useApp();
  const agency = use(() => startTestAgency(() => app.deps.now()), { close: (one) => one.close() });

  const put = (body: object) => app.client.put(PATH, body);
  const own = (more: object = {}) => agency.certificate({ taxId: 'B12345674', name: 'Almacenes Prueba SL', ...more });
  const fault = async (body: object, pointer: string, code: string) => {
    const answer = await put(body);
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual(
      answer.body.errors.map((one: { pointer: string; code: string }) => [one.pointer, one.code]),
      [[pointer, code]],
    );
  };

  it('does not exist at first', async () => {
    assertProblem(await app.client.get(PATH), 404, 'not_found');
    assertProblem(await app.client.del(PATH), 404, 'not_found');
  });

  it('is refused with what is wrong with the file', async () => {
    const { file, password } = own();
    await fault({ file, password: 'another' }, '/password', 'wrong_password');
    await fault({ file, password: '' }, '/password', 'wrong_password');
    await fault({ file: Buffer.from('no file').toString('base64'), password }, '/file', 'invalid_format');
    await fault({ file: file.slice(0, 400), password }, '/file', 'invalid_format');
    await fault({ ...own({ withoutKey: true }) }, '/file', 'no_key');
    await fault({ ...own({ fromDays: -10, days: -1 }) }, '/file', 'expired');
    await fault({ ...own({ fromDays: 2 }) }, '/file', 'not_valid_yet');
    assertProblem(await put({ file: '<not base64>', password }), 422, 'validation_failed');
    assertProblem(await put({ file: 'A'.repeat(70_000), password }), 422, 'validation_failed');
    assertProblem(await put({ file }), 422, 'validation_failed');
    assertProblem(await app.client.get(PATH), 404, 'not_found');
  });

  it('is shown without its key, whatever program has made it', async () => {
    for (const encryption of ['aes256', '3des'] as const) {
      const { status, body } = await put(own({ encryption }));
      assert.equal(status, 200, JSON.stringify(body));
      const { holder, holderTaxId, isOwn, issuer, kind, daysLeft } = body.data;
      assert.deepEqual(
        { holder, holderTaxId, isOwn, issuer, kind, daysLeft },
        {
          holder: 'Almacenes Prueba SL',
          holderTaxId: 'B12345674',
          isOwn: true,
          issuer: 'Autoridad de pruebas',
          kind: 'personal',
          daysLeft: 730,
        },
      );
    }
    const other = await put({ ...own({ taxId: 'A58818501' }), kind: 'seal' });
    assert.deepEqual([other.body.data.isOwn, other.body.data.kind], [false, 'seal']);
    const { body } = await app.client.get(PATH);
    assert.deepEqual(body, other.body);
  });

  it('leaves no secret in answers, the audit log and the database', async () => {
    await put(own({ password: 'zq-very-secret' }));
    const logs = await app.client.get('/api/audit-logs?limit=200');
    const shown = JSON.stringify([
      (await app.client.get(PATH)).body,
      logs.body,
      (await app.client.get('/api/verifactu')).body,
    ]);
    assert.ok(shown.includes('VerifactuCertificate'));
    const { rows } = await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw<{ rows: object[] }>("select c.*, encode(sealed, 'escape') as text from verifactu_certificates c"),
    );
    for (const text of [shown, JSON.stringify(rows)]) {
      assert.ok(!/PRIVATE KEY|zq-very-secret/.test(text));
    }
  });

  it('is for those who manage the company', async () => {
    const viewer = await addMember(app, 'viewer');
    const accountant = await addMember(app, 'accountant');
    assertProblem(await viewer.client.put(PATH, own()), 403, 'forbidden');
    assertProblem(await accountant.client.del(PATH), 403, 'forbidden');
  });

  it('is warned of before it ends, once', async () => {
    await put(own({ days: 8 }));
    const at = (days: number) => new Date(app.deps.now().getTime() + days * DAY_MS);
    const warn = async (now: Date) => {
      for (const { tenantId, certificateId } of await findEndingCertificates(app.database, now)) {
        const ctx = { tenantId, userId: null, actor: 'test', requestId: 'test', now };
        await app.database.withTenant(ctx, (trx) => warnOfCertificate(trx, ctx, certificateId));
      }
    };
    const titles = async () =>
      (await app.client.get('/api/notifications?limit=50')).body.data
        .map(({ title }: { title: string }) => title)
        .filter((title: string) => /certifica/.test(title));
    await warn(at(0));
    await warn(at(0.5));
    assert.equal((await titles()).length, 1);
    await warn(at(1.5));
    await warn(at(9));
    await warn(at(20));
    assert.equal((await titles()).length, 3);
  });

  it('can be removed', async () => {
    assert.equal((await app.client.del(PATH)).status, 204);
    assertProblem(await app.client.get(PATH), 404, 'not_found');
  });
});
