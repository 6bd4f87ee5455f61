/** Imports of declared resources from CSV and Excel files. */
import { Type } from 'typebox';
import { choice, dataBody, flag, integer, named, text } from '../../../services/platform/validation/schemas.ts';
import type { ImportMode } from '../../../services/records/imports/columns.ts';
import {
  dryRunReport,
  importable,
  importNow,
  inspectTable,
  MAX_ROWS_INLINE,
} from '../../../services/records/imports/import.ts';
import { TABLE_TYPES, type TableType } from '../../../services/records/imports/source.ts';
import { startImportTask } from '../../../services/records/imports/task.ts';
import { RESOURCES } from '../../../services/records/master-data/index.ts';
import { neededFor } from '../../../services/records/resources/fields.ts';
import { assertPermission } from '../../permission.ts';
import { TaskStarted, taskStarted } from '../../platform/tasks/started.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const MAX_BYTES = 20 * 1024 * 1024;

const report = Type.Object(
  {
    rows: integer(),
    created: integer(),
    updated: integer({ description: 'Found and changed' }),
    unchanged: integer({ description: 'Found unchanged, and not written' }),
    errors: Type.Array(
      Type.Object({
        line: integer({ description: 'The header is line 1' }),
        column: Type.Union([text(), Type.Null()]),
        code: text(),
        message: text(),
      }),
    ),
    error_count: Type.Optional(integer({ description: 'Only when not all are listed' })),
  },
  { title: 'ImportReport' },
);

const IMPORTABLE = RESOURCES.filter(({ parent }) => !parent).map(({ path }) => String(path.split('/').at(-1)));

const NEEDS: Readonly<Record<ImportMode, readonly ('create' | 'update')[]>> = {
  create: ['create'],
  update: ['update'],
  upsert: ['create', 'update'],
};

export const routes: Route[] = [
  defineRoute({
    tag: 'Imports',
    method: 'POST',
    path: '/api/import/:resource',
    id: 'importFile',
    summary: 'Import records from CSV or Excel',
    problems: ['forbidden', 'duplicate'],
    description: `Resources: ${IMPORTABLE.join(', ')}. The first line names the fields; rows are identified by \`id\` or code.
A reference is an id or a code. All rows are imported or none, unless \`partial\` is true; with \`dry_run\` nothing is kept
and the answer says what would happen. Refused rows are listed in \`errors\` (422).
Files with more than ${MAX_ROWS_INLINE} rows become a background task (202).`,
    access: 'member',
    params: Type.Object({ resource: named(IMPORTABLE, { description: 'Resource of the rows' }) }),
    query: Type.Object({
      mode: Type.Optional(
        choice(['create', 'update', 'upsert'], {
          default: 'create',
          description: 'Whether rows create records, change existing ones, or either',
        }),
      ),
      dry_run: Type.Optional(flag({ description: 'Saves nothing; the answer shows what would happen' })),
      partial: Type.Optional(flag({ description: 'Imports the good rows even if others are refused' })),
    }),
    upload: { mediaTypes: TABLE_TYPES, limit: MAX_BYTES },
    responses: {
      200: dataBody(report),
      202: TaskStarted,
    },
    async handler({ db, ctx, caller, params, query, body }) {
      const declaration = importable(params.resource);
      const { mode = 'create', dry_run: dryRun = false, partial = false } = query;
      for (const action of NEEDS[mode]) {
        assertPermission(caller, `${declaration.permission}:${action}`);
        const needed = neededFor(declaration, Object.keys(declaration.fields), action);
        for (const permission of needed) assertPermission(caller, permission);
      }
      const { mediaType, name, content } = body;
      const file = { type: mediaType as TableType, content };
      const options = { mode, dryRun, partial };
      let rows: number;
      try {
        rows = await inspectTable(db, ctx, declaration, file, mode);
      } catch (error) {
        if (!dryRun) throw error;
        return ok(dryRunReport(error));
      }
      if (rows > MAX_ROWS_INLINE) {
        const task = await startImportTask(db, ctx, {
          resource: params.resource,
          role: caller.role,
          permission: `${declaration.permission}:read`,
          name,
          file,
          options,
        });
        return taskStarted(task);
      }
      const scope = { trx: db, ctx, role: caller.role };
      return ok(await importNow(scope, declaration, file, options));
    },
  }),
];
