/** Accepts any attachment except programs, links to other places and archives that would fill a disk (decision 0185). */
import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import { invalidMember } from '../../../domain/errors.ts';
import { refusedByName } from '../../../domain/refused-files.ts';
import { inflatedSize } from './archive.ts';

/** Types of text files by extension, since they have no signature. HTML and SVG, which may contain scripts, are plain text here. */
const TEXTS: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.xml': 'application/xml',
  '.ics': 'text/calendar',
};
const PLAIN = 'text/plain';
const UNKNOWN = 'application/octet-stream';

/** Signatures of programs. */
const PROGRAM_TYPES: ReadonlySet<string> = new Set([
  'application/x-msdownload',
  'application/vnd.microsoft.portable-executable',
  'application/x-elf',
  'application/x-mach-binary',
  'application/x-msi',
  'application/java-vm',
  'application/java-archive',
  'application/wasm',
  'application/vnd.android.package-archive',
  'application/x-apple-diskimage',
  'application/x-ms-shortcut',
  'application/x.ms.shortcut',
  'application/x-deb',
  'application/x-rpm',
]);

const PROGRAM = ['program', 'must not be a program; put it into an archive if it must be kept'] as const;
const LINK = ['link', 'must not be a link to another place; put it into an archive if it must be kept'] as const;

/** The first line of a script. */
const SHEBANG = Buffer.from('#!');

/** Maximum inflated size of an archive, in bytes. */
const MAX_INFLATED_BYTES = 1024 ** 3;
/** Archives below this inflated size are accepted, however well they compress. */
const HARMLESS_BYTES = 100 * 1024 ** 2;
/** Repetitive files compress to a fortieth, bombs to a thousandth. */
const MAX_RATIO = 100;

/**
 * Detects a file's media type from its bytes, ignoring the type that the client sent.
 * @throws ServiceError validation_failed for an empty file, a program, a link, or an archive that inflates too much
 */
export async function detectContentType(name: string, content: Uint8Array): Promise<string> {
  if (content.length === 0) throw refused('too_short', 'must not be empty');
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const found = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime;
  assertHarmlessName(name, '/file');
  if (bytes.subarray(0, 2).equals(SHEBANG) || PROGRAM_TYPES.has(found ?? '')) throw invalidMember('/file', ...PROGRAM);
  await assertInflatable(bytes);
  // An XML signature does not tell the format, and SVG or XHTML may run scripts where it is shown.
  if (found !== undefined && found !== 'application/xml' && found !== 'image/svg+xml') return found;
  if (!isUtf8(bytes) || bytes.includes(0)) return UNKNOWN;
  return TEXTS[extname(name).toLowerCase()] ?? PLAIN;
}

/** Refuses a name that would make a program or a link of a file. @throws ServiceError validation_failed */
export function assertHarmlessName(name: string, pointer: string): void {
  const reason = refusedByName(name);
  if (reason === 'program') throw invalidMember(pointer, ...PROGRAM);
  if (reason === 'link') throw invalidMember(pointer, ...LINK);
}

async function assertInflatable(bytes: Buffer): Promise<void> {
  const size = await inflatedSize(bytes);
  if (size === null) return;
  const isBomb = size > HARMLESS_BYTES && size > bytes.length * MAX_RATIO;
  if (size > MAX_INFLATED_BYTES || isBomb) {
    throw refused('zip_bomb', 'must not inflate to more than a gigabyte, or to a hundred times its size');
  }
}

function refused(code: string, message: string) {
  return invalidMember('/file', code, message);
}
