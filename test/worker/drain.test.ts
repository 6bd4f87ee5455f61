import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { IllegalStateError, NativeConnection, Worker } from '@temporalio/worker';
import { describe, it } from 'mocha';
import { workflowBundle } from '../../worker/bundle.ts';
import { type Drainable, drainOn } from '../../worker/drain.ts';
import { useTemporal } from '../helpers/hooks.ts';
import { eventually, useTestRuntime } from '../helpers/worker.ts';

type State = ReturnType<Drainable['getState']>;

/** A worker that runs until it is told to stop, or fails by itself, and then ends in a state. */
class StubbornWorker implements Drainable {
  readonly #end: { readonly state: State; readonly error?: Error };
  readonly #ended = new EventEmitter();
  #state: State = 'INITIALIZED';

  constructor(end: { readonly state: State; readonly error?: Error }) {
    this.#end = end;
  }

  getState = () => this.#state;

  run = async () => {
    this.#state = 'RUNNING';
    await once(this.#ended, 'end');
    if (this.#end.error) throw this.#end.error;
  };

  shutdown = () => {
    this.#state = this.#end.state;
    this.#ended.emit('end');
  };
}

describe('draining workers', () => {
  const inUse = new IllegalStateError('Worker still in use: Expected 1 reference, but got 2');
  const drained = async (workers: readonly StubbornWorker[], failing?: StubbornWorker) => {
    const stop = new AbortController();
    const steps: string[] = [];
    const relay = async () => void steps.push(`relay stopped, workers ${workers.map((one) => one.getState())}`);
    const draining = drainOn(stop.signal, workers, relay, (error) => steps.push(String(error)));
    if (failing) failing.shutdown();
    else stop.abort();
    const error = await draining.then(
      () => null,
      (reason: unknown) => reason,
    );
    return { error, steps, states: workers.map((one) => one.getState()) };
  };

  it('stops the relay before the workers', async () => {
    const workers = [new StubbornWorker({ state: 'STOPPED' }), new StubbornWorker({ state: 'STOPPED' })];
    assert.deepEqual(await drained(workers), {
      error: null,
      steps: ['relay stopped, workers RUNNING,RUNNING'],
      states: ['STOPPED', 'STOPPED'],
    });
  });

  it('succeeds when all work was done before a worker could be taken apart', async () => {
    const workers = [new StubbornWorker({ state: 'STOPPED', error: inUse }), new StubbornWorker({ state: 'STOPPED' })];
    const { error, steps } = await drained(workers);
    assert.deepEqual([error, steps.at(-1)], [null, String(inUse)]);
  });

  it('stops all of them even if one fails, and says why', async () => {
    const failing = new StubbornWorker({ state: 'FAILED', error: new Error('out of memory') });
    const { error, states } = await drained([failing, new StubbornWorker({ state: 'STOPPED' })], failing);
    assert.match(String(error), /out of memory/);
    assert.deepEqual(states, ['FAILED', 'STOPPED']);
  });
});

describe('a worker that is stopped while an activity does not end', function () {
  this.timeout(60_000);
  const temporal = useTemporal();

  it('has ended when its time is over, and the process has not failed', async () => {
    useTestRuntime();
    const connection = await NativeConnection.connect({ address: temporal.address });
    let begun = () => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let end = () => {};
    const worker = await Worker.create({
      connection,
      namespace: temporal.namespace,
      taskQueue: 'stubborn',
      workflowBundle: await workflowBundle(),
      activities: {
        compareSchedules: () => {
          begun();
          return new Promise<void>((resolve) => {
            end = resolve;
          });
        },
      },
      shutdownGraceTime: 0,
      shutdownForceTime: 500,
    });
    await temporal.client.workflow.start('scheduleComparison', { workflowId: 'stubborn', taskQueue: 'stubborn' });
    const stop = new AbortController();
    const warned: unknown[] = [];
    const draining = drainOn(
      stop.signal,
      [worker],
      async () => {},
      (error) => warned.push(error),
    );
    await running;
    stop.abort();
    await draining;
    assert.equal(warned.length, 1, String(warned));
    end();
    await eventually(() => connection.close());
  });
});
