import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { buildApp } from '../../api/app.ts';
import { use, useApp } from '../helpers/hooks.ts';
import { mainThreadCpu, slowness } from '../helpers/main-thread.ts';
import { type Stranger, strangers } from '../helpers/strangers.ts';

/** Milliseconds of the main thread that a stranger's request may take. */
const MAX_CPU_MS = 5;
/** Compiling, and collecting garbage, come on top now and then. */
const REPEATS = 12;
/** Node's parser goes through the 64 KB that it has read before anybody can stop it. */
const IN_CHUNKS = 2;
/** Other processes empty the caches of a busy machine: the same request then takes up to four times as long. */
const BUSY = 4;
const WARM_UP = 100;

/** Sends bytes on a connection of their own and tells the status of the answer, in a thread of its own: its work does not count. */
const CLIENT = `
  const { parentPort, workerData: port } = require('node:worker_threads');
  parentPort.on('message', (bytes) => {
    const socket = require('node:net').connect(port, '127.0.0.1');
    let status = 0;
    socket.on('data', (chunk) => { status ||= Number(chunk.toString('latin1', 9, 12)); });
    socket.on('error', () => undefined); // A body that is not read ends with a reset.
    socket.on('close', () => parentPort.postMessage(status));
    socket.write(bytes);
  });
`;

describe('requests of strangers', function () {
  this.timeout(600_000);
  const app = useApp();
  const client = use(() => new Worker(CLIENT, { eval: true, workerData: Number(new URL(app.address).port) }), {
    close: (worker) => worker.terminate(),
  });

  async function cost({ bytes }: Stranger): Promise<{ status: number; cpu: number }> {
    const answered = once(client, 'message');
    const before = mainThreadCpu();
    client.postMessage(bytes);
    const [status] = (await answered) as [number];
    return { status, cpu: mainThreadCpu() - before };
  }

  it('take the main thread for 5 ms at most, and never fail', async () => {
    const expensive: string[] = [];
    const failed: string[] = [];
    const statuses = new Map<number, number>();
    const all = [...strangers(buildApp(app.deps).routes)];
    for (const stranger of all.slice(0, WARM_UP)) await cost(stranger);
    for (const stranger of all) {
      const limit = BUSY * MAX_CPU_MS * slowness() * (stranger.name.endsWith('a byte a chunk') ? IN_CHUNKS : 1);
      let { status, cpu } = await cost(stranger);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500) failed.push(`${stranger.name}: ${status}`);
      for (let repeat = 0; repeat < REPEATS && cpu > limit; repeat += 1)
        cpu = Math.min(cpu, (await cost(stranger)).cpu);
      if (cpu > limit) expensive.push(`${stranger.name} → ${status}: ${cpu.toFixed(1)} ms`);
    }
    process.stdout.write(`    ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}\n`);
    assert.deepEqual({ expensive, failed }, { expensive: [], failed: [] });
  });
});
