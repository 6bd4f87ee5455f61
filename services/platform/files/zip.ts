/** ZIP archives in memory, by their directory: nothing is inflated until somebody reads a file. */
import { promisify } from 'node:util';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';

const open = promisify<Buffer, Options, ZipFile>(yauzl.fromBuffer);

/** Opens an archive. A file longer than the directory says ends in an error when it is read. @throws Error of what is no archive */
export async function openZip(bytes: Buffer): Promise<ZipFile> {
  return await open(bytes, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
}

/** The files of an archive, one by one; whoever has seen enough stops. @throws Error of a damaged directory */
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
