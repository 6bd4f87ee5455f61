/** Files behind signed links. */
import { Type } from 'typebox';
import { encryptionKeysOf } from '../../services/encryption/seal.ts';
import { readFile } from '../../services/files/files.ts';
import { assertLink } from '../../services/files/links.ts';
import { binary, integer, text, uuid } from '../../services/validation/schemas.ts';
import { defineRoute, type Route } from '../route.ts';

/** Of the year 9999. */
const LAST_SECOND = 253_402_300_799;

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/files/:id',
    id: 'getFile',
    summary: 'Download a file by a signed link',
    description: 'The link is the `result_url` of a task. It needs no token, belongs to one file, and expires with it.',
    tag: 'Tasks',
    access: 'public',
    params: Type.Object({ id: uuid() }),
    query: Type.Object({
      company: uuid({ description: 'The company that the file belongs to' }),
      expires: integer({
        minimum: 0,
        maximum: LAST_SECOND,
        description: 'Until when the link is valid, in seconds since 1970',
      }),
      signature: text({ description: 'Proof that the service has made the link' }),
    }),
    responses: { 200: binary('application/octet-stream') },
    problems: ['not_found'],
    async handler({ deps, params, query }) {
      const { company: tenantId, expires, signature } = query;
      assertLink(encryptionKeysOf(deps.config), { tenantId, fileId: params.id, expires, signature }, deps.now());
      const { name, contentType, content } = await readFile(deps.database.reader({ tenantId }), params.id);
      return {
        status: 200,
        body: content,
        headers: {
          'Content-Type': contentType,
          'Content-Disposition': `attachment; filename="${name}"`,
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        },
      };
    },
  }),
];
