/** Reads a report and wraps it in its envelope. */
import { type TSchema, Type } from 'typebox';
import { day, instant, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { envelopeName, type Report, type ReportRequest, type ReportResult, type Values } from './declaration.ts';

/** Reads a report as JSON. @throws ServiceError as the report does */
export async function readReport(report: Report, request: ReportRequest): Promise<Values> {
  return envelope(report, request, await report.read(request));
}

/** Wraps a result in the report's envelope. */
export function envelope(report: Report, request: ReportRequest, result: ReportResult): Values {
  const { data, summary, warnings = [] } = result;
  if (report.bare === true) return data;
  return {
    report_name: envelopeName(report),
    generated_at: request.ctx.now.toISOString(),
    generated_by: request.ctx.userId,
    ...resultDates(request, result),
    data,
    summary,
    warnings,
    ...Object.fromEntries((report.top ?? []).map((member) => [member, data[member]])),
  };
}

/** The dates of the envelope. */
export function resultDates({ range }: ReportRequest, { from = range.from, to = range.to }: ReportResult) {
  return { from, to };
}

const WARNINGS = Type.Array(Type.Object({ code: text(), message: text({ max: 1000 }) }), {
  description: 'What is still to be done before the figures are complete; also in files',
});

/** The schema of what `readReport` returns. */
export function answerSchema(report: Report): TSchema {
  const { data, summary, top = [] } = report;
  if (report.bare === true) return data;
  const members = (data as unknown as { properties: Record<string, TSchema> }).properties;
  return Type.Object({
    report_name: text(),
    generated_at: instant(),
    generated_by: nullable(uuid()),
    from: nullable(day()),
    to: nullable(day()),
    data,
    summary,
    warnings: WARNINGS,
    ...Object.fromEntries(top.map((member) => [member, members[member] as TSchema])),
  });
}
