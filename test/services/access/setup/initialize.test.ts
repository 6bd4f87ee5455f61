import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { createTenant } from '../../../../services/access/companies/tenants.ts';
import { initialize, isInitialized } from '../../../../services/access/setup/initialize.ts';
import { replaceCompany } from '../../../../services/platform/settings/company.ts';
import { DEFAULT_SETTINGS } from '../../../../services/platform/settings/definitions.ts';
import { loadSettings, loadVersionedSettings } from '../../../../services/platform/settings/settings.ts';
import { COMPANY, emptySystem, OWNER, refusedWith, testSystem, UNLIMITED, useSystem } from '../sessions/helpers.ts';

describe('set-up', () => {
  it('runs once under concurrent calls', async () => {
    const { env, close } = await emptySystem();
    try {
      assert.equal(await isInitialized(env.database), false);
      const tries = await Promise.allSettled(
        [1, 2, 3, 4].map((n) => {
          const admin = { ...OWNER, email: `admin${n}@example.com` };
          return initialize(env, { company: { ...COMPANY, name: `Company ${n}` }, admin }, newId());
        }),
      );
      const codes = tries.map((one) => (one.status === 'fulfilled' ? 'created' : one.reason.code));
      assert.deepEqual(codes.sort(), ['already_initialized', 'already_initialized', 'already_initialized', 'created']);
      assert.equal(await isInitialized(env.database), true);
      const counts = await env.database.withSystem(async (trx) => [
        await trx('tenants').count().first(),
        await trx('users').count().first(),
      ]);
      assert.deepEqual(counts, [{ count: 1 }, { count: 1 }]);
    } finally {
      await close();
    }
  });

  it('leaves nothing behind if refused', async () => {
    const { env, close } = await emptySystem();
    try {
      const bad = [
        { company: COMPANY, admin: { ...OWNER, password: 'too short' } },
        { company: { ...COMPANY, fiscalYearStart: '02-30' }, admin: OWNER },
      ];
      for (const input of bad) await assert.rejects(initialize(env, input, 'test'), refusedWith('validation_failed'));
      assert.equal(await isInitialized(env.database), false);
    } finally {
      await close();
    }
  });

  it('gives a further company the same data, with its own fiscal year and slug', async () => {
    const system = await testSystem();
    try {
      const company = { ...COMPANY, taxId: 'PT501964843', fiscalYearStart: '07-01', country: 'PT' };
      const tenant = await system.run(async (trx) => {
        const made = await createTenant(trx, system.ctx, company, UNLIMITED);
        // Back in the scope of the request's company.
        const { rows } = (await trx.raw('select distinct tenant_id from series')) as { rows: { tenant_id: string }[] };
        assert.deepEqual(rows, [{ tenant_id: system.ctx.tenantId }]);
        return made;
      });
      assert.match(tenant.slug, /^frutas-garcia-[0-9a-f]{8}$/);
      const [span] = await system.rows(
        'select min("from") as first, max("to") as last, count(*) from periods',
        tenant.id,
      );
      assert.deepEqual(span, { first: '2025-07-01', last: '2026-06-30', count: 12 });
      const [series] = await system.rows(`select prefix from series where doc_type = 'SO'`, tenant.id);
      assert.deepEqual(series, { prefix: 'SO2025-' });
      const members = await system.rows('select user_id, role from memberships', tenant.id);
      assert.deepEqual(members, [{ user_id: system.ctx.userId, role: 'owner' }]);
    } finally {
      await system.close();
    }
  });

  describe('initial data', () => {
    const system = useSystem();
    const rows = (sql: string) => system.rows(sql, system.ctx.tenantId);

    it('contains taxes with their surcharges', async () => {
      assert.deepEqual(await rows('select code, rate, surcharge_rate as surcharge, kind from taxes order by rate'), [
        { code: 'IVA0', rate: '0.0000', surcharge: '0.0000', kind: 'exempt' },
        { code: 'IVA4', rate: '4.0000', surcharge: '0.5000', kind: 'vat' },
        { code: 'IVA10', rate: '10.0000', surcharge: '1.4000', kind: 'vat' },
        { code: 'IVA21', rate: '21.0000', surcharge: '5.2000', kind: 'vat' },
      ]);
    });

    it('contains units of measure', async () => {
      assert.deepEqual(
        (await rows('select code from uoms order by id')).map(({ code }) => code),
        ['UD', 'KG', 'L', 'M', 'CJ', 'BL', 'H'],
      );
    });

    it('contains groups of partners with their accounts', async () => {
      const groups = `select g.code, is_customer, is_vendor, r.code as receivable, p.code as payable from partner_groups g
        left join accounts r on r.id = receivable_account_id left join accounts p on p.id = payable_account_id order by 1`;
      assert.deepEqual(await rows(groups), [
        { code: 'CLI', is_customer: true, is_vendor: false, receivable: '430', payable: null },
        { code: 'PRO', is_customer: false, is_vendor: true, receivable: null, payable: '400' },
      ]);
    });

    it('contains a warehouse', async () => {
      assert.deepEqual(await rows('select name, is_default, active from warehouses'), [
        { name: 'Almacén principal', is_default: true, active: true },
      ]);
    });

    it('contains one series of each type for the year', async () => {
      assert.deepEqual(
        (
          await rows(
            `select concat_ws(' ', doc_type, rectifying, prefix, next_number, year, is_default) as s from series order by id`,
          )
        ).map(({ s }) => s),
        [
          'SQ f SQ2026- 1 2026 t',
          'SO f SO2026- 1 2026 t',
          'SDN f SDN2026- 1 2026 t',
          'SINV f SINV2026- 1 2026 t',
          'SINV t RSINV2026- 1 2026 t',
          'PR f PR2026- 1 2026 t',
          'PO f PO2026- 1 2026 t',
          'PDN f PDN2026- 1 2026 t',
          'PINV f PINV2026- 1 2026 t',
          'PINV t RPINV2026- 1 2026 t',
        ],
      );
    });

    it('contains the periods of the year', async () => {
      const periods = await rows('select code, "from", "to", status from periods order by code');
      assert.equal(periods.length, 12);
      assert.deepEqual(periods[1], { code: '2026-02', from: '2026-02-01', to: '2026-02-28', status: 'O' });
    });

    it('contains a chart of accounts', async () => {
      const accounts = await rows(
        `select a.code, a.type, p.code as parent from accounts a left join accounts p on p.id = a.parent_id
         where a.code in ('4', '47', '477', '47700021', '705') order by 1`,
      );
      assert.deepEqual(accounts, [
        { code: '4', type: 'asset', parent: null },
        { code: '47', type: 'liability', parent: '4' },
        { code: '477', type: 'liability', parent: '47' },
        { code: '47700021', type: 'liability', parent: '477' },
        { code: '705', type: 'income', parent: '70' },
      ]);
    });

    it('contains audit records by the owner', async () => {
      const logs = await rows('select entity_type, action, user_id from audit_logs order by entity_type');
      assert.deepEqual(
        logs.map((log) => [log.entity_type, log.action, log.user_id === system.ctx.userId]),
        ['Membership', 'Setting', 'Tenant', 'User'].map((type) => [type, 'CREATE', true]),
      );
    });
  });
});

