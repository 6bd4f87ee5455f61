/**
 * Reads the inflated size that an archive declares, without inflating anything. Office documents are ZIP archives too.
 */
import { openZip, zipEntries } from '../../platform/files/zip.ts';

/** `PK`: a local header, or the end record of an empty archive. */
const SIGNATURE = Buffer.from('PK');

/** Signature of gzip (RFC 1952, section 2.3.1). */
const GZIP_SIGNATURE = Buffer.from([0x1f, 0x8b]);

/** Maximum number of files listed, since each takes time; no document has nearly as many. */
const MAX_FILES = 100_000;

/**
 * Total inflated size of a ZIP archive or a gzip file, in bytes.
 * @returns null if it is not an archive or cannot be opened; infinity if it has too many files
 */
export async function inflatedSize(bytes: Buffer): Promise<number | null> {
  // The last four bytes are the size.
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
    // Whoever downloads it cannot open it either.
    return null;
  }
  return size;
}
