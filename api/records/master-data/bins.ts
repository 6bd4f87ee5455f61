import { Type } from 'typebox';
import { DEFAULT_BIN_PATTERN } from '../../../domain/records/master-data/bins.ts';
import { integer, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { generateBins, MAX_BINS } from '../../../services/records/master-data/generate-bins.ts';
import { warehouses } from '../../../services/records/master-data/warehouses.ts';
import { defineRoute, type Route } from '../../route.ts';

const count = () => integer({ minimum: 1, maximum: MAX_BINS });

export const routes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/warehouses/:id/generate-bins',
    id: 'generateBins',
    summary: 'Generate the bins of a warehouse as zones',
    problems: ['invalid_transition', 'duplicate'],
    description: `At most ${MAX_BINS} bins in total. Existing codes are skipped, so a repetition creates nothing.`,
    tag: warehouses.tag,
    access: 'zones:create',
    params: Type.Object({ id: uuid() }),
    body: Type.Object({
      aisles: count(),
      racks: count(),
      levels: count(),
      positions: count(),
      pattern: Type.Optional(
        text({
          max: 200,
          description:
            `Pattern of the codes, by default ${DEFAULT_BIN_PATTERN}: aisles A … Z, AA …, the others numbers of at least ` +
            `two digits. Must give every bin its own code`,
        }),
      ),
    }),
    responses: { 201: Type.Object({ created: integer(), existing: integer() }) },
    async handler({ db, ctx, params, body }) {
      const { pattern, ...counts } = body;
      return { status: 201, body: await generateBins(db, ctx, params.id, counts, pattern) };
    },
  }),
];
