import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '../../../domain/platform/images.ts';
import { replaceCompany } from '../../../services/platform/settings/company.ts';
import { assertPrintable, readLogo, removeLogo, uploadLogo } from '../../../services/platform/settings/logo.ts';
import { loadVersionedSettings } from '../../../services/platform/settings/settings.ts';
import { binary, dataBody } from '../../../services/platform/validation/schemas.ts';
import { noContent, ok, settings } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { companyInputSchema, companySchema, logoSchema } from './company-schemas.ts';

const TAG = 'Company';
const LOGO = '/api/company/logo';
/** Drawings opened directly run no scripts and fetch nothing. */
const INERT = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/company',
    id: 'getCompany',
    summary: 'The company of the request',
    description: 'The data printed on its documents, and its currency.',
    whole: true,
    tag: TAG,
    access: 'company:read',
    responses: { 200: companySchema },
    headers: ['ETag'],
    handler: async ({ reader, ctx }) => settings(ctx, await loadVersionedSettings(reader, 'company')),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/company',
    id: 'replaceCompany',
    whenFull: 'reserve',
    summary: 'Replace the data of the company',
    problems: ['in_use', 'duplicate'],
    description: 'Members left out return to their defaults.',
    tag: TAG,
    access: 'company:update',
    // Unlike that of a new company, it may repeat members that were read.
    body: companyInputSchema,
    responses: { 200: companySchema },
    headers: ['ETag'],
    handler: async ({ db, ctx, body, ifMatch }) => settings(ctx, await replaceCompany(db, ctx, body, ifMatch)),
  }),
  defineRoute({
    method: 'GET',
    path: LOGO,
    id: 'getCompanyLogo',
    summary: 'The uploaded logo of the company',
    problems: ['not_found'],
    description: 'The image in its own type.',
    tag: TAG,
    access: 'member',
    responses: { 200: binary('image/*') },
    async handler({ reader }) {
      const { contentType, content } = await readLogo(reader);
      return { status: 200, body: content, headers: { 'Content-Type': contentType, ...INERT } };
    },
  }),
  defineRoute({
    method: 'PUT',
    path: LOGO,
    id: 'uploadCompanyLogo',
    summary: 'Upload the logo of the company',
    description:
      'PNG, JPEG, GIF, WebP or SVG, detected from the bytes, of at most 1 MiB and 16 million pixels. It is printed instead of ' +
      '`logoUrl`. PDFs of documents posted before stay as they are.',
    tag: TAG,
    access: 'company:update',
    upload: { mediaTypes: [...IMAGE_TYPES, 'application/octet-stream'], limit: MAX_IMAGE_BYTES },
    responses: { 200: dataBody(logoSchema) },
    transaction: 'none',
    async handler({ deps, ctx, body }) {
      const { content } = body;
      await assertPrintable(content);
      return ok(await deps.database.withTenant(ctx, (trx) => uploadLogo(trx, ctx, content)));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: LOGO,
    id: 'deleteCompanyLogo',
    summary: 'Delete the uploaded logo of the company',
    problems: ['not_found'],
    description: 'Documents print `logoUrl` again.',
    tag: TAG,
    access: 'company:update',
    responses: { 204: null },
    async handler({ db, ctx }) {
      await removeLogo(db, ctx);
      return noContent();
    },
  }),
];
