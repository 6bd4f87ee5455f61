/**
 * Reads the inflated size that an archive declares, without inflating anything. Documents of office programs are ZIP
 * archives too.
 */
import { openZip, zipEntries } from '../../platform/files/zip.ts';

/** `PK`, a local header or the end of an empty directory. */
const SIGNATURE = Buffer.from('PK');

/** Signature of gzip (RFC 1952, section 2.3.1). */
const GZIP_SIGNATURE = Buffer.from([0x1f, 0x8b]);

/** Maximum files listed, well above any document's: each takes time. */
const MAX_FILES = 100_000;

/**
 * The bytes of all files of a ZIP archive together, inflated, or of what gzip has compressed.
 * @returns null for what is no archive, or none that could be opened; infinity when it has more files than anyone needs
 */
export async function inflatedSize(bytes: Buffer): Promise<number | null> {
  // The size stands in its last four bytes.
  if (bytes.length > 18 && bytes.subarray(0, 2).equals(GZIP_SIGNATURE)) return bytes.readUInt32LE(bytes.length - 4);
  if (!bytes.subarray(0, 2).equals(SIGNATURE)) return null;
  let size = 0;
  let files = 0;
  try {
    for await (const { uncompressedSize } of zipEntries(await openZip(bytes))) {
      size += uncompressedSize;
      files += 1;
      if (files > MAX_FILES) return Number.POSITIVE_INFINITY;
    }
  } catch {
    // Nobody who downloads it could open it either.
    return null;
  }
  return size;
}
