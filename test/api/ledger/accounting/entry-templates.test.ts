import assert from 'node:assert/strict';
import { TODAY, YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from './books.ts';

const PATH = '/api/entry-templates';
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

describe('templates of journal entries', () => {
  const app = useApp();
  const books = use(() => openBooks(app));
  let codes = 0;
  const template = (lines: readonly Data[], more: object = {}) => ({
    ...{ code: `T${++codes}`, name: 'Alquiler compartido', ...more },
    lines: lines.map(([code, side, percent, amount, rest]) => ({
      ...{ accountId: books.account(code), side, ...rest },
      ...(percent === null ? {} : { percent }),
      ...(amount === undefined ? {} : { amount }),
    })),
  });
  const shared: readonly Data[] = [
    ['621', 'debit', 70],
    ['621', 'debit', 30, undefined, { description: 'Tienda' }],
    ['572', 'credit', 100],
  ];
  const short = ({ lines }: Data) =>
    lines.map(({ accountCode, debit, credit }: Data) => `${accountCode} ${debit} ${credit}`);

  it('make drafts and posted entries of any amount', async () => {
    const { id } = await books.make(PATH, template(shared));
    const draft = await books.make<Data>(`${PATH}/${id}/enter`, { date: TODAY, amount: 100.01 });
    assert.deepEqual([draft.status, draft.description], ['draft', 'Alquiler compartido']);
    assert.deepEqual(short(draft), ['621 70.01 0', '621 30 0', '572 0 100.01']);
    assert.equal(draft.lines[1].description, 'Tienda');
    const body = { date: TODAY, amount: 50, post: true, description: 'Junio', reversesOn: `${YEAR}-12-31` };
    const posted = await books.make<Data>(`${PATH}/${id}/enter`, body);
    assert.deepEqual([posted.status, posted.description, posted.reversesOn], ['posted', 'Junio', `${YEAR}-12-31`]);
  });

  it('take an amount only where lines have percentages of it', async () => {
    const { id } = await books.make(PATH, template(shared));
    assertRefused(await app.client.post(`${PATH}/${id}/enter`, { date: TODAY }), '/amount');
    assertRefused(await app.client.post(`${PATH}/${id}/enter`, { date: TODAY, amount: 1.001 }), '/amount');
    const fixed = [
      ['621', 'debit', null, 12.5],
      ['572', 'credit', null, 12.5],
    ];
    const { id: own } = await books.make(PATH, template(fixed));
    assert.deepEqual(short(await books.make(`${PATH}/${own}/enter`, { date: TODAY })), ['621 12.5 0', '572 0 12.5']);
    assertRefused(await app.client.post(`${PATH}/${own}/enter`, { date: TODAY, amount: 1 }), '/amount');
  });

  it('are refused unless they balance, with lines that have one of both and accounts that can be used', async () => {
    const refused = async (lines: readonly Data[], pointer: string) =>
      assertRefused(await app.client.post(PATH, template(lines)), pointer);
    await refused([shared[0], shared[2]], '/lines');
    await refused(
      [
        ['621', 'debit', null],
        ['572', 'credit', 100],
      ],
      '/lines/0/percent',
    );
    await refused(
      [
        ['621', 'debit', 100, 5],
        ['572', 'credit', 100],
      ],
      '/lines/0/percent',
    );
    const unknown = template(shared);
    (unknown.lines[0] as Data).accountId = '0199f3b0-0000-7000-8000-000000000000';
    assertRefused(await app.client.post(PATH, unknown), '/lines/0/accountId');
  });

  it('name what their accounts require, and make nothing for a project that is closed since', async () => {
    await app.client.patch(`/api/accounts/${books.account('628')}`, { requires: 'project' });
    const light = (more: object) => template([['628', 'debit', 100, undefined, more], shared[2]]);
    assertRefused(await app.client.post(PATH, light({})), '/lines/0/projectId');
    const { id: projectId } = await books.make('/api/projects', { code: 'TPL', name: 'Fair' });
    const { id } = await books.make(PATH, light({ projectId }));
    assertRefused(await app.client.patch(`${PATH}/${id}`, { lines: light({}).lines }), '/lines/0/projectId');
    await books.make(`${PATH}/${id}/enter`, { date: TODAY, amount: 1 });
    await app.client.patch(`/api/projects/${projectId}`, { active: false });
    const answer = await app.client.post(`${PATH}/${id}/enter`, { date: TODAY, amount: 1 });
    assertProblem(answer, 422, 'validation_failed');
    const [{ pointer, message }] = answer.body.errors;
    assert.equal(pointer, '');
    assert.match(message, /^line 1 of T\d+: refers to project TPL, which is closed/);
  });

  it('keep what they refer to, and make nothing while they are inactive', async () => {
    const { id: costCenterId } = await books.make('/api/cost-centers', { code: 'TPL', name: 'Shop' });
    const lines = [['621', 'debit', 100, undefined, { costCenterId }], shared[2]];
    const { id } = await books.make(PATH, template(lines));
    assertProblem(await app.client.del(`/api/cost-centers/${costCenterId}`), 409, 'in_use');
    await app.client.patch(`${PATH}/${id}`, { active: false });
    const answer = await app.client.post(`${PATH}/${id}/enter`, { date: TODAY, amount: 1 });
    assertProblem(answer, 409, 'invalid_transition');
    assert.equal((await app.client.del(`${PATH}/${id}`)).status, 204);
    assert.equal((await app.client.del(`/api/cost-centers/${costCenterId}`)).status, 204);
  });
});
