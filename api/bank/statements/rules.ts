/** Routes that preview rules for statement lines; their other routes follow from their declaration. */
import { Type } from 'typebox';
import {
  MAX_PREVIEWED,
  MAX_SHOWN,
  PreviewBody,
  previewRules,
  rulesToPreview,
} from '../../../services/bank/statements/rules/preview.ts';
import { dataBody, flag, integer, nullable, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { Line } from './schemas.ts';

const Report = Type.Object(
  {
    lines_checked: integer({ description: `Open lines examined, latest first, at most ${MAX_PREVIEWED}` }),
    all_checked: flag({ description: 'Whether these are all open lines' }),
    unmatched: integer({ description: 'Number of lines that match no rule' }),
    rules: Type.Array(
      Type.Object({
        rule_id: nullable(uuid({ description: 'null for a rule that is not stored yet' })),
        name: text({ min: 0 }),
        matched: integer({ description: 'Number of lines that match the rule' }),
        lines: Type.Array(Line, { description: `The latest ${MAX_SHOWN} lines` }),
      }),
      { description: 'In order; a line counts for the first rule that it matches' },
    ),
  },
  { title: 'BankRulePreviewReport' },
);

export const routes: Route[] = [
  defineRoute({
    tag: 'Bank statements',
    method: 'POST',
    path: '/api/bank-rules/preview',
    id: 'previewBankRules',
    whenFull: 'works',
    summary: 'Preview the open lines that rules match',
    problems: ['not_found'],
    description: 'Writes nothing. Previews a rule before it is stored, a stored one, or all active ones together.',
    access: 'payments:read',
    body: PreviewBody,
    responses: { 200: dataBody(Report) },
    async handler({ db, body }) {
      return ok(await previewRules(db, await rulesToPreview(db, body)));
    },
  }),
];
