/** Opens ZIP archives in memory by their directory: nothing is inflated until a file is read. */
import { promisify } from 'node:util';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';

const open = promisify<Buffer, Options, ZipFile>(yauzl.fromBuffer);

/** Opens an archive. Reading a file that is longer than the directory says fails. @throws Error if it is not an archive */
export async function openZip(bytes: Buffer): Promise<ZipFile> {
  return await open(bytes, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
}

/** Yields the files of an archive one by one; the caller may stop early. @throws Error if the directory is damaged */
export async function* zipEntries(zip: ZipFile): AsyncGenerator<Entry> {
  const next = () =>
    new Promise<Entry | null>((resolve, reject) => {
      const settle = (then: () => void) => () => {
        zip.removeAllListeners();
        then();
      };
      zip.once('entry', (entry: Entry) => settle(() => resolve(entry))());
      zip.once(
        'end',
        settle(() => resolve(null)),
      );
      zip.once('error', (error: Error) => settle(() => reject(error))());
      zip.readEntry();
    });
  for (let entry = await next(); entry !== null; entry = await next()) yield entry;
}
