/**
 * Fetches the Temporal CLI the way the SDK does: `node temporal-download.ts <folder> <version>`; its own process, so that it can be ended.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [downloadDir, version] = process.argv.slice(2);
if (downloadDir === undefined || version === undefined) throw new Error('usage: temporal-download <folder> <version>');
// The SDK downloads only on the way to starting a server.
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version } },
});
await environment.teardown();
