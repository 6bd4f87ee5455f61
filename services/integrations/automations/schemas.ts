/** Schemas of rules: what triggers them, and what they do. Each type is declared once, with the members that it has. */
import { type TProperties, Type } from 'typebox';
import { ROLES, type Role } from '../../../domain/permissions.ts';
import type { WatchedRecord } from '../../../domain/platform/internal-events.ts';
import { PERIOD_FORMS } from '../../../domain/reports/engine/periods.ts';
import { DOC_TYPE_NAMES, DOC_TYPES, DOCUMENT_STATUSES, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { Conditions } from '../../platform/validation/condition.ts';
import {
  amount,
  choice,
  email,
  flag,
  type Input,
  label,
  nullable,
  resettable,
  text,
  unionByType,
  uuid,
} from '../../platform/validation/schemas.ts';
import { envelopeName } from '../../reports/engine/declaration.ts';
import { supportedFormats } from '../../reports/engine/formats.ts';
import { REPORTS } from '../../reports/generation/reports.ts';
import { LOCK_TIMES } from '../../trade/lifecycle/lock.ts';
import { RECORDS } from './records/resources.ts';

export const RULE_STATUSES = ['active', 'paused', 'disabled'] as const;

/** Maximum lines of a document that a rule runs for. */
export const MAX_LINES = 200;

/** The most characters of a rule as JSON. */
export const MAX_CHARACTERS = 60_000;

const optional = Type.Optional;
const TEMPLATE =
  '; {{path}} stands for data, such as {{document.number}}, or {{actions[0].response.body.id}}, of the answer to an earlier call';

const documentTypeName = () => {
  const codes = Object.fromEntries(Object.entries(DOC_TYPE_NAMES).map(([name, code]) => [code, name]));
  return Type.Unsafe<string>({
    type: 'string',
    enum: [...DOC_TYPES.map((code) => DOCUMENT_TYPES[code].name), ...DOC_TYPES],
    'x-synonyms': codes,
    description: 'Only documents of this type; all types when left out',
  });
};
const status = (description: string) => choice(DOCUMENT_STATUSES, { description });
const DOCUMENT_TYPE_MEMBER = { document_type: optional(documentTypeName()) };

/** Records that a rule by the clock acts on, one by one. */
const RecordQuery = Type.Object(
  {
    resource: choice(Object.keys(RECORDS), { description: 'Resource of the records' }),
    filters: optional(
      Type.Record(
        Type.String({ maxLength: 100 }),
        Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], maxLength: 500 }),
        {
          maxProperties: 20,
          description:
            'As the list of the resource has them: `{"dueDate[lte]": "today-30", "paymentStatus": "pending"}`. ' +
            `Days may be relative: ${PERIOD_FORMS}`,
        },
      ),
    ),
    once: optional(flag({ description: 'Whether each record is acted on once, ever, and not at each run' })),
  },
  {
    additionalProperties: false,
    title: 'RecordQuery',
    description: 'Records that the rule acts on, one by one, at most 1000 in a run; without it, it is about none',
  },
);
export type RecordQuery = Input<typeof RecordQuery>;

const changedFields = (of: string) =>
  optional(
    Type.Array(text({ max: 100 }), {
      minItems: 1,
      maxItems: 50,
      description: `Only when one of these members has changed, by their names in the ${of}`,
    }),
  );
/** Triggers of master data. */
const recordTriggers = <Name extends WatchedRecord>(record: Name) =>
  ({ [`${record}.created`]: {}, [`${record}.updated`]: { changed_fields: changedFields(record) } }) as {
    readonly [Type in `${Name}.created`]: Record<never, never>;
  } & { readonly [Type in `${Name}.updated`]: { readonly changed_fields: ReturnType<typeof changedFields> } };

