import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from '../../../deploy/cluster/cluster.ts';
import { createDatabases, databaseUrl, serverUrl } from '../../../deploy/cluster/databases.ts';
import type { ServerName } from '../../../deploy/cluster/place.ts';
import { freePort } from '../../../runtime/ports.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { eventually } from '../../helpers/worker.ts';

describe('the databases of a cluster', function () {
  this.timeout(120_000);
  let cluster: Cluster;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cluster-'));
    cluster = await Cluster.open(folder, await freePort(), () => undefined);
  });
  after(async () => {
    for (const name of ['postgres-1', 'postgres-2']) await cluster.kill(name);
    rmSync(folder, { recursive: true, force: true });
  });

  const numbers = (name: ServerName) =>
    connect(serverUrl(cluster.place, 'bms_owner', name), async (client) =>
      (await client.query('select n from numbers order by n')).rows.map(({ n }) => n),
    );
  const write = (n: number) =>
    connect(serverUrl(cluster.place, 'bms_owner', cluster.place.primary), (client) =>
      client.query('insert into numbers values ($1)', [n]),
    );

  it('follow each other: what the primary commits, the standby has', async () => {
    await assert.rejects(cluster.start('postgres-2'), /cannot follow postgres-1, which does not run/);
    await cluster.start('postgres-1');
    await createDatabases(cluster.place);
    await cluster.start('postgres-2');
    assert.match(
      databaseUrl(cluster.place, 'bms_service'),
      /^postgres:\/\/bms_service:[\w-]+@127[.\d]+:\d+,127[.\d]+:\d+\/bms$/,
    );
    await connect(serverUrl(cluster.place, 'bms_owner', 'postgres-1'), (client) =>
      client.query('create table numbers (n integer)'),
    );
    await write(1);
    await eventually(async () => assert.deepEqual(await numbers('postgres-2'), [1]));
  });

  it('go on without the standby, and with it when it has come back', async () => {
    await cluster.kill('postgres-2');
    await write(2);
    await cluster.start('postgres-2');
    await eventually(async () => assert.deepEqual(await numbers('postgres-2'), [1, 2]));
  });

  it('fail over to the standby, which the old primary then follows', async () => {
    await write(3);
    await cluster.failOver();
    assert.equal(cluster.place.primary, 'postgres-2');
    assert.equal(cluster.isRunning('postgres-1'), false, 'never two primaries');
    assert.deepEqual(await numbers('postgres-2'), [1, 2, 3], 'nothing that was committed is lost');
    await write(4);
    await cluster.start('postgres-1');
    await write(5);
    await eventually(async () => assert.deepEqual(await numbers('postgres-1'), [1, 2, 3, 4, 5]));
    await assert.rejects(
      connect(serverUrl(cluster.place, 'bms_owner', 'postgres-1'), (client) => client.query('delete from numbers')),
      /read-only/,
    );
  });

  it('keep ports and the primary for the next command, and know what runs', async () => {
    const again = await Cluster.open(folder, cluster.place.port('balancer'), () => undefined);
    assert.equal(again.place.primary, 'postgres-2');
    assert.equal(again.place.port('api-1'), cluster.place.port('api-1'));
    assert.equal(again.isRunning('postgres-2'), true);
    assert.equal(again.isRunning('api-1'), false);
    await assert.rejects(again.start('api-9'), /There is no part api-9: it must be one of postgres-2, postgres-1,/);
  });
});
