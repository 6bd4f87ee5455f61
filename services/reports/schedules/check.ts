/** Checks the report and the times of a schedule. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import type { ReportSchedule } from '../../../db/models/platform/tasks.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { isTimeZone } from '../../../domain/locale/time-zones.ts';
import { leastMinutesApart, parseCron } from '../../../domain/platform/schedules/cron.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { Report } from '../engine/declaration.ts';
import { supportedFormats } from '../engine/formats.ts';
import type { ReportOrder } from '../engine/request.ts';
import { isForWorker } from '../engine/size.ts';
import { namedReport } from '../generation/reports.ts';
import { paramFaults, resolved } from './params.ts';

/** Minimum minutes between runs of one schedule; automations and webhooks serve more frequent needs. */
export const LEAST_MINUTES = 15;

/** The parts of a schedule that are checked. */
export type Checked = Pick<ReportSchedule, 'reportName' | 'params' | 'cron' | 'timezone' | 'format'>;

/** Finds the report of a schedule. @throws ServiceError validation_failed if this release does not have it */
export function scheduledReport({ reportName }: Pick<ReportSchedule, 'reportName'>): Report {
  const found = namedReport(reportName);
  if (found === undefined)
    throw invalidMember(
      '/report_name',
      'invalid_choice',
      `must name a report of this release, and names ${reportName}`,
    );
  return found;
}

/** @throws ServiceError validation_failed for an unusable expression, zone, format or parameter */
export function checkForm(schedule: Checked): void {
  const faults = new Faults();
  const cron = parseCron(schedule.cron);
  if ('fault' in cron) {
    faults.add('/cron', cron.fault === 'never' ? 'never_fires' : 'invalid_format', cron.message);
  } else if (leastMinutesApart(cron) < LEAST_MINUTES) {
    faults.add('/cron', 'too_often', `must leave at least ${LEAST_MINUTES} minutes between two runs`);
  }
  if (!isTimeZone(schedule.timezone)) {
    faults.add('/timezone', 'invalid_format', 'must be an IANA time zone, such as Europe/Madrid');
  }
  const formats = supportedFormats(scheduledReport(schedule));
  if (!formats.includes(schedule.format)) {
    faults.add('/format', 'not_allowed', `must be a format of this report: ${formats.join(', ')}`);
  }
  faults.throwIfAny();
}

/**
 * Builds the order that the schedule places at a time.
 * @param at the time on which relative periods are based
 * @throws ServiceError validation_failed naming parameters that the report does not have
 */
export async function orderAt(reader: Reader, ctx: Context, schedule: Checked, at: Date): Promise<ReportOrder> {
  const [format, company] = await Promise.all([loadSettings(reader, 'format'), loadSettings(reader, 'company')]);
  const report = scheduledReport(schedule);
  const calendar = { today: localDay(at, format.timezone), fiscalYearStart: company.fiscalYearStart };
  const params = resolved(report, schedule.params, calendar);
  const faults = new Faults();
  for (const { pointer, code, message } of paramFaults(report, params)) faults.add(`/params${pointer}`, code, message);
  faults.throwIfAny();
  return { report, params, ctx, format: schedule.format };
}

/** Refuses immediately what its runs would refuse. @throws ServiceError validation_failed naming the member */
export async function checkMakeable(reader: Reader, order: ReportOrder): Promise<void> {
  try {
    await isForWorker(reader, order);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.parameter === undefined) throw error;
    const { pointer, code, message } = error.parameter;
    throw invalidMember(pointer === '/format' ? pointer : `/params${pointer}`, code, message);
  }
}
