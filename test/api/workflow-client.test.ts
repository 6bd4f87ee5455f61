import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorkflowClient, type WorkflowClient } from '../../api/workflow-client.ts';
import { loadConfig } from '../../config/index.ts';
import { isRunning } from '../../services/platform/temporal/start.ts';
import { reachTemporal } from '../../worker/connect.ts';
import { taskWorkflowId } from '../../workflows/platform/tasks/contract.ts';
import { use, useTemporal } from '../helpers/hooks.ts';
import { startProxy } from '../helpers/proxy.ts';
import { testCompanyNames } from '../helpers/servers.ts';
import { eventually, useTestRuntime } from '../helpers/worker.ts';

describe('what the API waits for at Temporal', function () {
  this.timeout(60_000);
  const temporal = useTemporal();
  const proxy = use(() => startProxy(temporal.address), { close: (running) => running.close() });
  const client: WorkflowClient = use(
    async () => {
      useTestRuntime();
      const config = loadConfig({
        TEMPORAL_ADDRESS: `${proxy.host}:${proxy.port}`,
        TEMPORAL_NAMESPACE: temporal.namespace,
      });
      // Registers the search attributes in the namespace, as workers do.
      await (
        await reachTemporal(
          { ...config.temporal, address: `${proxy.host}:${proxy.port}` },
          new AbortController().signal,
        )
      ).close();
      return createWorkflowClient(config, testCompanyNames());
    },
    { close: (connected) => connected.close() },
  );

  it('is waited for on the next connection when one is lost', async () => {
    const task = { tenantId: randomUUID(), taskId: randomUUID() };
    const awaited = client.awaitTask({ ...task, kind: 'import', title: 'Import' }, 20_000);
    const workflowId = taskWorkflowId(task);
    await eventually(async () => assert.ok(await isRunning(temporal.client, workflowId)));
    proxy.cut();
    await eventually(async () => assert.ok(await client.isUp()));
    await temporal.client.workflow.getHandle(workflowId).terminate();
    assert.equal(await awaited, true, 'it has ended');
  });

  it('is asked again while it restarts', async () => {
    const task = { tenantId: randomUUID(), taskId: randomUUID() };
    proxy.down();
    const awaited = client.awaitTask({ ...task, kind: 'import', title: 'Import' }, 20_000);
    await sleep(1500);
    assert.equal(await client.isUp(), false);
    proxy.up();
    const workflowId = taskWorkflowId(task);
    await eventually(async () => assert.ok(await isRunning(temporal.client, workflowId)));
    await temporal.client.workflow.getHandle(workflowId).terminate();
    assert.equal(await awaited, true);
  });

  it('is refused with the reason while there is no Temporal', async () => {
    await proxy.close();
    const document = {
      tenantId: randomUUID(),
      documentId: randomUUID(),
      docType: 'SINV',
      version: 1,
      code: null,
    } as const;
    await assert.rejects(client.renderDocumentPdf(document), {
      code: 'unavailable',
      message: 'PDFs cannot be rendered because Temporal does not answer; the document itself is safe',
    });
    assert.equal(await client.isUp(), false);
  });
});
