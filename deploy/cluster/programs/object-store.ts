/** An object store with Amazon's S3 protocol, for a cluster on one machine: `node object-store.ts <folder> <port>`. */
import S3rver from 's3rver';

const [folder, port] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: object-store <folder> <port>');
const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  silent: true,
  directory: folder,
  configureBuckets: [{ name: 'attachments' }],
});
await server.run();
console.log(`Keeps objects in ${folder}`);
process.on('SIGTERM', () => process.exit(0));