/** The triggers of rules: their members by type. */
const TRIGGERS = {
  'document.created': DOCUMENT_TYPE_MEMBER,
  'document.updated': {
    ...DOCUMENT_TYPE_MEMBER,
    changed_fields: changedFields('document'),
  },
  'document.status_changed': {
    ...DOCUMENT_TYPE_MEMBER,
    from_status: optional(status('Only from this state')),
    to_status: optional(status('Only to this state')),
  },
  'document.sent': DOCUMENT_TYPE_MEMBER,
  'document.paid': DOCUMENT_TYPE_MEMBER,
  'payment.received': {},
  'payment.made': {},
  'stock.low': {},
  ...recordTriggers('partner'),
  ...recordTriggers('item'),
  ...recordTriggers('price'),
  'task.ended': {
    outcome: optional(choice(['completed', 'failed'], { description: 'Only when it ended like this' })),
  },
  'plugin.hook': {
    plugin_id: uuid({ description: 'Id of the plugin that fires the hook' }),
    hook: text({ max: 60, description: 'A hook of its manifest; what it sends is `event.payload`' }),
  },
  'schedule.cron': {
    expression: text({
      max: 200,
      description:
        'Five fields (minute, hour, day, month, weekday), or @hourly, @daily, @weekly or @monthly, by the clock of `timezone`',
    }),
    timezone: optional(text({ max: 60, description: "Defaults to the company's" })),
    query: optional(RecordQuery),
  },
  'system.startup': {},
} satisfies Record<string, TProperties>;

const body = () =>
  Type.Unsafe<string | Readonly<Record<string, unknown>>>({
    type: ['string', 'object'],
    maxLength: 20_000,
    additionalProperties: true,
    description: `A text, or an object whose texts are templates${TEMPLATE}; {{json_document}} is the whole document`,
  });
const headers = () =>
  Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 2000 }), {
    maxProperties: 30,
    description:
      'Additional headers; values may hold placeholders. Answers show ••• in their place, except for Content-Type',
  });
const url = () =>
  text({ max: 2000, description: 'http or https; not in a private network. Placeholders may follow the host' });

const hours = (description: string) => amount({ minimum: 0.001, maximum: 8760, places: 3, description });
/** Whom an action asks, and what for. */
const ASKED_MEMBERS = {
  user_id: optional(text({ max: 200, description: 'A user, or {{document.created_by}}' })),
  role: optional(
    choice(Object.keys(ROLES) as Role[], { description: 'The role of those of whom one does it, in place of a user' }),
  ),
  title: text({ max: 200, description: `What is wanted${TEMPLATE}` }),
  body: optional(text({ max: 2000, description: `More about it${TEMPLATE}` })),
};

/** The actions of rules: their members by type. */
const ACTIONS = {
  'email.send': {
    to: text({ max: 1000, description: 'Addresses, separated by commas, or {{document.partner.email}}' }),
    subject: text({ max: 500, description: `Subject${TEMPLATE}` }),
    body_html: text({ max: 20_000, description: `The HTML part${TEMPLATE}` }),
    attach_pdf: optional(flag({ description: "Whether it carries the document's PDF" })),
  },
  'notification.create': {
    user_id: optional(text({ max: 200, description: 'A user, or {{document.created_by}}' })),
    role: optional(
      choice(Object.keys(ROLES) as Role[], { description: 'Everybody with this role, in place of a user' }),
    ),
    title: text({ max: 200, description: `Title${TEMPLATE}` }),
    body: text({ max: 2000, description: `Text${TEMPLATE}` }),
  },
  'to_do.assign': {
    ...ASKED_MEMBERS,
    due_in_hours: optional(hours('When it must be done, counted from then')),
  },
  'approval.request': {
    ...ASKED_MEMBERS,
    deadline_hours: optional(hours('How long it waits for the answer; 72 by default')),
    if_late: optional(
      choice(['refuse', 'approve'], {
        description: 'What follows if nobody answers in time: the run ends, as after a refusal, or goes on',
      }),
    ),
    by_email: optional(flag({ description: 'Whether those who are asked also get a mail with a link to answer' })),
  },
  'webhook.call': {
    url: url(),
    method: optional(choice(['POST', 'GET'])),
    headers: optional(headers()),
    body: optional(body()),
  },
  'http.request': {
    url: url(),
    method: optional(choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
    headers: optional(headers()),
    body: optional(body()),
  },
  'document.update_field': {
    field: text({
      max: 100,
      description: 'internalNotes, notes, reference, tags, projectId, costCenterId or a custom field',
    }),
    value: Type.Unknown({ description: `The new value; texts may be templates${TEMPLATE}` }),
  },
  'document.cancel': {},
  'document.lock': {
    document_type: optional(documentTypeName()),
    when: optional(
      choice(LOCK_TIMES, { description: "At once, which is the default, or at the end of the company's day" }),
    ),
  },
  'report.generate': {
    // A rule can be changed by others than the person for whom it acts, and those may have fewer rights in other companies.
    report_name: choice(REPORTS.filter(({ personal }) => personal !== true).map(envelopeName), {
      description: 'The name in the envelope of the report; those of several companies are not made by rules',
    }),
    format: optional(choice([...new Set(REPORTS.flatMap(supportedFormats))])),
    params: optional(
      Type.Record(Type.String({ maxLength: 40 }), Type.Unknown(), {
        maxProperties: 20,
        description: 'Further parameters of the report, as in its address',
      }),
    ),
    from: optional(text({ max: 20, description: `A day, or relative: ${PERIOD_FORMS}` })),
    to: optional(text({ max: 20, description: `A day, or relative: ${PERIOD_FORMS}` })),
    recipients: optional(Type.Array(email(), { maxItems: 50, description: 'Recipients of the file, by e-mail' })),
  },
  'plugin.execute': {
    plugin_id: uuid({ description: 'Id of the plugin that does it' }),
    action: text({ max: 60, description: 'An action of its manifest' }),
    params: optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
        maxProperties: 100,
        description: `Data that fits the schema of the action; texts are templates${TEMPLATE}`,
      }),
    ),
  },
  'payment.reconcile': { mode: choice(['by_reference', 'by_amount', 'by_date']) },
} satisfies Record<string, TProperties>;

