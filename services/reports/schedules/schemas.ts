/** Schemas of requests about scheduled reports. */
import { Type } from 'typebox';
import { PERIOD_FORMS } from '../../../domain/reports/engine/periods.ts';
import {
  choice,
  email,
  flag,
  type Input,
  label,
  nullable,
  resettable,
  text,
} from '../../platform/validation/schemas.ts';
import { envelopeName } from '../engine/declaration.ts';
import { supportedFormats } from '../engine/formats.ts';
import { REPORTS } from '../generation/reports.ts';

/** Names of reports, as in their envelopes. */
const NAMES = REPORTS.map(envelopeName);
const FORMATS = [...new Set(REPORTS.flatMap(supportedFormats))];
export const DEFAULT_FORMAT = 'pdf';

export const members = {
  name: label(),
  report_name: choice(NAMES, { description: 'The name in the envelope of the report' }),
  params: Type.Record(Type.String({ maxLength: 40 }), Type.Unknown(), {
    maxProperties: 20,
    description:
      `Parameters of the report. Days may be relative: ${PERIOD_FORMS}; ` +
      '`from` is the first day of the period, others the last',
  }),
  cron: text({
    max: 200,
    description:
      'Five fields (minute, hour, day, month, weekday), or @hourly, @daily, @weekly or @monthly; runs are at least 15 minutes apart',
  }),
  timezone: text({ max: 60, description: "Of `cron`; defaults to the company's" }),
  recipients: Type.Array(email(), {
    maxItems: 50,
    description: 'Recipients of the file of each run by e-mail, or of a link if it is large',
  }),
  format: choice(FORMATS),
  skip_when_empty: flag({ description: 'Whether no file is made when the report has no figures' }),
  active: flag({ description: 'Whether it runs' }),
};

const CLOSED = { additionalProperties: false } as const;

export const ReportScheduleCreate = Type.Object(
  {
    name: members.name,
    report_name: members.report_name,
    params: Type.Optional(nullable(members.params)),
    cron: members.cron,
    timezone: Type.Optional(nullable(members.timezone)),
    recipients: Type.Optional(nullable(members.recipients)),
    format: Type.Optional(nullable({ ...members.format, default: DEFAULT_FORMAT })),
    skip_when_empty: Type.Optional(nullable({ ...members.skip_when_empty, default: false })),
    active: Type.Optional(nullable({ ...members.active, default: true })),
  },
  CLOSED,
);
export type ReportScheduleInput = Input<typeof ReportScheduleCreate>;

export const ReportScheduleChange = Type.Object(
  {
    name: Type.Optional(members.name),
    report_name: Type.Optional(members.report_name),
    params: Type.Optional(resettable(members.params, {})),
    cron: Type.Optional(members.cron),
    timezone: Type.Optional(nullable(members.timezone)),
    recipients: Type.Optional(resettable(members.recipients, [])),
    format: Type.Optional(resettable(members.format, DEFAULT_FORMAT)),
    skip_when_empty: Type.Optional(resettable(members.skip_when_empty, false)),
    active: Type.Optional(resettable(members.active, true)),
  },
  CLOSED,
);
export type ReportScheduleChanges = Input<typeof ReportScheduleChange>;
