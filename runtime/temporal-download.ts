/**
 * Downloads the Temporal CLI like the SDK: `node temporal-download.ts <folder> <version>`. A separate process, so that it can be ended.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [downloadDir, version] = process.argv.slice(2);
if (downloadDir === undefined || version === undefined) throw new Error('usage: temporal-download <folder> <version>');
// The SDK downloads only when it starts a server.
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version } },
});
await environment.teardown();
