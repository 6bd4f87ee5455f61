/** Accepts any attachment except programs and archives that would fill a disk (decision 0185). */
import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import { invalidMember } from '../../../domain/errors.ts';
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

/** Extensions of files that a double click runs. */
const PROGRAM_ENDINGS: ReadonlySet<string> = new Set(
  (
    'apk app appx bat cmd com cpl deb dll dmg exe gadget hta jar js jse lnk msc ' +
    'msi msp pif pkg ps1 psm1 reg rpm run scr sh so sys vb vbe vbs wsf wsh'
  ).split(' '),
);
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
 * @throws ServiceError validation_failed for an empty file, a program, or an archive that inflates too much
 */
export async function detectContentType(name: string, content: Uint8Array): Promise<string> {
  if (content.length === 0) throw refused('too_short', 'must not be empty');
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const found = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime;
  // Windows ignores dots and blanks at the end.
  const ending = extname(name.replace(/[.\s]+$/u, '')).toLowerCase();
  if (PROGRAM_ENDINGS.has(ending.slice(1)) || bytes.subarray(0, 2).equals(SHEBANG) || PROGRAM_TYPES.has(found ?? '')) {
    throw refused('program', 'must not be a program; put it into an archive if it must be kept');
  }
  await assertInflatable(bytes);
  // An XML signature does not tell the format, and SVG or XHTML may run scripts where it is shown.
  if (found !== undefined && found !== 'application/xml' && found !== 'image/svg+xml') return found;
  if (!isUtf8(bytes) || bytes.includes(0)) return UNKNOWN;
  return TEXTS[ending] ?? PLAIN;
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
