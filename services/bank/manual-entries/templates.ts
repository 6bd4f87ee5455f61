/** Enters journal entries by a template. */
import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { EntryTemplate } from '../../../db/models/ledger/accounting.ts';
import { findRow } from '../../../db/queries/find.ts';
import { invalidMember, notFound, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { needsAmount, templateAmounts } from '../../../domain/ledger/accounting/entry-template.ts';
import { decimal, decimalPlaces, toNumber } from '../../../domain/money.ts';
import type { EntryAnswer } from '../../ledger/accounting/read.ts';
import { EntryCreate } from '../../ledger/accounting/schemas.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { amount, type Input, nullable } from '../../platform/validation/schemas.ts';
import { createEntry } from './manual.ts';

const { date, description, reversesOn, post } = EntryCreate.properties;

export const TemplateEntry = Type.Object(
  {
    date,
    amount: Type.Optional(
      nullable(
        amount({
          exclusiveMinimum: 0,
          description:
            'The amount of which lines take percentages; required if there are such lines, and not allowed otherwise',
        }),
      ),
    ),
    description,
    reversesOn,
    post,
  },
  { title: 'TemplateEntry', additionalProperties: false },
);

/**
 * Creates an entry by a template, as a draft or posted immediately. Lines whose share rounds to zero are left out.
 * @throws ServiceError not_found; invalid_transition when the template is inactive; as createEntry
 */
export async function enterTemplate(
  trx: Db,
  ctx: Context,
  id: string,
  { amount: given = null, description: text, ...head }: Input<typeof TemplateEntry>,
): Promise<EntryAnswer> {
  const template = (await findRow(trx, EntryTemplate, { id })) as EntryTemplate | undefined;
  if (template === undefined) throw notFound('This entry template');
  if (!template.active) {
    const message = `No entry can be made by ${template.code} because it is inactive; make it active first`;
    throw new ServiceError('invalid_transition', message);
  }
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  checkAmount(template, given, places);
  const amounts = templateAmounts(template.lines, decimal(given ?? 0).toFixed(), places);
  const lines = template.lines.flatMap(({ side, percent: _, amount: _amount, ...line }, index) => {
    const value = toNumber(amounts[index] ?? '0');
    return value === 0 ? [] : [{ place: index + 1, line: { ...line, [side]: value } }];
  });
  const named = { ...head, description: text ?? template.description ?? template.name };
  return await createEntry(trx, ctx, { ...named, lines: lines.map(({ line }) => line) }).catch((error: unknown) => {
    const places = lines.map(({ place }) => place);
    throw error instanceof ServiceError ? inTemplate(error, template, places) : error;
  });
}

/** A refusal of the lines, which the request does not have: it names those of the template. @param places of the lines in it, from 1 */
function inTemplate(error: ServiceError, { code }: EntryTemplate, places: readonly number[]): ServiceError {
  if (error.code !== 'validation_failed') return error;
  return validationFailed(
    error.errors.map((fault) => {
      const [, at] = /^\/lines\/(\d+)\//.exec(fault.pointer) ?? [];
      const place = at === undefined ? undefined : places[Number(at)];
      const message = `line ${place} of ${code}: ${fault.message}`;
      return place === undefined ? fault : { ...fault, pointer: '', message };
    }),
  );
}

/** @throws ServiceError validation_failed */
function checkAmount({ lines, code }: EntryTemplate, given: number | null, places: number): void {
  const needed = needsAmount(lines);
  if (needed && given === null)
    throw invalidMember('/amount', 'required', `is required because ${code} has percentages of it`);
  if (!needed && given !== null)
    throw invalidMember('/amount', 'not_applicable', `cannot be given because ${code} has amounts of its own`);
  if (given !== null && decimalPlaces(given) > places)
    throw invalidMember('/amount', 'too_many_decimals', `must have at most ${places} decimals`);
}
