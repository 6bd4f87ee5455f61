/** The storage of a company by kind, and its budget. */
import { Type } from 'typebox';
import { STORAGE_KINDS } from '../../../domain/platform/storage.ts';
import { type KindUsage, readUsage } from '../../../services/operation/storage/usage.ts';
import { dataBody } from '../../../services/platform/validation/schemas.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const Bytes = (description: string) => Type.Integer({ description });

const Usage = Type.Object(
  {
    budget: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Bytes that the company may store in all; null for no limit',
    }),
    used: Bytes('Bytes that it stores'),
    full: Type.Boolean({ description: 'Whether requests that store something are refused (507 `storage_full`)' }),
    measured_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When rows were last measured; all other kinds are exact',
    }),
    kinds: Type.Array(
      Type.Object(
        {
          kind: Type.String({ enum: Object.keys(STORAGE_KINDS), description: 'What is stored' }),
          bytes: Bytes('Bytes'),
          items: Type.Integer({ description: 'Number of rows, files and so on' }),
          makes_room: Type.String({ description: 'What makes it less' }),
        },
        { title: 'StorageOfKind' },
      ),
      { description: 'By kind, the largest first' },
    ),
  },
  { title: 'StorageUsage' },
);

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/company/usage',
    id: 'getCompanyUsage',
    summary: 'What the company stores',
    description:
      'The bytes that the company stores, by kind, and its budget. Files, mails and kept answers are counted exactly; rows (without ' +
      'their indexes) are measured about once an hour, bodies of requests count in their place until then.',
    tag: 'Company',
    access: 'company:read',
    responses: { 200: dataBody(Usage) },
    examples: {
      answer: {
        budget: 10_737_418_240,
        used: 73_400_320,
        full: false,
        measured_at: '2026-03-31T08:15:00.000Z',
        kinds: [
          { kind: 'attachments', bytes: 73_400_320, items: 41, makes_room: STORAGE_KINDS.attachments },
        ] satisfies KindUsage[],
      },
    },
    handler: async ({ deps, ctx }) => ok(await readUsage(deps.database, ctx)),
  }),
];
