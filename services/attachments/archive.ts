/** Sizes of ZIP archives, by their directory: nothing is inflated. Documents of office programs are such archives too. */
import { entriesOf, openZip } from '../archives/zip.ts';

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
  let size = 0;
  let files = 0;
  try {
    for await (const { uncompressedSize } of entriesOf(await openZip(bytes))) {
      size += uncompressedSize;
      files += 1;
      if (files > MOST_FILES) return Number.POSITIVE_INFINITY;
    }
  } catch {
    // Whoever downloads it cannot open it either.
    return null;
  }
  return size;
}
