/** What rules for lines of bank statements would take; their other routes follow from their declaration. */
import { Type } from 'typebox';
import {
  MAX_PREVIEWED,
  MAX_SHOWN,
  PreviewBody,
  previewRules,
  rulesToPreview,
} from '../../services/bank/rules/preview.ts';
import { dataOf, flag, integer, nullable, text, uuid } from '../../services/validation/schemas.ts';
import { ok } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';
import { Line } from './schemas.ts';

const Report = Type.Object(
  {
    lines_checked: integer({ description: `Open lines that were looked at, latest first, at most ${MAX_PREVIEWED}` }),
    all_checked: flag({ description: 'Whether these are all open lines' }),
    unmatched: integer({ description: 'Lines that no rule would take' }),
    rules: Type.Array(
      Type.Object({
        rule_id: nullable(uuid({ description: 'null for a rule that is not stored yet' })),
        name: text({ min: 0 }),
        matched: integer({ description: 'How many of the lines the rule would take' }),
        lines: Type.Array(Line, { description: `The latest ${MAX_SHOWN}` }),
      }),
      { description: 'In their order; a line counts for the first rule that it fits' },
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
    summary: 'Show which open lines rules would take',
    problems: ['not_found'],
    description: 'Writes nothing: for a rule before it is stored, for one that is, or for all active ones together.',
    access: 'payments:read',
    body: PreviewBody,
    responses: { 200: dataOf(Report) },
    async handler({ db, body }) {
      return ok(await previewRules(db, await rulesToPreview(db, body)));
    },
  }),
];
