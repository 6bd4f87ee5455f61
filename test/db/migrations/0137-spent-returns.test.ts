import assert from 'node:assert/strict';
import { migrate } from '../../../db/migrate.ts';
import { up } from '../../../db/migrations/0137-spent-returns.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { openTill } from '../../api/payments/till.ts';
import { use, useApp } from '../../helpers/hooks.ts';

describe('migration 0137', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));

  it('spends what came back and its return, and leaves credit of others', async () => {
    const [receipt, other] = [await till.paid(90, []), await till.paid(40, [])];
    const back = await till.cameBack(receipt);
    await connect(app.databaseUrl, (client) => client.query('update payments set applied_total = 0'), 30_000);
    for (const name of ['x-once', 'x-again']) await migrate(app.databaseUrl, [{ name, up }]);
    const credits = [];
    for (const path of [`in/${receipt}`, `out/${back.id}`, `in/${other}`]) {
      credits.push((await till.read(`/api/payments/${path}`)).credit);
    }
    assert.deepEqual(credits, [0, 0, 40]);
  });
});
