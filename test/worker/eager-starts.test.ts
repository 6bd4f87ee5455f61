import assert from 'node:assert/strict';
import type { WorkflowStartInput } from '@temporalio/client';
import { eagerStarts } from '../../worker/eager-starts.ts';
import { searchAttributes } from '../../workflows/platform/search-attributes/contract.ts';

describe('eager starts', () => {
  const { start } = eagerStarts([{ options: { taskQueue: 'documents', buildId: 'b1' } }]);
  const on = (taskQueue: string) =>
    ({
      workflowType: 'w',
      options: { taskQueue, typedSearchAttributes: searchAttributes({ tenantId: 't' }) },
    }) as never;
  /** Returns what a start sends to the server, which may refuse it. */
  async function passed(taskQueue: string, refuse: (given: string) => void = () => undefined, through = start) {
    const asked: { eager: unknown; attributes: string }[] = [];
    await through(on(taskQueue), async ({ options }: WorkflowStartInput) => {
      const attributes = JSON.stringify(options.typedSearchAttributes);
      asked.push({ eager: options.requestEagerStart, attributes });
      refuse(attributes);
      return 'run';
    });
    return asked;
  }

  it('request the first task on their own queues, and name the build that works on it', async () => {
    const [asked] = await passed('documents');
    assert.equal(asked?.eager, true);
    assert.match(String(asked?.attributes), /"TenantId".*"BuildIds".*\["unversioned","unversioned:b1"\]/);
  });

  it('leave starts on the queues of other processes as they are', async () => {
    const [asked] = await passed('webhooks');
    assert.equal(asked?.eager, undefined);
    assert.doesNotMatch(String(asked?.attributes), /BuildIds/);
  });

  it('continue without naming a build when the server refuses it', async () => {
    const { start: own } = eagerStarts([{ options: { taskQueue: 'documents', buildId: 'b1' } }]);
    const refuse = (given: string) => {
      if (!given.includes('BuildIds')) return;
      throw new Error('failed', { cause: new Error("BuildIds attribute can't be set in SearchAttributes") });
    };
    assert.deepEqual(
      (await passed('documents', refuse, own)).map(({ attributes }) => attributes.includes('BuildIds')),
      [true, false],
    );
    assert.deepEqual(
      (await passed('documents', refuse, own)).map(({ eager, attributes }) => [eager, attributes.includes('BuildIds')]),
      [[true, false]],
    );
  });

  it('hide no other refusal', async () => {
    const refuse = () => {
      throw new Error('Temporal is away');
    };
    await assert.rejects(passed('documents', refuse), /Temporal is away/);
  });
});
