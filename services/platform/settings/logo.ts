/** The company's uploaded logo. Its bytes are stored as a file, its metadata in the settings of company and branding. */

import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { invalidMember, notFound } from '../../../domain/errors.ts';
import { imageInfo } from '../../../domain/platform/images.ts';
import { FILE_COLUMNS, type FileRow, LOGO, putFile, type StoredFile, storedFile } from '../files/files.ts';
import { ImageRefused, redraw } from '../images/redraw.ts';
import type { UploadedLogo } from './definitions.ts';
import { loadSettings, replaceSettings } from './settings.ts';

/**
 * Checks that the image can be printed, by rendering it as for documents. This takes a moment, so call it without a connection.
 * @throws ServiceError validation_failed for anything that is not a printable image
 */
export async function assertPrintable(content: Uint8Array): Promise<void> {
  await redraw(content).catch((error: unknown) => {
    throw error instanceof ImageRefused ? invalidMember('/file', 'invalid_format', error.message) : error;
  });
}

/**
 * Replaces the logo. The image's type is detected from its bytes, whatever the client says.
 * @param content a printable image
 */
export async function uploadLogo(trx: Db, ctx: Context, content: Uint8Array): Promise<UploadedLogo> {
  const contentType = imageInfo(content)?.type ?? '';
  const logo: UploadedLogo = { contentType, size: content.length, uploadedAt: ctx.now.toISOString() };
  await setLogo(trx, ctx, logo);
  // A new image becomes a new file, because printed documents refer to the file that they show.
  await trx.raw('delete from files where kind = ?', [LOGO]);
  await putFile(trx, ctx, { kind: LOGO, name: LOGO, contentType, entityId: ctx.tenantId, entityVersion: 1, content });
  return logo;
}

/** Removes the logo. @throws ServiceError not_found if there is none */
export async function removeLogo(trx: Db, ctx: Context): Promise<void> {
  await readLogo(trx);
  await setLogo(trx, ctx, undefined);
  await trx.raw('delete from files where kind = ?', [LOGO]);
}

/** Reads the logo. @throws ServiceError not_found */
export async function readLogo(reader: Reader): Promise<StoredFile> {
  const file = await findLogo(reader);
  if (file === undefined) throw notFound('The logo');
  return file;
}

/** Finds the logo of the connection's tenant. */
export async function findLogo(reader: Reader): Promise<StoredFile | undefined> {
  const sql = `select ${FILE_COLUMNS} from files f where f.kind = :kind`;
  return (await prepared<FileRow>(reader, sql, { kind: LOGO })).map(storedFile)[0];
}

/** Updates both settings, so that their versions change with what is printed. */
async function setLogo(trx: Db, ctx: Context, logo: UploadedLogo | undefined): Promise<void> {
  await replaceSettings(trx, ctx, 'company', { ...(await loadSettings(trx, 'company')), logo });
  await replaceSettings(trx, ctx, 'branding', { ...(await loadSettings(trx, 'branding')), logo });
}
