import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { newId } from '../../../../db/ids.ts';
import { Webhook } from '../../../../db/models/integrations/webhooks.ts';
import * as plugins from '../../../../services/integrations/plugins/manage.ts';
import { createWebhook, rotateSecret } from '../../../../services/integrations/webhooks/manage.ts';
import { onlySecret, type StoredSecrets, signingSecrets } from '../../../../services/integrations/webhooks/secrets.ts';
import { loadPushKeys } from '../../../../services/messages/push/keys.ts';
import { rotateKeys } from '../../../../services/platform/encryption/rotate.ts';
import { certificatePlace, seal } from '../../../../services/platform/encryption/seal.ts';
import { addCompany, type TestCompany } from '../../../helpers/company.ts';
import { ENCRYPTION_KEY, NOW, POLICY } from '../../../helpers/deliveries.ts';
import { inherited } from '../../../helpers/environment.ts';
import { use, useDeliveries } from '../../../helpers/hooks.ts';
import { untilBlocked } from '../../../helpers/locks.ts';
import { status } from '../../../helpers/receiver.ts';

const NEXT_KEY = 'the key that comes next, 32 characters or more';
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Installs a plugin and rotates its secret: requests are signed with both secrets. */
async function pluginWithTwoSecrets({ run, ctx }: TestCompany): Promise<void> {
  const manifest = { name: 'Labels', version: '1.0.0', base_url: 'https://labels.example.com' };
  await run(async (trx) => {
    const scope = { trx, ctx, role: 'owner' as const };
    const { plugin } = await plugins.installPlugin(scope, POLICY, manifest);
    await plugins.rotateSecret(scope, POLICY, plugin.id, null);
  });
}