describe('settings', () => {
  it('have defaults until set, and again if left out of a PUT', async () => {
    const system = await testSystem();
    try {
      for (const name of ['format', 'flags', 'branding'] as const) {
        // As JSON, that is without members that have no default, such as a logo.
        const defaults: unknown = JSON.parse(JSON.stringify(DEFAULT_SETTINGS[name]));
        assert.deepEqual(await system.run((trx) => loadSettings(trx, name)), defaults);
      }
      const put = (company: object, version: number | null = null) =>
        system.run((trx) => replaceCompany(trx, system.ctx, { ...COMPANY, ...company }, version));
      const first = await put({ name: 'Nuevas Frutas', city: 'Murcia', currency: 'USD' });
      assert.deepEqual(
        { version: first.version, city: first.value.city, currency: first.value.currency },
        { version: 2, city: 'Murcia', currency: 'USD' },
      );
      const tenants = () => system.rows('select name, tax_id, currency, country from tenants');
      assert.deepEqual(await tenants(), [
        { name: 'Nuevas Frutas', tax_id: 'B12345674', currency: 'USD', country: 'ES' },
      ]);
      const second = await put({ phone: '600000000' }, 2);
      assert.deepEqual(
        { city: second.value.city, currency: second.value.currency, phone: second.value.phone },
        { city: null, currency: 'EUR', phone: '600000000' },
      );
      assert.deepEqual(await tenants(), [
        { name: COMPANY.name, tax_id: COMPANY.taxId, currency: 'EUR', country: 'ES' },
      ]);
      await assert.rejects(put({}, 2), refusedWith('stale_version'));
      await assert.rejects(put({ fiscalYearStart: '13-01' }), refusedWith('validation_failed'));
      assert.deepEqual(await system.run((trx) => loadVersionedSettings(trx, 'company')), second);
    } finally {
      await system.close();
    }
  });
});
