/** Duplicates documents. */

import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { decimal } from '../../../domain/money.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { loadActiveFields } from '../../records/custom-fields/definitions.ts';
import { memberName, storedValue } from '../../records/custom-fields/rows.ts';
import { type ActionOptions, loadForAction } from '../documents/read.ts';
import type { DocumentInput, DocumentLineInput } from '../documents/schemas.ts';
import type { DocumentRow, LineRow } from '../documents/stored.ts';
import type { DocumentAnswer } from '../documents/to-json.ts';
import { createDocument } from './create.ts';
import { toLineInput, withTakenShares } from './document-input.ts';

/**
 * Creates a document of the same type, dated today, with the same partner, lines, prices and custom fields, without bases or references. An
 * invoice is a draft; a note moves its goods like any new one, picking batches again.
 * @returns the new document as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition (it corrects another document), and whatever creating refuses
 */
export async function duplicateDocument(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions,
): Promise<DocumentAnswer> {
  const { docType, input } = await copyDocument(trx, ctx, documentId, options);
  return await createDocument(trx, ctx, docType, input);
}

/**
 * Builds the input that creates a document like another one today.
 * @throws ServiceError not_found, stale_version, invalid_transition (it corrects another document)
 */
export async function copyDocument(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions,
): Promise<{ readonly docType: DocType; readonly input: DocumentInput }> {
  const loaded = await loadForAction(trx, ctx, documentId, 'duplicate', options);
  const { row, lines } = loaded;
  if (lines.some(({ quantity }) => decimal(quantity).lt(0))) {
    throw new ServiceError(
      'invalid_transition',
      `${row.code ?? 'The draft'} cannot be duplicated because it corrects another document`,
    );
  }
  const today = await validToday(trx, ctx, row, lines);
  const input = {
    ...withTakenShares(loaded),
    ...(today.seriesId === null ? {} : { seriesId: today.seriesId }),
    ...(await customFieldValues(trx, ctx, row)),
    lines: lines.map((line) => duplicatedLine(row, line, today)),
  };
  return { docType: row.docType, input };
}

interface ValidToday {
  /** The document's series, unless it is of another fiscal year; null means the default one. */
  readonly seriesId: string | null;
  /** Maps the id of a tax to the tax of the same code that is valid today. */
  readonly taxes: Readonly<Record<string, string>>;
}

async function validToday(trx: Db, ctx: Context, row: DocumentRow, lines: readonly LineRow[]): Promise<ValidToday> {
  const [found] = await query<{
    seriesId: string | null;
    taxes: Record<string, string> | null;
  }>(
    trx,
    `with day as (select ${TODAY} as value)
     select
       (select id from series, day where id = :seriesId and (year is null or year = fiscal_year_of(:tenant, day.value))) as "seriesId",
       (select json_object_agg(old.id, t.id) from day, taxes old join taxes t on t.code = old.code
        where old.id = any(:taxes::uuid[]) and day.value between coalesce(t.valid_from, day.value)
          and coalesce(t.valid_to, day.value)) as taxes`,
    {
      seriesId: row.seriesId,
      tenant: ctx.tenantId,
      now: ctx.now.toISOString(),
      taxes: [...new Set(lines.map(({ taxGroupId }) => taxGroupId))],
    },
  );
  return { seriesId: found?.seriesId ?? null, taxes: found?.taxes ?? {} };
}

function duplicatedLine(row: DocumentRow, line: LineRow, { taxes }: ValidToday): DocumentLineInput {
  return { ...toLineInput(row, line), taxGroupId: taxes[line.taxGroupId] ?? line.taxGroupId };
}

/** The custom fields that are set, by member. */
async function customFieldValues(trx: Db, ctx: Context, row: DocumentRow) {
  const fields = await loadActiveFields(trx, ctx, DOCUMENT_TYPES[row.docType].entityType);
  const values = fields.map((field) => [memberName(field), storedValue(row.custom, field)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null && value !== undefined));
}
