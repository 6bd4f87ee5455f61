import assert from 'node:assert/strict';
import { Changes } from '../../../db/changes/changes.ts';
import { newId } from '../../../db/ids.ts';
import { User } from '../../../db/models/access/access.ts';
import { Webhook } from '../../../db/models/integrations/webhooks.ts';
import { CostCenter, Project } from '../../../db/models/records/master-data.ts';
import { insertRow, patchRow, removeRow, removeRowsWhere } from '../../../db/write.ts';
import { useCompany } from '../../helpers/hooks.ts';
import { untilBlocked } from '../../helpers/locks.ts';

describe('changes of rows', () => {
  const company = useCompany();

  const write = (change: (changes: Changes) => void) =>
    company.run(async (trx) => {
      const changes = new Changes(company.ctx);
      change(changes);
      await changes.write(trx);
    });
  const center = (code: string) => ({ code, name: code, active: true });
  const create = (codes: readonly string[]) =>
    write((changes) => {
      for (const code of codes) changes.create(CostCenter, center(code));
    });
  const centers = (prefix: string) =>
    company.run(async (trx) => await CostCenter.query(trx).where('code', 'like', `${prefix}_`).orderBy('code'));
  const audits = (ids: readonly string[]) =>
    company.rows(
      `select action, old_value ->> 'name' as old, new_value ->> 'name' as new, old_value ->> 'version' as before,
        new_value ->> 'version' as after
       from audit_logs where entity_id = any(?::uuid[]) order by action, coalesce(old_value, new_value) ->> 'code'`,
      [ids],
    );

  it('insert missing rows, with audit records for those only', async () => {
    const rows = ['A1', 'A2'].map(center);
    const make = (all: typeof rows) =>
      company.run((trx) => new Changes(company.ctx).createMissing(CostCenter, all, ['code']).write(trx, CostCenter));
    assert.deepEqual(
      (await make(rows)).map(({ code }) => code),
      ['A1', 'A2'],
    );
    const made = await make([...rows, center('A3')]);
    assert.deepEqual(
      made.map(({ code, version }) => ({ code, version })),
      [{ code: 'A3', version: 1 }],
    );
    assert.deepEqual(await make(rows), []);
    const all = await centers('A');
    const recorded = await audits(all.map(({ id }) => id));
    assert.deepEqual(
      recorded.map(({ action, new: name }) => ({ action, name })),
      ['A1', 'A2', 'A3'].map((name) => ({ action: 'CREATE', name })),
    );
    const [others] = await company.rows(
      `select count(*)::integer as n from audit_logs where entity_type = 'CostCenter' and new_value ->> 'code' like 'A_'`,
    );
    assert.equal(others?.n, 3);
  });

  it('repeat the transaction when somebody else inserts a row with a contested key first', async () => {
    const arrivals: (() => void)[] = [];
    const bothHaveRead = () =>
      new Promise<void>((resolve) => {
        arrivals.push(resolve);
        if (arrivals.length === 2) for (const go of arrivals) go();
      });
    const insert = () =>
      company.run(async (trx) => {
        const [known] = await CostCenter.query(trx).where({ code: 'Q1' });
        if (known !== undefined) return known.id;
        await bothHaveRead();
        const changes = new Changes(company.ctx).repeatIfTaken('cost_centers_code_key');
        const { id } = changes.create(CostCenter, center('Q1'));
        // The query may be the first to fail because of the write sent with it.
        await Promise.all([changes.write(trx), CostCenter.query(trx).limit(1)]);
        return id;
      });
    const [one, other] = await Promise.all([insert(), insert()]);
    assert.equal(one, other);
    assert.equal(arrivals.length, 2);
  });

  it('change many with an audit record each, or none when one was changed meanwhile', async () => {
    await create(['B1', 'B2', 'B3']);
    const [one, two, three] = await centers('B');
    assert.ok(one && two && three);
    await write((changes) => {
      changes.change(CostCenter, one, { name: 'One' });
      changes.change(CostCenter, two, { name: 'Two', active: false });
    });
    const changed = await centers('B');
    assert.deepEqual(
      changed.map(({ name, active, version }) => ({ name, active, version })),
      [
        { name: 'One', active: true, version: 2 },
        { name: 'Two', active: false, version: 2 },
        { name: 'B3', active: true, version: 1 },
      ],
    );
    assert.deepEqual(
      (await audits([one.id, two.id])).filter(({ action }) => action === 'UPDATE'),
      [
        { action: 'UPDATE', old: 'B1', new: 'One', before: '1', after: '2' },
        { action: 'UPDATE', old: 'B2', new: 'Two', before: '1', after: '2' },
      ],
    );
    await assert.rejects(
      write((changes) => {
        changes.change(CostCenter, three, { name: 'No' });
        changes.change(CostCenter, one, { name: 'No' });
      }),
      { code: 'unavailable' },
    );
    assert.equal((await centers('B'))[2]?.name, 'B3');
  });

  it('delete many with an audit record each, or none when one was changed meanwhile', async () => {
    await create(['C1', 'C2']);
    const rows = await centers('C');
    const [one, two] = rows;
    assert.ok(one && two);
    const stale = Object.assign(new CostCenter(), two, { version: 7 });
    await assert.rejects(
      write((changes) => changes.delete(CostCenter, one).delete(CostCenter, stale)),
      { code: 'unavailable' },
    );
    assert.equal((await centers('C')).length, 2);
    await company.run((trx) => removeRowsWhere(trx, company.ctx, CostCenter, { name: 'C1' }));
    await company.run((trx) => removeRow(trx, company.ctx, CostCenter, two));
    assert.deepEqual(await centers('C'), []);
    const recorded = await audits(rows.map(({ id }) => id));
    assert.deepEqual(
      recorded.filter(({ action }) => action === 'DELETE').map(({ old }) => old),
      ['C1', 'C2'],
    );
  });

  it('write and return amounts exactly, beyond what a JavaScript number holds', async () => {
    const values = { code: 'P1', name: 'P1', active: true, budget: '123456789012.123456' };
    const made = await company.run((trx) => insertRow(trx, company.ctx, Project, values as Partial<Project>));
    assert.equal(made.budget, '123456789012.123456');
    const budget = '999999999999.000001';
    const changed = await company.run((trx) =>
      patchRow(trx, company.ctx, Project, made, { budget } as Partial<Project>),
    );
    assert.equal(changed.budget, budget);
    const [stored] = await company.rows('select budget::text from projects where id = ?', [made.id]);
    assert.equal(stored?.budget, budget);
  });

  it('write bytes, lists and JSON, and return them as they are read', async () => {
    const filters = [{ field: 'data.name', operator: 'equals', value: 'a\\"b' }];
    const values = { name: 'Hook', url: 'https://a.test', events: ['partner.created', 'a,"b'], filters };
    const secretEncrypted = Buffer.from([0, 92, 255, 10]);
    const given = {
      ...values,
      secretEncrypted,
      headers: { 'X-A': '1' },
      retryPolicy: {},
    } as unknown as Partial<Webhook>;
    const made = await company.run((trx) => insertRow(trx, company.ctx, Webhook, given));
    const read = await company.run(async (trx) => await Webhook.query(trx).findById(made.id).throwIfNotFound());
    assert.deepEqual({ ...made }, { ...read });
    assert.deepEqual(made.secretEncrypted, secretEncrypted);
    assert.deepEqual({ events: made.events, filters: made.filters }, { events: values.events, filters });
    assert.equal(made.createdAt, company.ctx.now.toISOString());
    const next = await company.run((trx) => patchRow(trx, company.ctx, Webhook, made, { secretEncrypted: null }));
    assert.equal(next.secretEncrypted, null);
    assert.deepEqual(next.events, values.events);
  });

  it('keep what others change in a row without changing its version', async () => {
    const [one] = await company.run((trx) =>
      new Changes(company.ctx).createMissing(CostCenter, [center('D1')], ['code']).write(trx, CostCenter),
    );
    assert.ok(one);
    await company.rows(`update cost_centers set name = 'Other' where id = ? returning 1`, [one.id]);
    const next = await company.run((trx) => patchRow(trx, company.ctx, CostCenter, one, { active: false }));
    assert.deepEqual({ name: next.name, active: next.active }, { name: 'Other', active: false });
  });

  it('keep it also when others change it while they wait', async () => {
    const made = await company.run((trx) => insertRow(trx, company.ctx, CostCenter, center('F1')));
    let tries = 0;
    const waiting = await company.run(async (trx) => {
      await trx('cost_centers').where({ id: made.id }).update({ name: 'Other' });
      const patched = company.run((own) => {
        tries++;
        return patchRow(own, company.ctx, CostCenter, made, { active: false });
      });
      await untilBlocked(company.database);
      return { patched };
    });
    const next = await waiting.patched;
    assert.deepEqual({ name: next.name, active: next.active }, { name: 'Other', active: false });
    assert.equal(tries, 2);
    assert.equal((await audits([made.id])).length, 2);
  });

  it('write rows that belong to no company, with the audit record in the company of the user', async () => {
    const id = newId();
    const user = await company.run((trx) =>
      insertRow(trx, company.ctx, User, { id, email: 'eva@a.test', name: 'Eva', active: true }),
    );
    const changes = new Changes(company.ctx);
    const changed = changes.change(User, user, {}, { note: { passwordChangedAt: 'today' } });
    assert.equal(changed.version, 2);
    await company.run((trx) => changes.write(trx));
    const recorded = await company.rows(
      `select action, new_value ->> 'name' as name, new_value ->> 'passwordChangedAt' as note from audit_logs where entity_id = ?
        order by id`,
      [id],
    );
    assert.deepEqual(recorded, [
      { action: 'CREATE', name: 'Eva', note: null },
      { action: 'UPDATE', name: 'Eva', note: 'today' },
    ]);
    await assert.rejects(
      company.run((trx) => patchRow(trx, company.ctx, User, user, { name: 'Ada' })),
      { code: 'unavailable' },
    );
  });

  it('write nothing where nothing changes', async () => {
    const made = await company.run((trx) => insertRow(trx, company.ctx, CostCenter, center('E1')));
    const given = { name: 'E1', active: undefined } as unknown as Partial<CostCenter>;
    const same = await company.run((trx) => patchRow(trx, company.ctx, CostCenter, made, given));
    assert.equal(same, made);
    assert.equal((await audits([made.id])).length, 1);
  });
});