describe('secrets of webhooks and the keys that open them', function () {
  this.timeout(60_000);
  const bench = useDeliveries({ each: true });
  beforeEach(async () => {
    bench.receiver.answer('/', status(200));
  });

  const received = () => bench.receiver.received.length;
  const notices = () =>
    bench.company.rows(`select title, body from notifications where metadata ->> 'secret_error_of' is not null`);

  it('a secret that cannot be opened is reported at its webhook, and not retried endlessly', async () => {
    await bench.member('owner');
    const webhook = await bench.register('/', {
      secret: 'a secret of the receiver',
      retry_policy: { max_attempts: 2, retry_delay_seconds: [60] },
    });
    const plain = await bench.register('/plain');
    bench.receiver.answer('/plain', status(200));
    const event = await bench.event();
    bench.encryptionKeys = [NEXT_KEY];
    const first = await bench.attempt(webhook.id, event);
    assert.deepEqual([first.kind, first.kind === 'failed' && first.retryInSeconds], ['failed', 60]);
    const last = await bench.attempt(webhook.id, event);
    assert.deepEqual([last.kind, last.kind === 'failed' && last.retryInSeconds], ['failed', null]);
    assert.match(last.kind === 'failed' ? last.reason : '', /^The secret of the webhook cannot be opened/);
    assert.equal(received(), 0, 'nothing is sent unsigned');
    const log = await bench.log(webhook.id);
    assert.deepEqual(
      log.map((entry) => ({ status: entry.status, attempt: entry.attempt, http_status: entry.http_status })),
      [
        { status: 'failed', attempt: 1, http_status: null },
        { status: 'failed', attempt: 2, http_status: null },
      ],
    );
    assert.match(String(log[0]?.error), /cannot be opened, so that nothing can be signed/);
    const told = await notices();
    assert.equal(told.length, 1, 'once a day');
    assert.match(String(told[0]?.body), /rotate-secret/);
    // Others go on, and so does this one with its key.
    assert.equal((await bench.attempt(plain.id, event)).kind, 'delivered');
    bench.encryptionKeys = [NEXT_KEY, ENCRYPTION_KEY];
    assert.equal((await bench.attempt(webhook.id, await bench.event())).kind, 'delivered');
  });

  it('a secret that cannot be opened can be replaced', async () => {
    const webhook = await bench.register('/', { secret: 'a secret of the receiver' });
    const policy = { ...POLICY, encryptionKeys: [NEXT_KEY] };
    const { secret, previousUntil } = await bench.company.run((trx) =>
      rotateSecret(trx, bench.company.ctx, policy, webhook.id, null, null),
    );
    assert.equal(previousUntil, null);
    const stored = (await bench.company.run(async (trx) => Webhook.query(trx).findById(webhook.id))) as Webhook;
    assert.deepEqual(signingSecrets([NEXT_KEY], stored, new Date(NOW)), [secret]);
  });

  describe('when the key changes', () => {
    let admin: pg.Client;
    const other = use(() => addCompany(bench.company.database, bench.company.url), { each: true });
    beforeEach(async () => {
      admin = new pg.Client({ connectionString: bench.company.url });
      await admin.connect();
    });
    afterEach(() => admin.end());

    const register = (of: Omit<TestCompany, 'close'>, secret: string) =>
      of.run((trx) =>
        createWebhook(trx, of.ctx, POLICY, {
          name: 'w',
          url: `${bench.receiver.url}/`,
          events: ['document.created'],
          secret,
        }),
      );
    const storedSecrets = async (id: string, keys: readonly string[]) => {
      const { rows } = await admin.query<Pick<Webhook, 'id' | 'tenantId'> & StoredSecrets>(
        `select id, tenant_id as "tenantId", secret_encrypted as "secretEncrypted", retired_secrets_encrypted as "retiredSecretsEncrypted"
         from webhooks where id = $1`,
        [id],
      );
      const [stored] = rows;
      assert.ok(stored);
      return signingSecrets(keys, stored, new Date(NOW));
    };

    it('a secret that somebody replaces at the same time is kept', async () => {
      const { id, tenantId } = await register(bench.company, 'a secret that is replaced');
      await admin.query('begin');
      await admin.query('update webhooks set secret_encrypted = $2 where id = $1', [
        id,
        onlySecret([NEXT_KEY], { tenantId, id }, 'the new secret').secretEncrypted,
      ]);
      const rotated = rotateKeys(bench.company.database, [NEXT_KEY, ENCRYPTION_KEY]);
      await untilBlocked(bench.company.database);
      await admin.query('commit');
      const [webhooks] = await rotated;
      assert.deepEqual([webhooks?.sealed, webhooks?.changed], [0, 1]);
      assert.deepEqual(await storedSecrets(id, [NEXT_KEY]), ['the new secret']);
    });

    describe('and secrets, one of them lost, and answers are stored', () => {
      const stored = use(
        async () => {
          const { company } = bench;
          const mine = await register(company, 'the first secret of one');
          const theirs = await register(other, 'a secret of the other');
          const lost = await register(other, 'a secret that is lost');
          await company.run((trx) => rotateSecret(trx, company.ctx, POLICY, mine.id, 'the second secret', null));
          await pluginWithTwoSecrets(company);
          const place = JSON.stringify(['idempotency', company.ctx.tenantId, 'user:x', '/p', 'k']);
          await admin.query(
            `insert into idempotency_keys (tenant_id, caller, path, key, request_hash, status, body_sealed, created_at)
             values ($1, 'user:x', '/p', 'k', '', 201, $2, now())`,
            [company.ctx.tenantId, seal([ENCRYPTION_KEY], place, '{}')],
          );
          const certificateId = newId();
          await admin.query(
            `insert into verifactu_certificates (id, tenant_id, kind, holder, issuer, serial, valid_from, valid_until, sealed, created_at,
               updated_at)
             values ($1, $2, 'personal', 'x', 'x', '01', now(), now(), $3, now(), now())`,
            [
              certificateId,
              company.ctx.tenantId,
              seal([ENCRYPTION_KEY], certificatePlace({ tenantId: company.ctx.tenantId, id: certificateId }), '{}'),
            ],
          );
          await loadPushKeys(company.database, [ENCRYPTION_KEY]);
          const key = 'a key that nobody has any more, 32 characters';
          const { secretEncrypted } = onlySecret([key], { tenantId: other.ctx.tenantId, id: lost.id }, 's');
          await admin.query('update webhooks set secret_encrypted = $2 where id = $1', [lost.id, secretEncrypted]);
          return { mine, theirs, lost };
        },
        { each: true },
      );
      /** `npm run rotate-keys`, which fails because one cannot be opened. @returns what it says */
      async function rotateByCommand(): Promise<string> {
        const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', 'worker/rotate-keys.ts'], {
          cwd: ROOT,
          env: {
            ...inherited(),
            DATA_DIR: '/nowhere',
            DATABASE_URL: bench.company.url,
            ENCRYPTION_KEY: NEXT_KEY,
            ENCRYPTION_KEY_PREVIOUS: ENCRYPTION_KEY,
          },
        }).catch((failed: { code: number; stdout: string }) => {
          assert.equal(failed.code, 1, 'one cannot be opened');
          return failed;
        });
        return stdout;
      }

      it('everything stored is resealed, for all companies, and what cannot be opened is named', async () => {
        const { mine, theirs, lost } = stored;
        const said = await rotateByCommand();
        assert.match(said, /^secrets of webhooks: 2 sealed anew, 1 cannot be opened$/m);
        assert.match(said, new RegExp(`webhooks.secret_encrypted of ${other.ctx.tenantId} ${lost.id}$`, 'm'));
        assert.match(
          said,
          /^secrets of webhooks that still sign after a rotation: 1 sealed anew, 0 cannot be opened$/m,
        );
        assert.match(said, /^secrets of plugins: 1 sealed anew, 0 cannot be opened$/m);
        assert.match(said, /^secrets of plugins that still sign after a rotation: 1 sealed anew, 0 cannot be opened$/m);
        assert.match(said, /^keys of certificates: 1 sealed anew, 0 cannot be opened$/m);
        assert.match(said, /^private key of Web Push: 1 sealed anew, 0 cannot be opened$/m);
        assert.match(said, /^answers kept for Idempotency-Keys: 1 sealed anew, 0 cannot be opened$/m);
        assert.deepEqual(await storedSecrets(mine.id, [NEXT_KEY]), ['the second secret', 'the first secret of one']);
        assert.deepEqual(await storedSecrets(theirs.id, [NEXT_KEY]), ['a secret of the other']);
      });

      it('a second run finds nothing left to do', async () => {
        const rotate = async () =>
          (await rotateKeys(bench.company.database, [NEXT_KEY, ENCRYPTION_KEY])).map(({ sealed, unopened }) => {
            return { sealed, unopened: unopened.length };
          });
        const unopened = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        assert.deepEqual(
          await rotate(),
          [2, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1].map((sealed, index) => ({ sealed, unopened: unopened[index] })),
        );
        assert.deepEqual(
          await rotate(),
          unopened.map((count) => ({ sealed: 0, unopened: count })),
        );
      });
    });
  });
});
