import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { openZip, zipEntries } from '../../../../services/platform/files/zip.ts';
import { writeZip } from '../../../../services/platform/files/zip-writer.ts';

const MODIFIED = new Date('2026-06-15T10:00:00Z');

describe('archives', () => {
  const read = async (bytes: Uint8Array) => {
    const zip = await openZip(Buffer.from(bytes));
    const open = promisify(zip.openReadStream.bind(zip)) as (entry: object) => Promise<NodeJS.ReadableStream>;
    const files: unknown[] = [];
    for await (const entry of zipEntries(zip)) {
      const content = await buffer((await open(entry)) as never);
      files.push([entry.fileName, content.toString(), entry.getLastModDate().toISOString()]);
    }
    return files;
  };

  it('have the files in their order, with their time', async () => {
    const all = Buffer.from('first second');
    // Views of a larger memory, as buffers often are.
    const files = [
      { name: 'b.txt', content: all.subarray(6) },
      { name: 'a.txt', content: new Uint8Array() },
    ];
    assert.deepEqual(await read(await writeZip(files, MODIFIED)), [
      ['b.txt', 'second', MODIFIED.toISOString()],
      ['a.txt', '', MODIFIED.toISOString()],
    ]);
    assert.deepEqual(await read(await writeZip([], MODIFIED)), []);
  });

  it('are the same bytes for the same files', async () => {
    const files = [{ name: 'a.txt', content: Buffer.from('a') }];
    assert.deepEqual(await writeZip(files, MODIFIED), await writeZip(files, MODIFIED));
  });
});