export const TRIGGER_TYPES = Object.keys(TRIGGERS) as (keyof typeof TRIGGERS)[];

export const Trigger = unionByType(TRIGGERS, 'Trigger');
export const Action = unionByType(ACTIONS, 'Action');
export type Trigger = Input<typeof Trigger>;
export type Action = Input<typeof Action>;
export type ActionOf<Type extends Action['type']> = Extract<Action, { readonly type: Type }>;

/** Actions for a user, or those with a role. */
export type PersonAction = 'notification.create' | 'to_do.assign' | 'approval.request';

export const members = {
  name: label(),
  description: nullable(text({ max: 1000, description: 'Purpose' })),
  trigger: Trigger,
  conditions: Conditions,
  actions: Type.Array(Action, { minItems: 1, maxItems: 10, description: 'Actions, in order' }),
  stop_on_error: flag({ description: 'Whether actions after a failed one are left out' }),
  for_each: choice(['line'], {
    description:
      'Runs once for each line of the document that its conditions hold for, which is `line` in its data: ' +
      `at most ${MAX_LINES} in a document`,
  }),
  status: choice(RULE_STATUSES, { description: 'Only active ones run' }),
};

const CLOSED = { additionalProperties: false } as const;

export const AutomationCreate = Type.Object(
  {
    name: members.name,
    description: optional(members.description),
    trigger: members.trigger,
    conditions: optional(nullable(members.conditions)),
    actions: members.actions,
    stop_on_error: optional(nullable(members.stop_on_error)),
    for_each: optional(nullable(members.for_each)),
    status: optional(nullable(members.status)),
  },
  CLOSED,
);
export type AutomationInput = Input<typeof AutomationCreate>;

export const AutomationChange = Type.Object(
  {
    name: optional(members.name),
    description: optional(members.description),
    trigger: optional(members.trigger),
    conditions: optional(resettable(members.conditions, [])),
    actions: optional(members.actions),
    stop_on_error: optional(resettable(members.stop_on_error, false)),
    for_each: optional(nullable(members.for_each)),
    status: optional(resettable(members.status, 'active')),
  },
  CLOSED,
);
export type AutomationChanges = Input<typeof AutomationChange>;

export type Rule = Pick<Required<AutomationInput>, 'trigger' | 'actions'> & {
  readonly for_each: 'line' | null;
  readonly conditions: Input<typeof Conditions>;
};
