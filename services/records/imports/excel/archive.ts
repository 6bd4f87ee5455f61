/** ZIP archive of a workbook, opened by its directory and never inflated beyond the limits of a workbook. */
import { promisify } from 'node:util';
import type { Entry, ZipFile } from 'yauzl';
import { openZip, zipEntries } from '../../../platform/files/zip.ts';
import { badTable } from '../source.ts';
import { damaged } from './xml.ts';

/** Maximum inflated size of all parts together, in bytes; 100,000 rows with many columns need half of it. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_PARTS = 2000;
/** Repetitive rows compress to a fortieth, bombs to a thousandth. Small parts are exempt. */
const MAX_RATIO = 100;
const RATIO_FROM = 16 * 1024 * 1024;

export class Archive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Opens an archive. @throws BadTable invalid_excel, zip_bomb */
  static async open(content: Uint8Array): Promise<Archive> {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const entries = new Map<string, Entry>();
    try {
      const zip = await openZip(bytes);
      let total = 0;
      for await (const entry of zipEntries(zip)) {
        total += entry.uncompressedSize;
        if (total > MAX_BYTES || entries.size >= MAX_PARTS || isBomb(entry)) throw tooLarge();
        entries.set(entry.fileName.toLowerCase(), entry);
      }
      return new Archive(zip, entries);
    } catch (error) {
      throw toBadTable(error);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /** Streams the text of a part. @throws BadTable also if the part is longer than the directory says */
  async *read(name: string): AsyncGenerator<string> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw damaged();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    try {
      const stream = await promisify(this.#zip.openReadStream.bind(this.#zip) as OpenEntry)(entry);
      for await (const chunk of stream) yield decoder.decode(chunk as Buffer, { stream: true });
      yield decoder.decode();
    } catch (error) {
      throw toBadTable(error);
    }
  }
}

type OpenEntry = (entry: Entry, callback: (error: Error | null, stream: NodeJS.ReadableStream) => void) => void;

function isBomb({ uncompressedSize, compressedSize }: Entry): boolean {
  return uncompressedSize > RATIO_FROM && uncompressedSize > compressedSize * MAX_RATIO;
}

function tooLarge(): Error {
  return badTable(
    'zip_bomb',
    `inflates to more than ${MAX_BYTES / 1024 / 1024} MiB; send the rows in several files or as CSV`,
  );
}

/** Converts errors of yauzl, zlib and the decoder, which are always the file's fault. */
function toBadTable(error: unknown): unknown {
  return error instanceof Error && error.name === 'BadTable' ? error : damaged();
}
