import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { Draining, endConnections } from '../../api/draining.ts';

describe('a process that is about to end', () => {
  it('ends a connection with the answer to a request that began before', async () => {
    const draining = new Draining();
    const app = new Koa().use(endConnections(draining)).use((http) => {
      if (http.path === '/last') draining.begin();
      http.body = 'answered';
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const ask = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    const connections = [(await ask('/')).headers.get('connection'), (await ask('/last')).headers.get('connection')];
    server.closeAllConnections();
    server.close();
    assert.deepEqual(connections, ['keep-alive', 'close']);
  });
});
