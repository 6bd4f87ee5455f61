import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import { logCircuit, readable } from '../../worker/logger.ts';

const ABOUT = {
  taskToken: 'AAAA',
  workflowRunId: 'run',
  workflowId: 't/webhook/w/e',
  workflowType: 'webhookDelivery',
  activityType: 'deliverWebhook',
  attempt: 3,
  durationMs: 12,
};

describe("the worker's log", () => {
  it('writes a failure with a known reason in one line, without a stack', () => {
    const error = ApplicationFailure.create({
      message: 'Attempt 3 of 8 failed: HTTP 500',
      type: 'webhook_attempt_failed',
    });
    assert.deepEqual(readable('Activity failed', { ...ABOUT, error }), {
      message: 'deliverWebhook: Attempt 3 of 8 failed: HTTP 500',
      fields: { workflow_id: 't/webhook/w/e', attempt: 3, ms: 12 },
    });
  });

  it('writes the failure of a workflow with its reason', () => {
    const { activityType, attempt, durationMs, ...workflow } = ABOUT;
    assert.deepEqual(readable('Workflow failed', { ...workflow, error: new Error('Line 5, name: is required') }), {
      message: 'webhookDelivery: Line 5, name: is required',
      fields: { workflow_id: 't/webhook/w/e' },
    });
  });

  it('keeps the stack of unexpected failures', () => {
    const error = new TypeError('x is undefined');
    const line = readable('Activity failed', { ...ABOUT, error });
    assert.equal(line.message, 'deliverWebhook failed: x is undefined');
    assert.equal(line.fields.err, error);
  });

  it('leaves lines about anything but workflows unchanged', () => {
    assert.deepEqual(readable('Worker state changed', { state: 'RUNNING' }), {
      message: 'Worker state changed',
      fields: { state: 'RUNNING' },
    });
  });

  it('has one line for each change of a circuit, with the host alone', () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) });
    const webhook = { id: 'w', url: 'https://user:secret@shop.example.com/hook?token=1' };
    logCircuit(logger, webhook, { open: true, reason: '9 of the last 10 deliveries failed' });
    logCircuit(logger, webhook, { open: false, reason: '' });
    const about = { webhook_id: 'w', host: 'shop.example.com' };
    assert.deepEqual(lines, [
      {
        level: 40,
        ...about,
        msg: 'The circuit of shop.example.com opened (9 of the last 10 deliveries failed): deliveries wait, except for single trials',
      },
      { level: 30, ...about, msg: 'The circuit of shop.example.com closed: deliveries work again' },
    ]);
  });
});
