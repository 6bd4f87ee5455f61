import assert from 'node:assert/strict';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from './trade.ts';

const INVOICES = '/api/sales/invoices';

describe('dates of legal numbers', () => {
  const year = YEAR;
  const app = useApp();
  const trade = use(() => openTrade(app));

  const postDated = async (day: string) => {
    const lines = [{ description: 'Porte', quantity: 1, price: 5, taxGroupId: trade.taxGroupId }];
    const draft = await app.client.post(INVOICES, { partnerId: trade.customerId, date: `${year}-${day}`, lines });
    assert.equal(draft.status, 201, JSON.stringify(draft.body));
    const { status, headers, body } = await app.client.post(`${INVOICES}/${draft.body.data.id}/post`);
    assert.equal(status, 200);
    return { code: body.data.code as string, warning: headers.get('Warning') };
  };

  it('an invoice of an earlier period than the number before is posted with a warning, within the period without', async () => {
    assert.equal((await postDated('02-10')).warning, null);
    const last = await postDated('03-10');
    assert.equal(last.warning, null);
    assert.equal((await postDated('03-01')).warning, null, 'within the period nothing is said');
    const { code, warning } = await postDated('02-28');
    const before = last.code.replace(/.$/, (digit) => String(Number(digit) + 1));
    assert.equal(warning, `299 - "${code} is dated ${year}-02-28, before ${before} of ${year}-03-01"`);
    assert.equal((await postDated('02-28')).warning, null, 'dates go on from there');
  });
});
