/**
 * The baseline for deliveries: workflows with one empty activity, started like deliveries by the relay, in a worker with the same number
 * of slots. For each number that it reads, it starts that many and prints the milliseconds until the last activity has run.
 */
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import pMap from 'p-map';
import { pino } from 'pino';
import { v7 as uuid } from 'uuid';
import { installRuntime } from '../worker/logger.ts';
import { SLOTS } from '../worker/queues.ts';
import { WEBHOOKS_QUEUE } from '../workflows/integrations/webhooks/contract.ts';

const STARTS = 24;
const QUEUE = 'bare';

installRuntime(pino({ level: 'silent' }));
const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' });
const client = new Client({ connection });
let left = 0;
let done: () => void = () => undefined;
const worker = await Worker.create({
  connection,
  taskQueue: QUEUE,
  workflowsPath: fileURLToPath(new URL('./bare-workflow.ts', import.meta.url)),
  activities: {
    async nothing() {
      left -= 1;
      if (left === 0) done();
    },
  },
  ...SLOTS[WEBHOOKS_QUEUE],
});
const running = worker.run(); // Until the benchmark ends this process.
console.log('ready');
for await (const line of createInterface(process.stdin)) {
  const count = Number(line);
  left = count;
  const ended = new Promise<void>((resolve) => {
    done = resolve;
  });
  const started = performance.now();
  const start = () =>
    client.workflow.start('bare', { workflowId: uuid(), taskQueue: QUEUE, args: [], requestEagerStart: true });
  await pMap(Array.from({ length: count }), start, { concurrency: STARTS });
  await ended;
  console.log(performance.now() - started);
}
await running;
