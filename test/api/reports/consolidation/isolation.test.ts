/** Whoever may not read the accounting reports of a company learns nothing of it from those of its group. */
import assert from 'node:assert/strict';
import type { Answer, TestClient } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { addMember, type Member } from '../../../helpers/members.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { type Company, found, openGroup } from './group.ts';

const REPORTS = ['consolidated-balance-sheet', 'consolidated-pl', 'consolidated-trial-balance'];
const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('isolation of the companies of a group', () => {
  const app = useApp();
  let accountant: Member;
  const group = use(async () => {
    const opened = await openGroup(app);
    accountant = await addMember(app, 'accountant');
    await opened.subsidiary.entry('2026-01-01', { '572': 777, '100': -777 }, { kind: 'opening' });
    return opened;
  });
  const reports = (client: TestClient): Promise<Answer[]> =>
    Promise.all(REPORTS.map((name) => client.get(`/api/reports/${name}?to=2026-12-31`)));
  /** Makes the accountant of the parent a member of the subsidiary, at once since one person runs both. */
  const join = async ({ client }: Company, role: string): Promise<string> => {
    const { status, body } = await client.post('/api/memberships', { email: accountant.email, role });
    assert.equal(status, 201, JSON.stringify(body));
    return body.data.id;
  };

  it('refuses the reports to members of the parent who do not work in the subsidiary, or may not read its accounts', async () => {
    for (const answer of await reports(accountant.client)) {
      assertProblem(answer, 403, 'forbidden');
      assert.doesNotMatch(JSON.stringify(answer.body), /777/);
    }
    const id = await join(group.subsidiary, 'sales');
    for (const answer of await reports(accountant.client)) assertProblem(answer, 403, 'forbidden');
    await group.subsidiary.client.patch(`/api/memberships/${id}`, { role: 'viewer' });
    for (const answer of await reports(accountant.client)) assert.equal(answer.status, 200);
    // Their right ends with the membership, at the next call.
    await group.subsidiary.client.patch(`/api/memberships/${id}`, { active: false });
    for (const answer of await reports(accountant.client)) assertProblem(answer, 403, 'forbidden');
    await group.subsidiary.client.del(`/api/memberships/${id}`);
    for (const answer of await reports(accountant.client)) assertProblem(answer, 403, 'forbidden');
  });

  it('refuses them to API keys, which belong to one company', async () => {
    const { body } = await app.client.post('/api/api-keys', { name: 'All', role: 'admin' });
    for (const answer of await reports(app.as(body.data.key))) assertProblem(answer, 403, 'forbidden');
    const key = app.as(body.data.key);
    const row = { companyId: group.subsidiary.id, name: 'Key', joinedOn: '2026-01-01' };
    assertProblem(await key.post('/api/group-companies', row), 422, 'validation_failed');
  });

  it('lets nobody name a company in which they may not read accounts, or tell whether there is one', async () => {
    const row = { name: 'Foreign', joinedOn: '2026-01-01' };
    const messages: string[] = [];
    for (const companyId of [group.subsidiary.id, NOBODY, group.parent.id]) {
      const answer = await accountant.client.post('/api/group-companies', { ...row, companyId });
      assertProblem(answer, 422, 'validation_failed');
      messages.push(JSON.stringify(answer.body.errors));
    }
    assert.equal(new Set(messages).size, 1);
    const partner = { name: 'P', groupId: (await app.client.get('/api/partnerGroups')).body.data[0].id };
    for (const companyId of [group.subsidiary.id, NOBODY])
      assertProblem(await accountant.client.post('/api/partners', { ...partner, companyId }), 422, 'validation_failed');
    assertProblem(
      await app.client.post('/api/parent-companies', { companyId: NOBODY, name: 'Foreign' }),
      422,
      'validation_failed',
    );
  });

  it('lets nobody have it sent by what acts for somebody else', async () => {
    const schedule = { name: 'Group', report_name: 'consolidated_pl', cron: '0 6 * * *', recipients: [] };
    const { id } = await group.parent.make('/api/report-schedules', schedule);
    const admin = await addMember(app, 'admin');
    const path = `/api/report-schedules/${id}`;
    const recipients = [admin.email];
    assertProblem(await admin.client.patch(path, { recipients }), 403, 'forbidden');
    const own = await admin.client.post('/api/report-schedules', { ...schedule, report_name: 'pl', recipients });
    const changed = await admin.client.patch(`/api/report-schedules/${own.body.data.id}`, {
      report_name: 'consolidated_pl',
    });
    // Their own schedule runs with their own rights.
    assert.equal(changed.status, 200);
    assert.equal((await admin.client.post(`${path}/pause`)).status, 200);
    const rule = {
      name: 'R',
      trigger: { type: 'document.created', doc_type: 'SINV' },
      actions: [{ type: 'report.generate', report_name: 'consolidated_pl', recipients }],
    };
    const refused = await app.client.post('/api/automations', rule);
    assertProblem(refused, 422, 'validation_failed');
    assert.match(JSON.stringify(refused.body.errors), /report_name/);
  });

  it('includes a company only while it agrees', async () => {
    const { body } = await group.subsidiary.client.get('/api/parent-companies');
    assert.equal(body.data[0].companyId, group.parent.id);
    await group.subsidiary.client.del(`/api/parent-companies/${body.data[0].id}`);
    for (const answer of await reports(app.client)) assertProblem(answer, 409, 'invalid_transition');
    await group.subsidiary.make('/api/parent-companies', { companyId: group.parent.id, name: 'Matriz' });
    for (const answer of await reports(app.client)) assert.equal(answer.status, 200);
  });

  it('refuses accounts that stand on none of the parent, until they are mapped', async () => {
    const other = await found(app, 'Abroad', { chart: 'neutral' });
    await other.make('/api/parent-companies', { companyId: group.parent.id, name: 'Matriz' });
    const row = { companyId: other.id, name: 'Abroad', joinedOn: '2026-01-01' };
    const { id: groupCompanyId } = await group.parent.make('/api/group-companies', row);
    await other.entry('2026-01-01', { '572': 50, '100': -50 }, { kind: 'opening' });
    const refused = await app.client.get('/api/reports/consolidated-trial-balance?to=2026-12-31');
    assertProblem(refused, 409, 'invalid_transition');
    assert.match(refused.body.detail, /Abroad .*100, 572/);
    for (const [beginning, code] of [
      ['57', '570'],
      ['1', '113'],
    ] as const)
      await group.parent.make('/api/group-account-mappings', {
        ...{ groupCompanyId, beginning },
        accountId: group.parent.account(code),
      });
    const { data } = await group.parent.report('consolidated-trial-balance', 'to=2026-12-31');
    const { rows } = data as { rows: { code: string; amounts: number[] }[] };
    assert.deepEqual(rows.find(({ code }) => code === '570')?.amounts, [0, 50, 0, 0]);
    await app.client.del(`/api/group-companies/${groupCompanyId}`);
  });
});
