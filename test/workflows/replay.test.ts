import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { workflowBundle } from '../../worker/bundle.ts';
import * as workflows from '../../workflows/index.ts';
import { recordedHistories, recordHistories } from '../helpers/histories.ts';
import { useTestRuntime } from '../helpers/worker.ts';

/** `UPDATE_HISTORIES=1 npx mocha test/workflows/replay.test.ts` records them anew after a change that `patched` cannot bridge. */
describe('recorded histories', function () {
  this.timeout(120_000);
  let present: WorkflowBundleOption;
  let broken: WorkflowBundleOption;

  before(async () => {
    useTestRuntime();
    if (process.env.UPDATE_HISTORIES) await recordHistories();
    present = await workflowBundle();
    const silent = () => undefined;
    broken = await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('./broken/index.ts', import.meta.url)),
      logger: { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent },
    });
  });

  it('there is one at least of each workflow', () => {
    const types = recordedHistories().map(({ history }) => {
      const { events } = history as {
        events: { workflowExecutionStartedEventAttributes: { workflowType: { name: string } } }[];
      };
      return events[0]?.workflowExecutionStartedEventAttributes.workflowType.name;
    });
    assert.deepEqual(new Set(types), new Set(Object.keys(workflows)));
  });

  for (const { name, history } of recordedHistories()) {
    it(`${name} is replayed by the present code`, async () => {
      await Worker.runReplayHistory({ workflowBundle: present }, history, name);
    });

    // An order that nothing has happened to: its lifecycle has decided nothing yet, so no code contradicts it.
    if (name === 'order-open') continue;
    it(`${name} is not replayed by code that does something else`, async () => {
      await assert.rejects(
        Worker.runReplayHistory({ workflowBundle: broken }, history, name),
        DeterminismViolationError,
      );
    });
  }
});
