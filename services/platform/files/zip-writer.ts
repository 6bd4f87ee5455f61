/** Writes ZIP archives of files that are in memory already. */
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

export interface ZippedFile {
  /** In ASCII, without folders. */
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Writes an archive in which the files stand as they are: PDFs and workbooks are compressed already.
 * @param modified the time of all files
 */
export async function writeZip(files: readonly ZippedFile[], modified: Date): Promise<Uint8Array> {
  const zip = new yazl.ZipFile();
  for (const { name, content } of files) {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    zip.addBuffer(bytes, name, { mtime: modified, compress: false });
  }
  zip.end();
  return await buffer(zip.outputStream);
}
