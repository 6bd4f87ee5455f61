/** Sizes of ZIP archives, by their directory: nothing is inflated. Documents of office programs are such archives too. */
import { promisify } from 'node:util';
import yauzl from 'yauzl';

const openArchive = promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer);
/** `PK`, a local header or the end of an empty directory. */
const SIGNATURE = Buffer.from('PK');

/** More than any document has; each costs time to list. */
const MOST_FILES = 100_000;

/**
 * The bytes of all files of an archive together, inflated.
 * @returns null for what is no archive, or none that could be opened; infinity when it has more files than anyone needs
 */
export async function inflatedSize(bytes: Buffer): Promise<number | null> {
  if (!bytes.subarray(0, 2).equals(SIGNATURE)) return null;
  let zip: yauzl.ZipFile;
  try {
    zip = await openArchive(bytes, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
  } catch {
    // Whoever downloads it cannot open it either.
    return null;
  }
  return await new Promise((resolve) => {
    let size = 0;
    zip.on('entry', ({ uncompressedSize }: yauzl.Entry) => {
      size += uncompressedSize;
      if (zip.entriesRead > MOST_FILES) resolve(Number.POSITIVE_INFINITY);
      else zip.readEntry();
    });
    zip.on('end', () => resolve(size));
    zip.on('error', () => resolve(null));
    zip.readEntry();
  });
}
