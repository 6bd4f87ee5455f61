/** Cost centers and projects of documents: where they come from, and when they take no more (decisions 0343 and 0344). */
import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertRefused } from '../../../helpers/problem.ts';
import { type Answered, openLines } from '../lines/line-lists.ts';

describe('cost centers and projects of documents', () => {
  const app = useApp();
  const shop = use(() => openLines(app));
  const centers: string[] = [];
  const [OWN, HEAD, ITEM, PARTNER, COMPANY] = [0, 1, 2, 3, 4] as const;
  let project = '';
  const change = async (path: string, body: object): Promise<Answered> => {
    const answer = await app.client.patch(path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const line = (more: object = {}) => ({ itemId: shop.itemId, quantity: 1, ...more });
  const draft = (more: object = {}, lines: object[] = [line()]) => shop.make('/api/sales/invoices', { ...more, lines });
  const follow = (path: string, body: object = {}) => shop.make(path, { partnerId: undefined, ...body });
  const stored = ({ lines }: Answered) => lines.map((one: Answered) => centers.indexOf(one.costCenterId));

  before(async () => {
    for (const code of ['OWN', 'HEAD', 'ITEM', 'PARTNER', 'COMPANY']) {
      centers.push((await shop.make('/api/cost-centers', { code, name: code, partnerId: undefined })).id);
    }
    project = (await shop.make('/api/projects', { code: 'OBRA', name: 'Obra' })).id;
    await change(`/api/items/${shop.itemId}`, { defaultCostCenterId: centers[ITEM] });
    await change(`/api/partners/${shop.customerId}`, {
      defaultCostCenterId: centers[PARTNER],
      defaultProjectId: project,
    });
    const set = await app.client.put('/api/config/accounting', { defaultCostCenterId: centers[COMPANY] });
    assert.equal(set.status, 200, JSON.stringify(set.body));
  });

  it('are those of the line, the document, the item, the partner and the company, in this order', async () => {
    const service = { description: 'Delivery', quantity: 1, price: 5, taxGroupId: shop.taxGroupId };
    const lines = [line({ costCenterId: centers[OWN] }), line(), service];
    assert.deepEqual(stored(await draft({ costCenterId: centers[HEAD] }, lines)), [OWN, HEAD, HEAD]);
    const made = await draft({}, lines);
    assert.deepEqual(stored(made), [OWN, ITEM, PARTNER]);
    assert.equal(made.lines[0].projectId, project);
    await change(`/api/partners/${shop.customerId}`, { defaultCostCenterId: null });
    assert.deepEqual(stored(await draft({}, lines)), [OWN, ITEM, COMPANY]);
    await change(`/api/cost-centers/${centers[ITEM]}`, { active: false });
    assert.deepEqual(stored(await draft({}, lines)), [OWN, COMPANY, COMPANY]);
    await change(`/api/cost-centers/${centers[ITEM]}`, { active: true });
  });

  it('follow the head of a draft that changes, where lines had its own or a default', async () => {
    const made = await draft({}, [line({ costCenterId: centers[OWN] }), line()]);
    const path = `/api/sales/invoices/${made.id}`;
    assert.deepEqual(stored(await change(path, { costCenterId: centers[HEAD] })), [OWN, HEAD]);
    assert.deepEqual(stored(await change(path, { notes: 'Call before' })), [OWN, HEAD]);
    assert.deepEqual(stored(await change(path, { costCenterId: null })), [OWN, ITEM]);
  });

  it('are taken along, and come back with what is credited', async () => {
    const order = await shop.make('/api/sales', { costCenterId: centers[HEAD], lines: [line({ quantity: 4 })] });
    const note = await follow(`/api/sales/${order.id}/deliver`);
    assert.deepEqual([stored(order), stored(note)], [[HEAD], [HEAD]]);
    const lines = [{ baseId: note.id, baseLineId: note.lines[0].id, quantity: 4 }];
    const invoice = await shop.posted({ costCenterId: centers[OWN], lines });
    assert.deepEqual(stored(invoice), [OWN]);
    await change(`/api/items/${shop.itemId}`, { defaultCostCenterId: centers[COMPANY] });
    const back = await follow(`/api/sales/invoices/${invoice.id}/rectify`, { reason: 'Returned' });
    assert.deepEqual(stored(back), [OWN]);
  });

  it('are refused once closed: in new lines, follow-ups and drafts from before, but not in corrections', async () => {
    const order = await shop.make('/api/sales', { projectId: project, lines: [line({ quantity: 2 })] });
    const posted = await shop.posted({ projectId: project, lines: [line()] });
    const other = await shop.posted({ projectId: project, lines: [line()] });
    const before = await draft({ projectId: project });
    await change(`/api/projects/${project}`, { active: false });
    const body = { partnerId: shop.customerId, lines: [line({ projectId: project })] };
    const refused = await app.client.post('/api/sales/invoices', body);
    assertRefused(refused, '/lines/0/projectId');
    assert.equal(refused.body.errors[0].code, 'closed_project');
    assert.match(refused.body.errors[0].message, /OBRA.*make it active again/);
    assert.equal((await app.client.post(`/api/sales/${order.id}/deliver`, {})).status, 422);
    assertRefused(await app.client.post(`/api/sales/invoices/${before.id}/post`, {}), '/lines/0/projectId');
    const back = await follow(`/api/sales/invoices/${posted.id}/rectify`, { reason: 'Returned' });
    assert.equal(back.lines[0].projectId, project);
    await follow(`/api/sales/invoices/${back.id}/post`);
    const named = { lines: [line({ quantity: -1, projectId: project })] };
    await shop.posted({ ...named, rectifies: other.id, reason: 'Too dear' });
    const fresh = await draft();
    assert.equal(fresh.lines[0].projectId, null);
    await change(`/api/projects/${project}`, { active: true });
    await follow(`/api/sales/invoices/${before.id}/post`);
  });
});
