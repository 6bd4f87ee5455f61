/** Builds requests for reports: the company's settings, the period, and the formats of figures. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { refusedParameter } from '../../../domain/errors.ts';
import { chartNamed } from '../../../domain/ledger/accounting/charts/index.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { roundedNumber } from '../../../domain/money.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import type { SettingsByName } from '../../platform/settings/definitions.ts';
import { withAllDefaults } from '../../platform/settings/settings.ts';
import type { Report, ReportRequest, Values } from './declaration.ts';
import { requestedPage } from './paging.ts';
import { assertReferences } from './references.ts';

/** An order for a report: its parameters, format and requester. */
export interface ReportOrder {
  readonly report: Report;
  readonly params: Values;
  readonly ctx: Context;
  /** Requested format; defaults to json. */
  readonly format?: string;
  /** Whether columns are named by members, for programs, instead of labels. */
  readonly names?: boolean;
}

/**
 * Builds the request of an order.
 * @param forFile whether to include all rows, from `stream`
 * @throws ServiceError invalid_parameter for faults that the schemas of the parameters cannot express; not_found for records that do not
 * exist
 */
export async function reportRequest(reader: Reader, order: ReportOrder, forFile: boolean): Promise<ReportRequest> {
  const { report, params, ctx, format: wanted = 'json' } = order;
  assertOrdered(params);
  const stored = await loadSettings(reader);
  await assertReferences(reader, params);
  const format = report.cents === true ? { ...stored.format, decimalPrecision: CENTS } : stored.format;
  const settings = { ...stored, format };
  const { company } = settings;
  const request: ReportRequest = {
    reader,
    ctx,
    params,
    range: resolveRange(params, localDay(ctx.now, format.timezone), company.fiscalYearStart),
    language: formatsFor(format, null).language,
    settings,
    accountChart: chartNamed(settings.accounting.chart),
    money: (value) => roundedNumber(value, format.decimalPrecision),
    quantity: (value) => roundedNumber(value, format.quantityPrecision),
    page: report.paged === true && !forFile ? requestedPage(params as { page?: number; limit?: number }) : null,
  };
  report.check?.(request);
  report.formats?.[wanted]?.check?.(request);
  return request;
}

/** Decimals of amounts in official forms. */
const CENTS = 2;

function assertOrdered({ from, to }: { readonly from?: string; readonly to?: string }): void {
  if (from !== undefined && to !== undefined && to < from) throw refusedParameter('to', 'must not be before from');
}

/** Settings that reports need. */
const NAMES = ['company', 'format', 'branding', 'accounting'] as const;

async function loadSettings(reader: Reader): Promise<Pick<SettingsByName, (typeof NAMES)[number]>> {
  const rows = await query<{ name: (typeof NAMES)[number]; value: object }>(
    reader,
    'select name, value from settings where name = any(:names::text[])',
    { names: NAMES },
  );
  return withAllDefaults(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
}

function resolveRange(params: Values, today: string, fiscalYearStart: string): ReportRequest['range'] {
  const { from, to } = params as { from?: string; to?: string };
  const last = to ?? (from !== undefined && from > today ? from : today);
  return { from: from ?? yearStart(fiscalYearStart, last), to: last };
}
