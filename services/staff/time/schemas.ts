/** Schemas of requests about time records. */
import { Type } from 'typebox';
import { type Input, instant, integer, label, nullable, uuid } from '../../platform/validation/schemas.ts';

const MAX_TEXT = 500;
/** Minutes of a day. */
const MAX_BREAK = 1439;

const breakMinutes = integer({
  minimum: 0,
  maximum: MAX_BREAK,
  description: 'Minutes of breaks that are no working time',
});
const note = nullable(label({ min: 0, max: MAX_TEXT }));
const reason = label({
  max: MAX_TEXT,
  description: 'Why the record is changed; the audit log keeps what stood before',
});

export const TimeRecordBody = Type.Object(
  {
    employeeId: uuid(),
    startedAt: instant(),
    endedAt: Type.Optional(nullable(instant({ description: 'Leave it out while the work goes on' }))),
    breakMinutes: Type.Optional(breakMinutes),
    note: Type.Optional(note),
    reason: Type.Optional(label({ max: MAX_TEXT, description: 'Why it is entered afterwards; marks it as corrected' })),
  },
  { title: 'TimeRecordNew', additionalProperties: false },
);

export const TimeRecordPatch = Type.Object(
  {
    startedAt: Type.Optional(instant()),
    endedAt: Type.Optional(nullable(instant({ description: 'Null: the work goes on' }))),
    breakMinutes: Type.Optional(breakMinutes),
    note: Type.Optional(note),
    reason,
  },
  { title: 'TimeRecordPatch', additionalProperties: false },
);

export const TimeRecordCancel = Type.Object({ reason }, { title: 'TimeRecordCancel', additionalProperties: false });

export const ClockIn = Type.Object(
  { employeeId: uuid(), note: Type.Optional(note) },
  { title: 'ClockIn', additionalProperties: false },
);

export const ClockOut = Type.Object(
  { employeeId: uuid(), breakMinutes: Type.Optional(breakMinutes), note: Type.Optional(note) },
  { title: 'ClockOut', additionalProperties: false },
);

export type NewTimeRecord = Input<typeof TimeRecordBody>;
export type TimeRecordChange = Input<typeof TimeRecordPatch>;
export type ClockedIn = Input<typeof ClockIn>;
export type ClockedOut = Input<typeof ClockOut>;
