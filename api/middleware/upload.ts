/** Reads uploads: the raw bytes, or the part `file` of a form. */
import { createHash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';
import { invalidMember, ServiceError } from '../../domain/errors.ts';
import { isStorable } from '../../services/platform/validation/text.ts';

/** Rules for a file that a route accepts instead of JSON. */
export interface UploadRules {
  /** Accepted media types; ANYTHING accepts all. */
  readonly mediaTypes: readonly string[];
  /** Maximum bytes. */
  readonly limit: number;
}

export interface Upload {
  readonly mediaType: string;
  /** The client's file name; undefined if none was sent. */
  readonly name: string | undefined;
  readonly content: Uint8Array;
}

const FORM = 'multipart/form-data';
/** Stands for all media types. */
export const ANYTHING = '*/*';
/** Room for a form's boundaries and headers. */
const FORM_ROOM = 64 * 1024;
/** Media types by file extension, since browsers guess some from the installed programs. */
const TYPES_BY_ENDING: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ofx: 'application/x-ofx',
  qfx: 'application/x-ofx',
};

/**
 * Reads the uploaded file.
 * @throws ServiceError unsupported_media_type, body_too_large, bad_request, validation_failed if a form has no `file`
 */
export async function readUpload(http: KoaContext, rules: UploadRules): Promise<Upload> {
  const { mediaTypes, limit } = rules;
  const type = http.is([...mediaTypes, FORM]);
  if (typeof type !== 'string') throw unsupported(mediaTypes);
  const isReadable = mediaTypes.includes(ANYTHING) || /^(utf-?8)?$/i.test(http.request.charset);
  if (http.get('Content-Encoding') !== '' || !isReadable) throw unsupported(mediaTypes);
  if (type !== FORM) return { mediaType: type, name: undefined, content: await readBytes(http, limit) };
  return readFormFile(await readBytes(http, limit + FORM_ROOM), http.get('Content-Type'), rules);
}

/** Identifies the file by content and name, for the Idempotency-Key. */
export function fingerprint({ mediaType, content }: Upload): { mediaType: string; sha256: string } {
  return { mediaType, sha256: createHash('sha256').update(content).digest('hex') };
}

async function readBytes(http: KoaContext, limit: number): Promise<Uint8Array> {
  const tooLarge = () => new ServiceError('body_too_large', `A file may have at most ${limit} bytes`);
  if (Number(http.get('Content-Length') || 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of http.req) {
      size += (chunk as Buffer).length;
      if (size > limit) break;
      chunks.push(chunk as Buffer);
    }
  } catch (cause) {
    throw new ServiceError('bad_request', 'The body could not be read completely', { cause });
  }
  if (size > limit) throw tooLarge();
  return Buffer.concat(chunks);
}

async function readFormFile(
  body: Uint8Array,
  contentType: string,
  { mediaTypes, limit }: UploadRules,
): Promise<Upload> {
  let form: FormData;
  try {
    form = await new Response(body as Uint8Array<ArrayBuffer>, { headers: { 'Content-Type': contentType } }).formData();
  } catch (cause) {
    throw new ServiceError('bad_request', 'The form could not be read; send multipart/form-data with a part `file`', {
      cause,
    });
  }
  const file = form.get('file');
  if (!(file instanceof File)) throw invalidMember('/file', 'required', 'must be a file in the form');
  const ending = /\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
  const mediaType = [TYPES_BY_ENDING[ending], file.type.split(';')[0]].find(
    (type) => type && (mediaTypes.includes(type) || mediaTypes.includes(ANYTHING)),
  );
  if (mediaType === undefined) throw unsupported(mediaTypes);
  if (file.size > limit) throw new ServiceError('body_too_large', `A file may have at most ${limit} bytes`);
  return {
    mediaType,
    name: isStorable(file.name) ? file.name : undefined,
    content: new Uint8Array(await file.arrayBuffer()),
  };
}

function unsupported(mediaTypes: readonly string[]): ServiceError {
  return new ServiceError(
    'unsupported_media_type',
    `Send the file as ${mediaTypes.join(' or ')} (text in UTF-8, not compressed), or as multipart/form-data with a part "file"`,
  );
}
