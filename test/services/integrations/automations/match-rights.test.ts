import assert from 'node:assert/strict';
import { READ_PERMISSIONS } from '../../../../domain/permissions.ts';
import { matchRules } from '../../../../services/integrations/automations/match.ts';
import { neededToSee, type Subject } from '../../../../services/integrations/automations/subject.ts';
import { openTrade } from '../../../api/trade/documents/trade.ts';
import { NOW } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';

const EVERYTHING = new Set<string>(READ_PERMISSIONS);

describe('rules of people who may not read a record', () => {
  const app = useApp();

  /** The names of the rules that an order matches, for somebody with these permissions. */
  async function matching(permissions: ReadonlySet<string>): Promise<string[]> {
    const { customerId, itemId } = await openTrade(app);
    const order = await app.client.post('/api/sales', { partnerId: customerId, lines: [{ itemId, quantity: 1 }] });
    const rules = [
      { id: 'true', conditions: [{ field: 'document.docType', operator: 'equals', value: 'SO' } as const] },
      { id: 'false', conditions: [{ field: 'document.docType', operator: 'equals', value: 'PO' } as const] },
      { id: 'none', conditions: [] },
    ].map((rule) => ({ ...rule, forEach: null, runsAs: app.userId, actor: null }));
    const cause = {
      key: 'test',
      eventId: null,
      documentId: order.body.data.id as string,
      paymentId: null,
      event: { name: 'document.created' },
      depth: 0,
    };
    const matches = await app.database.readTenant(app, (db) =>
      matchRules(db, cause, rules, async () => permissions, NOW),
    );
    return matches.map(({ automation }) => automation.id);
  }

  it('do not tell by running whether their conditions hold', async () => {
    assert.deepEqual(await matching(EVERYTHING), ['true', 'none']);
    const without = new Set([...EVERYTHING].filter((permission) => permission !== 'sales_orders:read'));
    assert.deepEqual(await matching(without), ['true', 'false', 'none']);
  });

  it('need the permissions to read all records in their data', () => {
    const about = (subject: object) => neededToSee({ company: {}, event: {}, ...subject } as Subject);
    assert.deepEqual(about({}), []);
    assert.deepEqual(about({ document: { docType: 'PINV' } }), ['purchase_invoices:read', 'partners:read']);
    assert.deepEqual(about({ payment: { direction: 'in' } }), ['payments_in:read', 'partners:read']);
    assert.deepEqual(about({ item: {} }), ['items:read']);
    assert.deepEqual(about({ partner: {} }), ['partners:read']);
  });
});
