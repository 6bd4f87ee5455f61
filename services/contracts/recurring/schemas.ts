/** Schemas of requests about recurring documents. */
import { Type } from 'typebox';
import { MISSED_RULES } from '../../../domain/contracts/recurring/catch-up.ts';
import { INTERVAL_UNITS } from '../../../domain/contracts/recurring/interval.ts';
import { BILLING_TIMES } from '../../../domain/contracts/recurring/periods.ts';
import { PRICE_RULES } from '../../../domain/contracts/recurring/prices.ts';
import { TEXT_NAMES } from '../../../domain/contracts/recurring/texts.ts';
import { RECURRING_MODES, RECURRING_TYPES } from '../../../domain/contracts/recurring/types.ts';
import {
  amount,
  choice,
  day,
  flag,
  type Input,
  integer,
  label,
  nullable,
  resettable,
  text,
  uuid,
} from '../../platform/validation/schemas.ts';

const CLOSED = { additionalProperties: false } as const;
const names = Object.entries(TEXT_NAMES).map(([name, meaning]) => `{{ ${name} }} (${meaning})`);

export const Interval = Type.Object(
  {
    unit: Type.Optional(nullable(choice(INTERVAL_UNITS, { description: 'Required unless `cron` is given' }))),
    count: Type.Optional(
      nullable(integer({ minimum: 1, maximum: 366, description: 'Every so many units; defaults to 1' })),
    ),
    day: Type.Optional(
      nullable(
        integer({
          minimum: 1,
          maximum: 31,
          description:
            'Of months and years: the day of the month, 31 for its last one; a month without that day has its last. Defaults to that of ' +
            '`starts_on`',
        }),
      ),
    ),
    cron: Type.Optional(
      nullable(
        text({
          description:
            'In place of a unit: five fields for days, such as `0 0 * * 1` for Mondays. Minute and hour must be 0 0: documents are made ' +
            "at the company's midnight",
        }),
      ),
    ),
  },
  { ...CLOSED, title: 'RecurringInterval', description: 'How often: by `unit`, or by `cron`' },
);

const template = Type.Record(Type.String({ maxLength: 60 }), Type.Unknown(), {
  maxProperties: 100,
  title: 'RecurringTemplate',
  description:
    'The body that creates such a document, without its dates. Entries may have `reversesAfterMonths` (1 to 12): each is reversed on the ' +
    'first day of the month that is so many months later. Line descriptions, notes and references may contain ' +
    `${names.join(', ')}`,
});

export const members = {
  name: label(),
  document_type: choice(RECURRING_TYPES, { description: 'What is made' }),
  template,
  interval: Interval,
  starts_on: day({ description: "The first day that is charged; defaults to today in the company's time zone" }),
  ends_on: day({ description: 'The last day that is charged' }),
  count: integer({ minimum: 1, maximum: 10_000, description: 'Number of documents after which it ends' }),
  billed_at: choice(BILLING_TIMES, {
    description: 'Whether a document is made on the first day of its period, the default, or on the last',
  }),
  prorate: flag({
    description:
      'Whether periods that begin or end within the interval are charged by their days; otherwise the first whole period is the first ' +
      'one, and the last is charged in full',
  }),
  mode: choice(RECURRING_MODES, {
    description:
      'draft; post: open or posted; send: also sent by e-mail. Invoices and entries are drafts by default, orders and notes have none',
  }),
  price: choice(PRICE_RULES, {
    description:
      'fixed: the prices of the template, or else of the day when it was made or changed; current: of the day',
  }),
  index_percent: amount({
    places: 4,
    minimum: -50,
    maximum: 100,
    description:
      'Percentage by which fixed prices rise, compounded, every `index_months` from `starts_on`; negative: they fall',
  }),
  index_months: integer({ minimum: 1, maximum: 120, description: 'Defaults to 12' }),
  missed: choice(MISSED_RULES, {
    description:
      'What is made of documents that were due on earlier days, dated on the day when they are made: all, the default; only the last; none',
  }),
};

export const RecurringCreate = Type.Object(
  {
    name: members.name,
    document_type: members.document_type,
    template: Type.Optional(nullable(members.template)),
    from_document_id: Type.Optional(
      nullable(
        uuid({
          description:
            'In place of a template: a document or entry of the type, whose partner, lines and prices are taken over',
        }),
      ),
    ),
    interval: members.interval,
    starts_on: Type.Optional(nullable(members.starts_on)),
    ends_on: Type.Optional(nullable(members.ends_on)),
    count: Type.Optional(nullable(members.count)),
    billed_at: Type.Optional(nullable({ ...members.billed_at, default: 'start' })),
    prorate: Type.Optional(nullable({ ...members.prorate, default: false })),
    mode: Type.Optional(nullable(members.mode)),
    price: Type.Optional(nullable({ ...members.price, default: 'fixed' })),
    index_percent: Type.Optional(nullable(members.index_percent)),
    index_months: Type.Optional(nullable(members.index_months)),
    missed: Type.Optional(nullable({ ...members.missed, default: 'all' })),
  },
  CLOSED,
);
export type RecurringInput = Input<typeof RecurringCreate>;

export const RecurringChange = Type.Object(
  {
    name: Type.Optional(members.name),
    template: Type.Optional(members.template),
    prorate_from: Type.Optional(
      nullable(
        day({
          description:
            'With a template: the day within the current period from which it counts; the next document has lines for the difference',
        }),
      ),
    ),
    ends_on: Type.Optional(nullable(members.ends_on)),
    count: Type.Optional(nullable(members.count)),
    mode: Type.Optional(members.mode),
    price: Type.Optional(members.price),
    index_percent: Type.Optional(nullable(members.index_percent)),
    index_months: Type.Optional(nullable(members.index_months)),
    missed: Type.Optional(resettable(members.missed, 'all')),
  },
  CLOSED,
);
export type RecurringChanges = Input<typeof RecurringChange>;
